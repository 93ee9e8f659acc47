/** What is asked of a window of series. */

import type { RequestedSmoothing } from "../../../base/smoothing";
import type { Axis } from "../../api";
import type { Attempts } from "../../series";

export interface WindowRequest {
  readonly axis: Axis;
  readonly start: number | null;
  readonly stop: number | null;
  /** Pixel columns; 0 is every point. */
  readonly width: number;
  readonly smoothing: RequestedSmoothing;
  readonly attempts: Attempts;
  readonly edges: boolean;
  /** Null is all. */
  readonly columns: readonly string[] | null;
}

export interface LineWindow {
  readonly start: number;
  readonly stop: number;
  readonly width: number;
  /** Of the moving average, from each point of the line to the next; 0: as logged. */
  readonly weight: number;
}
