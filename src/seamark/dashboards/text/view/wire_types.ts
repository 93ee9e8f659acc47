// What the server sends and takes: written by tools/page_types.py from the server's structs.

/** @description `rows` is the text as logged, one cell if it is a single string; `size` the bytes of all of it. */
export interface EntryResponse {
  readonly rows: readonly (readonly string[])[];
  readonly is_table: boolean;
  readonly html: string;
  readonly size: number;
  readonly is_cut: boolean;
  readonly note: string;
}
export interface SearchParameters {
  /**
   * @description Words that all have to occur; a phrase in double quotes counts as one.
   * @default
   */
  readonly q?: string;
  /**
   * @description Only these runs; repeat it for several.
   * @default []
   */
  readonly run?: readonly string[];
  /**
   * @description `next` of the response before this one.
   * @default null
   */
  readonly from?: string | null;
  /**
   * @description At most so many matches.
   * @default 100
   */
  readonly limit?: number;
}
/** @description `next` continues the search; null means that no texts are left. `unread` counts texts that cannot be read. */
export interface SearchResponse {
  readonly matches: readonly Record<string, unknown>[];
  readonly searched: number;
  readonly unread: number;
  readonly next: string | null;
}
export interface TextParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The tag. */
  readonly tag: string;
  /** @description The payload, as /api/payloads numbers them. */
  readonly index: number;
}
