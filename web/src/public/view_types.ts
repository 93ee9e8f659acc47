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
  /** Grows when that series gets new data. Compare it in a listener of `subscribe` to know when to request again. */
  revisionOf(kind: string, tag: string): number;
  /** Draws this run on top on every tab and dims the others; null dims none. */
  setFocus(run: string | null): void;
  /** The dashboard's own state in the page's address, so that a copied link shows the same. */
  readonly url: UrlParams;
  /** What the dashboard saves on the server for this log directory. */
  readonly saved: SavedState;
  /** The address of another tab with the state that all tabs share; `parameters` are added, undefined removes one. */
  linkTo(tab: string, parameters?: Readonly<Record<string, string | undefined>>): string;
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
  /** In seconds since 1970; null before the first point. */
  readonly first_wall: number | null;
  readonly last_wall: number | null;
  readonly points: number;
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
}

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
  readonly series: readonly (TagSeries | Line)[];
  /** Default: the setting. "metric" is any other number; it is for charts without series of a tag. */
  readonly axis?: Axis | "metric";
  /** Of series of a tag. Default: the setting. */
  readonly smoothing?: Smoothing;
  /** Default: the setting. */
  readonly xScale?: ScaleKind;
  readonly yScale?: ScaleKind;
  /** Why there is nothing to see, if there is nothing. */
  readonly empty?: string;
  /** Why the lines are out of date or missing. */
  readonly error?: string;
  /** A click on a line puts its run in focus, and calls this. */
  readonly onPick?: (key: string) => void;
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
  /** NaN and infinities in y are marked. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
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

export interface RequestOptions {
  /** Sent as JSON by POST. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface ColumnBlock {
  readonly header: Readonly<Record<string, unknown>>;
  readonly columns: Readonly<Record<string, ArrayLike<number>>>;
}
