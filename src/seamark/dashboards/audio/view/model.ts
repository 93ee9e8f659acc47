/** Which cards there are, and what the server says of a clip. */

import {
  groupByPrefix,
  payloadAddress,
  requestBytes,
  requestJson,
  type PayloadList,
  type TagEntry,
} from "$public/core";

export interface Cell {
  readonly key: string;
  readonly tag: string;
  readonly run: string;
}

export interface Facts {
  readonly format: string;
  readonly size: number;
  /** Made safe by the server. */
  readonly label: string;
  readonly sample_rate_hz: number | null;
  readonly channels: number | null;
  readonly bits: number | null;
  readonly encoding: string;
  readonly seconds: number | null;
  readonly problem: string;
  readonly warning: string;
}

export interface Loop {
  readonly from: number;
  readonly to: number;
}

export const keyOf = (tag: string, run: string): string => JSON.stringify([tag, run]);

export function sectionsOf(entries: readonly TagEntry[], shown: readonly string[]) {
  return groupByPrefix(entries)
    .map(({ prefix, title, entries: members }) => ({
      key: prefix,
      title,
      cells: members.flatMap(({ tag, runs }) => {
        const has = new Set(runs);
        return shown.filter((run) => has.has(run)).map((run): Cell => ({ key: keyOf(tag, run), tag, run }));
      }),
    }))
    .filter(({ cells }) => cells.length > 0);
}

const KEPT = 200;
const kept = new Map<string, Promise<readonly Facts[]>>();

export function fetchFacts(list: PayloadList, at: number): Promise<readonly Facts[]> {
  const question = new URLSearchParams({ run: list.run, tag: list.tag, index: String(list.index[at]) }).toString();
  const key = `${question} ${list.walls[at]}`;
  const had = kept.get(key);
  if (had) return had;
  const asked = requestJson<{ clips: readonly Facts[] }>(`api/dashboards/audio/clips?${question}`).then(
    ({ clips }) => clips,
  );
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return asked;
}

/** Chromium's bounds; outside them a clip is drawn from a resampled copy, and still heard as it is. */
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

export const clipAddress = payloadAddress;

/** "16 kHz", "22.05 kHz". */
export const kilohertz = (hz: number): string => `${+(hz / 1000).toFixed(3)} kHz`;

export function seconds(value: number): string {
  const whole = Math.max(0, value);
  if (whole < 60) return `${whole.toFixed(2)} s`;
  return `${Math.floor(whole / 60)}:${(whole % 60).toFixed(1).padStart(4, "0")}`;
}

/** A loop that a link or a drag names, if it lies within the clip. */
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
