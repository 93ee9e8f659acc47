/** A line of which only the part in a window has to be in memory. */

import type { BucketLine } from "./bucket_rows";
import type { Line } from "./series_lines";
import type { LineExtent } from "./smoothed";
import type { LineWindow } from "./window_request";

/** A line that reads what a window of it needs. */
export interface LineSource extends LineExtent {
  readonly load: (window: LineWindow) => Promise<Line | BucketLine>;
}
