/** How many rows match. */

import { format } from "$public/core";

/** "4,182 rows, 12.8%"; without the share for all rows. */
export function shareNote(rows: number, total: number): string {
  const count = format.counted(rows, "row");
  return rows === total || total === 0 ? count : `${count}, ${((rows / total) * 100).toFixed(1)}%`;
}
