/** What the performance reads of the page, and changes in it. */

import type { DashboardContext } from "$public/core";
import type { WhatIfRequests } from "../requests";
import type { InfoResponse, RowFilter, SetParameters } from "../wire";

export interface PerformanceHost {
  readonly context: DashboardContext;
  readonly requests: WhatIfRequests;
  readonly set: SetParameters | null;
  readonly info: InfoResponse | null;
  readonly modelName: string;
  readonly filter: RowFilter;
  readonly threshold: number;
  setThreshold(threshold: number): void;
}
