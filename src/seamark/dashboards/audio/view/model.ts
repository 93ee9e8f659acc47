/** What the server knows about a clip, its samples, and the part of it that is repeated. */

import { type PayloadList, payloads, requestBytes, requestJson } from "$public/core";
import type { ClipFacts as Facts, ClipsResponse } from "./wire_types";

export type { Facts };

export interface Loop {
  readonly from: number;
  readonly to: number;
}

const MAX_CACHED = 200;
const cached = new Map<string, Promise<readonly Facts[]>>();

export function fetchFacts(list: PayloadList, at: number): Promise<readonly Facts[]> {
  const query = new URLSearchParams({ run: list.run, tag: list.tag, index: String(list.index[at]) }).toString();
  const key = `${query} ${list.walls[at]}`;
  const known = cached.get(key);
  if (known) return known;
  const request = requestJson<ClipsResponse>(`api/dashboards/audio/clips?${query}`).then(({ clips }) => clips);
  cached.set(key, request);
  request.catch(() => cached.delete(key));
  if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
  return request;
}

/** Chromium's limits; outside them a clip is drawn from a resampled copy, and still played as it is. */
const RATES = { lowest: 3_000, highest: 768_000 };

/** Larger clips are played but not drawn: their samples would fill the page's memory. */
const DRAWN_BYTES = 48 << 20;

/** The samples, at the clip's own rate. */
export async function decode(
  address: string,
  { size, sample_rate_hz: rate }: Facts,
  signal: AbortSignal,
): Promise<AudioBuffer> {
  if (size > DRAWN_BYTES) throw new Error("Too long to be drawn; it can be heard.");
  const bytes = await requestBytes(address, { signal });
  const context = new OfflineAudioContext(1, 1, Math.min(RATES.highest, Math.max(RATES.lowest, rate ?? 44_100)));
  try {
    return await context.decodeAudioData(bytes);
  } catch {
    throw new Error("this browser cannot decode the clip");
  }
}

export const clipAddress = payloads.address;

/** "16 kHz", "22.05 kHz". */
export const kilohertz = (hz: number): string => `${+(hz / 1000).toFixed(3)} kHz`;

export function seconds(value: number): string {
  const whole = Math.max(0, value);
  if (whole < 60) return `${whole.toFixed(2)} s`;
  return `${Math.floor(whole / 60)}:${(whole % 60).toFixed(1).padStart(4, "0")}`;
}

/** The part of the clip that a link or a drag selects; null if it is outside the clip. */
export function loopOf(value: unknown, length: number): Loop | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [from, to] = value.map(Number) as [number, number];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return null;
  const inside = {
    from: Math.max(0, Math.min(from, to)),
    to: length > 0 ? Math.min(length, Math.max(from, to)) : Math.max(from, to),
  };
  return inside.to - inside.from >= 0.005 ? inside : null;
}
