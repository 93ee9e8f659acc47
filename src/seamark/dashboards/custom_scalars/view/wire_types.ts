// What the server sends and takes: written by tools/page_types.py from the server's structs.

/** @description A run whose layout cannot be read. */
export interface LayoutProblem {
  readonly run: string;
  readonly error: string;
}
/** @description `version` and `category` are as in TensorBoard's layout message. */
export interface LayoutResponse {
  readonly version: number;
  readonly category: readonly Record<string, unknown>[];
  readonly problems: readonly LayoutProblem[];
}
export interface MatchBody {
  /** @description Regular expressions. */
  readonly patterns: readonly string[];
}
/** @description In the order of the patterns. */
export interface MatchResponse {
  readonly matches: readonly PatternMatch[];
}
/** @description The tags that a pattern matches, sorted; or why it matches none. */
export interface PatternMatch {
  readonly tags?: readonly string[];
  readonly error?: string;
}
