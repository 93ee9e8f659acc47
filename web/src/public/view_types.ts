/**
 * The types of the interface for views of other packages. The build publishes them as seamark-plugin.d.ts, so they use
 * no type of another file; the compiler checks that the page's own types fit. docs/dashboards.md is the tutorial.
 */

/** The default export of a view's module. */
export interface View {
  /** Draws into `element`, which is empty. Returns a function that removes everything again. */
  mount(element: HTMLElement, context: ViewContext): (() => void) | void;
}

/** Everything that a view reads from the page and changes in it. */
export interface ViewContext {
  readonly apiVersion: number;
  /** The name of the dashboard. */
  readonly name: string;
  /** The page's state now. */
  get(): Snapshot;
  /** Calls `listener` after every change of the state or of the address. Returns an unsubscribe function. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
  /** The address of one of the dashboard's own routes; a list is a parameter that is repeated. */
  address(path: string, parameters?: RouteParameters): string;
  /** The address of a route of the server, such as "table" (docs/http.md). */
  apiAddress(path: string, parameters?: RouteParameters): string;
  /** What a run was started with, by names joined with dots. Of many runs at once, request the columns of "table". */
  loadConfig(run: string, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Grows when that series gets new data. Compare it in a listener of `subscribe` to know when to request again. */
  revisionOf(kind: string, tag: string): number;
  /** Draws this run on top on every tab and dims the others; null dims none. */
  setFocus(run: string | null): void;
  /** Shows a run or a point of a series in the details panel; null closes it. */
  select(item: SelectedItem | null): void;
  /** The dashboard's own state in the page's address, so that a copied link shows the same. */
  readonly url: UrlParams;
  /** What the dashboard saves on the server for this log directory. */
  readonly saved: SavedState;
  /** The address of another tab with the state that all tabs share; `parameters` are added, undefined removes one. */
  linkTo(tab: string, parameters?: Readonly<Record<string, string | undefined>>): string;
  /** The address of the page of a run. */
  linkToRun(run: string): string;
  /** Adds an entry to the palette and to the list of keys. Returns a function that removes it. */
  command(entry: Command): () => void;
}

export type RouteParameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Snapshot {
  readonly runs: readonly Run[];
  /** The names of the runs to draw, in the order of the runs table. */
  readonly shown: readonly string[];
  /** By the name of the run. */
  readonly styles: Readonly<Record<string, RunStyle>>;
  /** The run to draw on top, if any. */
  readonly focused: string | null;
  /** What the details panel shows. */
  readonly selected: SelectedItem | null;
  /** By kind: "scalars", "images" … */
  readonly tags: Readonly<Record<string, readonly TagEntry[]>>;
  readonly settings: Settings;
  readonly theme: "light" | "dark";
  /** Whether changes arrive from the server. */
  readonly connected: boolean;
  /** When the last change arrived, in milliseconds of this browser's clock; 0 before the first. */
  readonly changedAt: number;
}

export interface Run {
  readonly name: string;
  /** When its first file was begun, in seconds since 1970; null before that. A tag may begin much later. */
  readonly first_wall: number | null;
  /** Of its newest point. */
  readonly last_wall: number | null;
  readonly points: number;
  /** "running", "finished", "crashed" … as in the table of runs; null until the server has worked it out. */
  readonly status: string | null;
}

/** A "run", or a "point" of it: then with `tag` and `step`. */
export interface SelectedItem {
  readonly type: string;
  readonly run?: string;
  readonly tag?: string;
  readonly step?: number;
}

export interface RunStyle {
  /** As CSS takes it. */
  readonly colour: string;
  readonly dashed: boolean;
  /** The name to show. */
  readonly label: string;
  /** Being written now. */
  readonly live: boolean;
}

export interface TagEntry {
  readonly tag: string;
  /** The runs that have it. */
  readonly runs: readonly string[];
}

/** The moving average of curves. */
export interface Smoothing {
  /**
   * "fixed": TensorBoard's weight, 0 to 0.999. "adaptive": the half-life as a share of the visible range, 0 to 0.5.
   * With 0, values are as logged.
   */
  readonly weight: number;
  readonly mode: "fixed" | "adaptive";
}

/** The settings that all dashboards share. */
export interface Settings {
  readonly smoothing: Smoothing;
  readonly axis: Axis;
  readonly tagFilter: string;
  readonly xScale: ScaleKind;
  readonly yScale: ScaleKind;
  /** Fit y to the bulk of the values. */
  readonly clipOutliers: boolean;
  /** What a restart replaced: left out, drawn as attempts of their own, or dimmed and marked. */
  readonly attempts: "latest" | "all" | "marked";
  /** Zooming one chart zooms all. */
  readonly linkedZoom: boolean;
  /** One line per group of runs: "" is off, "folder", "regex:…" or "columns:…". */
  readonly groupBy: string;
}

/** "relative": seconds since the first point of the tag in the run. "wall": seconds since 1970. */
export type Axis = "step" | "relative" | "wall";
export type ScaleKind = "linear" | "log" | "symlog";

export interface UrlParams {
  get(name: string): string | undefined;
  /** undefined removes the parameter; `push` makes an entry in the browser's history. */
  set(name: string, value: string | undefined, options?: { readonly push?: boolean }): void;
}

export interface SavedState {
  /** What was saved, by whatever version of the dashboard: validate it. undefined if nothing was. */
  load(): Promise<unknown>;
  /** Merges a change (null removes, lists are replaced) and returns what is saved now. */
  patch(change: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Saves a text that is too long for an address; returns the id that it is found by. */
  saveText(text: string): Promise<string>;
  /** Fails if the text is not there any more. */
  loadText(id: string, signal?: AbortSignal): Promise<string>;
}

export interface Command {
  readonly title: string;
  /** As pressed: "p", "Shift+F", "[". */
  readonly keys?: string;
  run(): void;
}

/** A chart of lines. It fills its element, at least 200 pixels high. */
export interface ChartSpec {
  /** Read out in place of the picture. */
  readonly label: string;
  /** Above the chart. */
  readonly title?: string;
  /** What the axes show. */
  readonly xLabel?: string;
  readonly yLabel?: string;
  readonly series: readonly (TagSeries | Line)[];
  /**
   * Default: the setting; "step" if a line has no `wall`. "metric" is any other number; it is for charts without series
   * of a tag.
   */
  readonly axis?: Axis | "metric";
  /** Of series of a tag. Default: the setting. */
  readonly smoothing?: Smoothing;
  /** Default: the setting. */
  readonly xScale?: ScaleKind;
  readonly yScale?: ScaleKind;
  /** Fit y to the bulk of the values; what is outside is counted at the edge. Default: the setting. */
  readonly clipOutliers?: boolean;
  /** What is visible, if the view decides it: to zoom charts together, or to have the zoom in the address. */
  readonly limits?: Limits;
  /** A person zoomed. With `limits`, put the new ones there. */
  readonly onZoom?: (limits: Limits) => void;
  /** Why there is nothing to see, if there is nothing. */
  readonly empty?: string;
  /** Why the lines are out of date or missing. */
  readonly error?: string;
  /** A click on a line puts its run in focus, and calls this. */
  readonly onPick?: (key: string) => void;
}

/** The visible part of each axis, in its units; null is everything. */
export interface Limits {
  readonly x: Range | null;
  readonly y: Range | null;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A scalar tag: one line for each shown run. The chart requests the points and stays up to date. */
export interface TagSeries {
  readonly tag: string;
  /** Only these runs, as far as they are shown. */
  readonly runs?: readonly string[];
}

/** A line that the view computed. */
export interface Line {
  readonly key: string;
  /** Steps, if the line has `wall`; else in the unit of the chart's axis. */
  readonly x: ArrayLike<number>;
  /** NaN and infinities are marked. */
  readonly y: ArrayLike<number>;
  /** When each point was logged, in seconds since 1970: with it, the line is right on every axis. */
  readonly wall?: ArrayLike<number>;
  /** Where relative time begins: when the first point of the tag was logged. Default: the first of `wall`. */
  readonly began?: number;
  /** Fills what is between them, such as mean ± deviation. */
  readonly band?: { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> };
  /** The line has this run's colour and name, and is shown and in focus with it. Default: the run that `key` names. */
  readonly run?: string;
  readonly name?: string;
  /** "#rrggbb", or a design token such as "--run-1". */
  readonly colour?: string;
  readonly dashed?: boolean;
}

export interface Chart {
  /** Draws another spec in the same chart; the zoom stays. */
  update(spec: ChartSpec): void;
  destroy(): void;
}

/** A table. It fills its element, and is as high as its first rows if the element has no height. */
export interface TableSpec {
  /** Read out. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The heading of the first column, which has the names of the rows. Default: "Run". */
  readonly nameTitle?: string;
  /** The order where the address has none: the id of a column, or "name"; "-noise" is from high to low. */
  readonly sort?: string;
  /** The parameter of the address that has the order; each table of a view needs its own. Default: "sort". */
  readonly sortParameter?: string;
  /** In place of rows. */
  readonly empty?: string;
  /** A click on a row puts its run in focus, and calls this. A double click shows the run's details. */
  readonly onPick?: (key: string) => void;
}

export interface TableColumn {
  /** Of letters, digits, "_" and "/"; "name" is taken. */
  readonly id: string;
  readonly title: string;
  /** Numbers are aligned at the right. "time": seconds since 1970; "duration": seconds. Default: "number". */
  readonly type?: "number" | "text" | "bool" | "time" | "duration";
  /** Shown when the pointer is over the heading. */
  readonly hint?: string;
  readonly widthPx?: number;
  /** Shows values at a glance: as bars, or as tints with the better end darker. */
  readonly look?: "plain" | "bar" | "colour";
  readonly goal?: "min" | "max";
}

export interface TableRow {
  readonly key: string;
  /** By the id of the column; what is missing or null is blank. */
  readonly cells: Readonly<Record<string, number | string | boolean | null>>;
  /** The row has this run's colour and name, and is marked if it is hidden or in focus. Default: the run that `key` names. */
  readonly run?: string;
  readonly name?: string;
}

export interface Table {
  /** Shows another spec in the same table; the order and the scroll position stay. */
  update(spec: TableSpec): void;
  destroy(): void;
}

export interface RequestOptions {
  /** Sent as JSON by POST. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface ColumnBlock {
  readonly header: Readonly<Record<string, unknown>>;
  readonly columns: Readonly<Record<string, ArrayLike<number>>>;
}
