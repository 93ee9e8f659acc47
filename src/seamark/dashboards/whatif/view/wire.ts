/** What the routes of What-If take and send, with the names that the view has for it. */

import type * as Wire from "./wire_types";

export type * from "./wire_types";
export type Cell = Wire.NearRow["truth"];

/** The difference of two rates or means with its 95 % interval. */
export interface Difference {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}
