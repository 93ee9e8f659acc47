/** Distributed: the ranks of a capture. */

/** Times are of an average step; without steps, of the whole trace. */
export interface RankRow {
  /** "rank 0" */
  readonly host: string;
  /** which file */
  readonly capture_host: string;
  readonly steps: number;
  readonly step_ns: number;
  readonly compute_ns: number;
  readonly communication_ns: number;
  /** communication while the rank computes */
  readonly overlap_ns: number;
  /** the rest of the communication */
  readonly exposed_ns: number;
  /** in collectives, for the last rank; null: no other rank to compare with */
  readonly wait_ns: number | null;
  /** no computation, communication or copy */
  readonly idle_ns: number;
  /** of the waiting in collectives: while this rank is the last to arrive */
  readonly awaited_share: number | null;
  /** its clock is ahead of the first rank's by this */
  readonly clock_offset_ns: number | null;
  readonly is_straggler: boolean;
}

/** One step of a rank on the clock of the first rank. */
export interface RankLane {
  readonly host: string;
  readonly capture_host: string;
  /** relative to the window */
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  readonly activities: readonly number[];
  /** -1: several */
  readonly slices: readonly number[];
}

/** Of all ranks. */
export interface CollectiveRow {
  /** "all_reduce" */
  readonly name: string;
  /** "2 ranks"; "": not known */
  readonly group: string;
  readonly calls: number;
  readonly total_ns: number;
  readonly mean_ns: number;
  /** of all messages */
  readonly bytes: number | null;
  /** bytes a second while the collective runs */
  readonly bandwidth: number | null;
  readonly longest: number;
}

export interface Distributed {
  readonly ranks: readonly RankRow[];
  readonly collectives: readonly CollectiveRow[];
  readonly notes: readonly string[];
  readonly lanes: readonly RankLane[];
  /** the step that the lanes show */
  readonly window_name: string;
  readonly window_ns: number;
  /** in the trace of the first rank */
  readonly window_start_ns: number;
}
