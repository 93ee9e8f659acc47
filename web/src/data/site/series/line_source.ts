/** A line of which only the part in a window has to be in memory. */

import type { BucketLine } from "./bucket_rows";
import type { Line } from "./series_lines";
import type { LineWindow } from "./window_request";

/** A line that reads what a window of it needs. */
export interface LineSource {
  /** Its least and greatest x. */
  readonly first: number;
  readonly last: number;
  readonly load: (window: LineWindow) => Promise<Line | BucketLine>;
}
