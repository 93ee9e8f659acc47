/** Smaller columns for charts, as plugin/columns.py makes them: values as float32, and once what all runs share. */

import type { NumberColumn } from "../columns";

/** As float32 a time since 1970 would be off by minutes. */
const EXACT: ReadonlySet<string> = new Set(["wall", "wall_last"]);
/** Whole numbers, which float32 has only up to 16 million. */
const WHOLE: ReadonlySet<string> = new Set(["step", "step_last"]);

export interface CompactColumns {
  readonly columns: Record<string, NumberColumn>;
  /** Names of columns that are there once: run i has their first offsets[i + 1] − offsets[i] values. */
  readonly shared: ReadonlySet<string>;
}

/** `perRun` are the columns that have no value for each row. */
export function compacted(
  columns: Readonly<Record<string, NumberColumn>>,
  perRun: ReadonlySet<string>,
): CompactColumns {
  const offsets = columns.offsets!;
  const shared = new Set<string>();
  const entries = Object.entries(columns).map(([name, column]): [string, NumberColumn] => {
    if (perRun.has(name)) return [name, column];
    const common = offsets.length > 2 ? sharedRows(column, offsets) : null;
    if (common) shared.add(name);
    return [name, narrowed(name, common ?? column)];
  });
  return { columns: Object.fromEntries(entries), shared };
}

/** The rows of the longest run, if those of every other run are a prefix of them. */
function sharedRows(column: NumberColumn, offsets: NumberColumn): NumberColumn | null {
  let longest = 0;
  for (let run = 1; run + 1 < offsets.length; run += 1)
    if (rowsOf(offsets, run) > rowsOf(offsets, longest)) longest = run;
  const rows = column.subarray(offsets[longest]!, offsets[longest + 1]!);
  for (let run = 0; run + 1 < offsets.length; run += 1) {
    const from = offsets[run]!;
    for (let row = rowsOf(offsets, run) - 1; row >= 0; row -= 1) if (column[from + row] !== rows[row]) return null;
  }
  return rows;
}

const rowsOf = (offsets: NumberColumn, run: number): number => offsets[run + 1]! - offsets[run]!;

function narrowed(name: string, column: NumberColumn): NumberColumn {
  if (WHOLE.has(name)) return column.every((step) => step === (step | 0)) ? new Int32Array(column) : column;
  if (column instanceof Float64Array) return EXACT.has(name) ? column : new Float32Array(column);
  let greatest = 0;
  for (const value of column) greatest = Math.max(greatest, value);
  return greatest < 2 ** 8 ? new Uint8Array(column) : greatest < 2 ** 16 ? new Uint16Array(column) : column;
}
