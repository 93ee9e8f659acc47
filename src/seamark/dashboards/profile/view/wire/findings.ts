/** Findings, and the texts of their rules. */

/** The slices that prove a finding: the longest ones, and how many there are. */
export interface Evidence {
  readonly count: number;
  readonly slices: readonly number[];
  /** the window that shows them */
  readonly start_ns: number;
  readonly end_ns: number;
}

export interface Finding {
  /** "input_bound" */
  readonly code: string;
  /** one sentence */
  readonly text: string;
  /** what to change */
  readonly advice: string;
  /** share of the mean step, between 0 and 1 */
  readonly gain: number;
  /** for each step */
  readonly gain_ns: number;
  /** why this gain */
  readonly formula: string;
  readonly evidence: Evidence;
}

export interface Findings {
  /** largest gain first */
  readonly findings: readonly Finding[];
  /** rules */
  readonly checked: number;
  /** rules that this trace has no data for */
  readonly skipped: readonly string[];
  /** Other ranks that were not read for it, because that takes long. */
  readonly unread_ranks: number;
  readonly unread_bytes: number;
}

export interface RuleText {
  readonly code: string;
  readonly looks_for: string;
  /** "3 %" of the mean step, or "10 MB" */
  readonly threshold: string;
}

export interface Rules {
  readonly rules: readonly RuleText[];
}
