/** Trials, and trials that are several runs: those that differ in their seed alone. */

import { tagNames } from "$public/core";
import { BLANK, columnOf, isNumeric, wordOf, type Cell, type TrialColumn, type WireColumn } from "./columns";

/** One row: a run, or the runs that were tried again with another seed. */
export interface Trial {
  readonly key: string;
  readonly runs: readonly string[];
}

export interface Trials {
  readonly rows: readonly Trial[];
  readonly columns: ReadonlyMap<string, TrialColumn>;
  /** Of a mean: the deviation of the seeds around it, row by row. Empty where every row is a run. */
  readonly deviations: ReadonlyMap<string, Float64Array>;
  /** Of a mean: how many runs have NaN or an infinity, which is not in it. */
  readonly leftOut: ReadonlyMap<string, readonly number[]>;
}

export const NO_TRIALS: Trials = { rows: [], columns: new Map(), deviations: new Map(), leftOut: new Map() };

export function eachRun(runs: readonly string[], wires: readonly WireColumn[]): Trials {
  return {
    rows: runs.map((run) => ({ key: run, runs: [run] })),
    columns: new Map(wires.map((wire) => [wire.id, columnOf(wire)])),
    deviations: new Map(),
    leftOut: new Map(),
  };
}

/** Groups by the columns in `by`; numbers become means, words stay where all agree. */
export function averaged(runs: readonly string[], wires: readonly WireColumn[], by: ReadonlySet<string>): Trials {
  const keys = wires.filter(({ id }) => by.has(id));
  const groups = new Map<string, number[]>();
  runs.forEach((_, row) => {
    const key = JSON.stringify(keys.map(({ values }) => wordOf(values[row] ?? null)));
    const rows = groups.get(key);
    if (rows) rows.push(row);
    else groups.set(key, [row]);
  });
  const members = [...groups.values()];
  const deviations = new Map<string, Float64Array>();
  const leftOut = new Map<string, readonly number[]>();
  const columns = wires.map((wire): [string, TrialColumn] => {
    if (by.has(wire.id) || !isNumeric(wire.type))
      return [wire.id, columnOf({ ...wire, values: members.map((rows) => agreed(wire.values, rows)) })];
    const means = members.map((rows) => meanOf(wire.values, rows));
    deviations.set(
      wire.id,
      Float64Array.from(means, ({ deviation }) => deviation),
    );
    leftOut.set(
      wire.id,
      means.map((one) => one.leftOut),
    );
    return [wire.id, columnOf({ ...wire, values: means.map(({ mean }) => mean) })];
  });
  const rows = members.map((group) => ({ key: runs[group[0]!]!, runs: group.map((row) => runs[row]!) }));
  return { rows, columns: new Map(columns), deviations, leftOut };
}

function agreed(values: readonly Cell[], rows: readonly number[]): Cell {
  const first = values[rows[0]!] ?? null;
  const word = wordOf(first);
  return rows.every((row) => wordOf(values[row] ?? null) === word) ? first : null;
}

/** As /api/groups has it: NaN and infinities are left out, and it is said how many; a run without a value does not count. */
function meanOf(values: readonly Cell[], rows: readonly number[]): { mean: Cell; deviation: number; leftOut: number } {
  const given = rows.flatMap((row) => (values[row] === null || values[row] === undefined ? [] : Number(values[row])));
  const numbers = given.filter(Number.isFinite);
  const leftOut = given.length - numbers.length;
  if (numbers.length === 0) return { mean: given.length === 0 ? null : "NaN", deviation: NaN, leftOut };
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  return { mean, deviation: numbers.length < 2 ? NaN : Math.sqrt(squares / (numbers.length - 1)), leftOut };
}

/** The rows for which `keep` is 1, in their order. */
export function rowsOf(keep: Uint8Array): number[] {
  const rows: number[] = [];
  keep.forEach((one, row) => one === 1 && rows.push(row));
  return rows;
}

export interface SortKey {
  readonly id: string;
  readonly descending: boolean;
}

/** By several columns; what has no value comes last both ways, then NaN and the infinities before it. */
export function sortRows(
  rows: readonly number[],
  trials: Trials,
  keys: readonly SortKey[],
  nameOf: (row: number) => string,
): number[] {
  const columns = keys.flatMap(({ id, descending }) => {
    const column = trials.columns.get(id);
    return column ? [{ column, sign: descending ? -1 : 1 }] : [];
  });
  const byName = keys.find(({ id }) => id === "run:name");
  return [...rows].sort((a, b) => {
    for (const {
      column: { numbers, states },
      sign,
    } of columns) {
      const [left, right] = [rankOfState(states[a]!), rankOfState(states[b]!)];
      if (left !== right) return left - right;
      if (left === 0 && numbers[a] !== numbers[b]) return sign * (numbers[a]! - numbers[b]!);
    }
    return byName ? (byName.descending ? -1 : 1) * tagNames.compare(nameOf(a), nameOf(b)) : a - b;
  });
}

const rankOfState = (state: number): number => (state === BLANK ? 2 : state);
