/** Payloads of one series: a list, and the addresses of their bytes. */

import { requestJson } from "./request";
import type { Attempts } from "./series";

/** Lists side by side, in the order in which they were logged. */
export interface PayloadList {
  readonly run: string;
  readonly tag: string;
  readonly kind: string;
  /** The number in the address of a payload. */
  readonly index: readonly number[];
  readonly steps: readonly number[];
  readonly walls: readonly number[];
  /** Bytes as stored. */
  readonly lengths: readonly number[];
  readonly attempt: readonly number[];
  /** So many at the end are of an attempt that a restart replaced. */
  readonly replaced: number;
}

/** The index of the newest one that counts; of the last one where none does. −1 without payloads. */
export const newestOf = ({ steps, replaced }: Pick<PayloadList, "steps" | "replaced">): number =>
  (steps.length > replaced ? steps.length - replaced : steps.length) - 1;

export interface PayloadRequest {
  readonly run: string;
  readonly tag: string;
  readonly kind: string;
  readonly attempts: Attempts;
}

export function fetchPayloads(request: PayloadRequest, signal?: AbortSignal): Promise<PayloadList> {
  return requestJson(`api/payloads?${new URLSearchParams({ ...request })}`, { signal });
}

/** The address of the payload at this index of the list. It names its wall time, so that a browser may cache the response. */
export function payloadAddress(list: PayloadList, position: number, sample = 0): string {
  return `api/payload?${payloadQuery(list, position, sample)}`;
}

/** The same parameters for another route. */
export function payloadQuery(list: PayloadList, position: number, sample = 0): URLSearchParams {
  return new URLSearchParams({
    run: list.run,
    tag: list.tag,
    kind: list.kind,
    index: String(list.index[position]),
    sample: String(sample),
    wall: String(list.walls[position]),
  });
}
