/** Rows in the address: numbers and ranges, such as "3,7-12". */

/** Rows that a person isolated or hid. */
export interface RowFilter {
  readonly type: "isolate" | "hide";
  readonly rows: Uint32Array;
  /** Of a cluster that was hidden in the list: its name. */
  readonly cluster?: string;
}

/** A range in a link may be anything. */
const MAX_ROWS = 10_000_000;

/** In ascending order; undefined for none. */
export function textOfRows(rows: Uint32Array): string | undefined {
  const sorted = rows.toSorted();
  const parts: string[] = [];
  for (let first = 0; first < sorted.length;) {
    let last = first;
    while (sorted[last + 1] === sorted[last]! + 1) last += 1;
    const part = last > first ? `${sorted[first]!}-${sorted[last]!}` : String(sorted[first]!);
    parts.push(part);
    first = last + 1;
  }
  return parts.length > 0 ? parts.join(",") : undefined;
}

/** What is neither a number nor a range is left out. */
export function rowsOfText(text: string | undefined): Uint32Array {
  const rows: number[] = [];
  for (const part of (text ?? "").split(",")) {
    const [first, last] = /^(\d+)(?:-(\d+))?$/.exec(part)?.slice(1) ?? [];
    if (first === undefined) continue;
    for (let row = Number(first); row <= Number(last ?? first) && rows.length < MAX_ROWS; row += 1) rows.push(row);
  }
  return Uint32Array.from(rows);
}

/** As "hide:3,7-12;isolate:1-5"; undefined for none. A cluster's name is lost. */
export function textOfFilters(filters: readonly RowFilter[]): string | undefined {
  const parts = filters.map(({ type, rows }) => `${type}:${textOfRows(rows) ?? ""}`);
  return parts.length > 0 ? parts.join(";") : undefined;
}

/** A filter without rows, as of a damaged link, is none: it would show no point. */
export function filtersOfText(text: string | undefined): readonly RowFilter[] {
  return (text ?? "").split(";").flatMap((part): RowFilter[] => {
    const [type, text] = part.split(":");
    const rows = rowsOfText(text);
    return (type === "hide" || type === "isolate") && rows.length > 0 ? [{ type, rows }] : [];
  });
}
