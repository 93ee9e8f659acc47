/** Payloads of one series: which there are, and where their bytes can be had. */

import { requestJson } from "./request";

/** Lists side by side, in the order in which they were logged. */
export interface PayloadList {
  readonly run: string;
  readonly tag: string;
  readonly kind: string;
  /** What the address of a payload names. */
  readonly index: readonly number[];
  readonly steps: readonly number[];
  readonly walls: readonly number[];
  /** Bytes as stored. */
  readonly lengths: readonly number[];
  readonly attempt: readonly number[];
}

export function fetchPayloads(
  run: string,
  tag: string,
  kind: string,
  attempts: "latest" | "all" = "latest",
): Promise<PayloadList> {
  return requestJson<PayloadList>(`api/payloads?${new URLSearchParams({ run, tag, kind, attempts })}`);
}

/** The address of the payload at this place of the list. It names its wall time, so that a browser may keep the answer. */
export function payloadAddress(list: PayloadList, position: number, sample = 0): string {
  return `api/payload?${payloadQuery(list, position, sample)}`;
}

/** The same question for another route. */
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
