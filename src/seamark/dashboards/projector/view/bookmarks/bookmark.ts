/** Bookmark: one view of an embedding, as this page saves it. */

export interface BookmarkFilter {
  readonly type: "isolate" | "hide";
  readonly rows: readonly number[];
}

/** TensorBoard's camera: points lie in a cube around the origin. */
export interface TensorBoardCamera {
  readonly position: readonly number[];
  readonly target: readonly number[];
  readonly zoom: number;
}

export interface Bookmark {
  readonly label: string;
  /** Of the page's address. Without `name` it belongs to any embedding. */
  readonly params: Readonly<Record<string, string>>;
  readonly selected: readonly number[];
  readonly filters: readonly BookmarkFilter[];
  /** Only of a file by TensorBoard: that of this page is one of the parameters. */
  readonly camera?: TensorBoardCamera;
}

/** More rows than this are not saved with a bookmark. */
export const MAX_BOOKMARK_ROWS = 20_000;

/** What was saved or read from a file, which may be anything; null if it is no bookmark. */
export function bookmarkOf(value: unknown): Bookmark | null {
  if (!isRecord(value) || !isRecord(value.params) || typeof value.label !== "string") return null;
  return {
    label: value.label,
    params: Object.fromEntries(
      Object.entries(value.params).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
    selected: rowsOf(value.selected),
    filters: Array.isArray(value.filters) ? value.filters.flatMap(filterOf) : [],
  };
}

function filterOf(value: unknown): BookmarkFilter[] {
  if (!isRecord(value) || (value.type !== "isolate" && value.type !== "hide")) return [];
  return [{ type: value.type, rows: rowsOf(value.rows) }];
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const rowsOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((row): row is number => Number.isInteger(row) && row >= 0) : [];
