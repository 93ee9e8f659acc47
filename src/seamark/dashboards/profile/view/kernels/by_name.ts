/** Kernels of one name as one row, whatever their operator and launch parameters. */

import type { KernelRow } from "../wire";

const SEVERAL = "several";

export function mergeByName(rows: readonly KernelRow[]): readonly KernelRow[] {
  const byName = new Map<string, KernelRow[]>();
  for (const row of rows) {
    const same = byName.get(row.name);
    if (same) same.push(row);
    else byName.set(row.name, [row]);
  }
  return [...byName.values()].map((same) => (same.length === 1 ? same[0]! : merge(same)));
}

function merge(rows: readonly KernelRow[]): KernelRow {
  const longest = rows.reduce((most, row) => (row.max_ns > most.max_ns ? row : most));
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const total_ns = rows.reduce((sum, row) => sum + row.total_ns, 0);
  const common = <Value>(valueOf: (row: KernelRow) => Value, otherwise: Value): Value =>
    rows.every((row) => valueOf(row) === valueOf(longest)) ? valueOf(longest) : otherwise;
  return {
    ...longest,
    operator: common((row) => row.operator, SEVERAL),
    calls,
    total_ns,
    mean_ns: Math.round(total_ns / calls),
    min_ns: rows.reduce((least, row) => Math.min(least, row.min_ns), Infinity),
    grid: common((row) => row.grid, SEVERAL),
    block: common((row) => row.block, SEVERAL),
    registers: common((row) => row.registers, null),
    shared_memory: common((row) => row.shared_memory, null),
    occupancy: weightedMean(rows, (row) => row.occupancy),
    blocks_per_sm: weightedMean(rows, (row) => row.blocks_per_sm),
  };
}

/** By time, of the rows that have a value. */
function weightedMean(rows: readonly KernelRow[], valueOf: (row: KernelRow) => number | null): number | null {
  const known = rows.filter((row) => valueOf(row) !== null);
  const weight = known.reduce((sum, { total_ns }) => sum + total_ns, 0);
  return weight === 0 ? null : known.reduce((sum, row) => sum + valueOf(row)! * row.total_ns, 0) / weight;
}
