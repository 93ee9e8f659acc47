/** Roofline. */

export interface RooflineRow {
  readonly name: string;
  readonly category: string;
  readonly calls: number;
  readonly self_ns: number;
  /** of all calls */
  readonly flops: number;
  readonly bytes: number;
  /** a second */
  readonly flop_rate: number;
  /** flops for each byte */
  readonly intensity: number;
  readonly bound: "compute" | "memory" | "unknown";
}

export interface Roofline {
  readonly rows: readonly RooflineRow[];
  readonly peak_flop_rate: number | null;
  readonly peak_bandwidth: number | null;
  /** of a data sheet: no program reaches them */
  readonly are_peaks_nominal: boolean;
  readonly notes: readonly string[];
  /** where the limits come from, or that there are none */
  readonly peaks_note: string;
}
