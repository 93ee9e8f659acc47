/** The operators with most time, as a table shows them. */

import { percentText, timeText } from "../numbers";
import { activityLabel, activityStyle } from "../parts";
import { ACTIVITY, type OperatorRow, type Operators } from "../wire";

export interface TopOperator {
  readonly name: string;
  readonly colour: string;
  readonly activity: string;
  readonly self: string;
  /** Between 0 and 1 of the first row: the length of its bar. */
  readonly bar: number;
  readonly share: string;
  readonly hostSelf: string;
  readonly calls: number;
  readonly mean: string;
  readonly tensorCores: "yes" | "no" | "n/a";
}

export interface TopOperators {
  /** Without a device the host's time counts. */
  readonly hasDevice: boolean;
  /** A trace of plain Python has its functions instead of operators. */
  readonly noun: "operator" | "function";
  readonly rows: readonly TopOperator[];
}

export function topOperators(operators: Operators, count: number): TopOperators {
  const hasDevice = operators.total_device_ns !== null;
  const selfOf = (row: OperatorRow): number => (hasDevice ? (row.device_self_ns ?? 0) : row.self_ns);
  const total = hasDevice ? operators.total_device_ns! : operators.total_self_ns;
  const sorted = operators.rows.toSorted((a, b) => selfOf(b) - selfOf(a)).slice(0, count);
  const most = Math.max(1, sorted[0] ? selfOf(sorted[0]) : 1);
  return {
    hasDevice,
    noun: isPython(operators.rows) ? "function" : "operator",
    rows: sorted.filter((row) => selfOf(row) > 0).map((row) => rowOf(row, selfOf(row), total, most)),
  };
}

function rowOf(row: OperatorRow, self: number, total: number, most: number): TopOperator {
  return {
    name: row.name,
    colour: activityStyle(row.activity).colour,
    activity: activityLabel(row.activity),
    self: timeText(self),
    bar: self / most,
    share: total > 0 ? percentText(self / total) : "n/a",
    hostSelf: timeText(row.self_ns),
    calls: row.calls,
    mean: row.calls > 0 ? timeText(self / row.calls) : "n/a",
    tensorCores: row.tensor_cores === null ? "n/a" : row.tensor_cores ? "yes" : "no",
  };
}

const isPython = (rows: readonly OperatorRow[]): boolean =>
  rows.length > 0 && rows.every(({ activity }) => activity === ACTIVITY.PYTHON);
