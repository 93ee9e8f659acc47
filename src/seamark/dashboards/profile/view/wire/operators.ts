/** Operators. */

export interface OperatorRow {
  readonly name: string;
  /** Activity of most of its device time; of the host without a device */
  readonly activity: number;
  readonly calls: number;
  readonly self_ns: number;
  readonly total_ns: number;
  readonly device_self_ns: number | null;
  readonly device_total_ns: number | null;
  /** None: no kernel that could use them */
  readonly tensor_cores: boolean | null;
  /** when grouped by shapes */
  readonly shapes: string;
  /** slice */
  readonly longest: number;
}

export interface Operators {
  readonly rows: readonly OperatorRow[];
  readonly group: "name" | "shapes";
  readonly total_self_ns: number;
  readonly total_device_ns: number | null;
  /** there are more rows, with less time */
  readonly is_cut: boolean;
}
