/**
 * The contract of a dashboard's view. A view is a Svelte component that gets one prop, `context`, and imports from
 * "$public/…" only; view_types.ts is the contract for views of other packages. docs/built-in-dashboards.md is the tutorial.
 */

import type { Component, Snippet } from "svelte";
import type { Smoothing } from "../base/smoothing";
import type { Axis, Counts, Problem, Run, TagEntry } from "../data/api";
import type { Command, RouteParameters, SavedState, UrlParams } from "./view_types";

/** What the server and the page are asked for and answer with, as in `seamark-plugin.d.ts`. */
export type { Axis, Command, Counts, Problem, RouteParameters, Run, SavedState, TagEntry, UrlParams };

/** What the server knows. Every property is reactive. */
export interface Catalogue {
  readonly runs: readonly Run[];
  /** The kinds that have data: "scalars", "images" … */
  readonly kinds: readonly string[];
  tags(kind: string): readonly TagEntry[];
  readonly progress: Counts | null;
  readonly problems: readonly Problem[];
  readonly connected: boolean;
  /** The lists hold all that there is: the first reading has ended. */
  readonly isComplete: boolean;
  /** When the last change came, in milliseconds of this browser's clock; 0 when none has come. */
  readonly changedAt: number;
}

/** How a run is drawn and called. */
export interface RunStyle {
  /** A design token such as "--run-1", or a colour "#rrggbb". */
  readonly token: string;
  /** The same as CSS takes it. */
  readonly colour: string;
  readonly dashed: boolean;
  /** The name to show: given by a person, or the run's own without what all runs share. */
  readonly label: string;
  /** Being written now. */
  readonly live: boolean;
}

/** The runs as the table on the left has them. Every property is reactive. */
export interface RunsView {
  /** What is to be drawn, in the table's order: runs, each with the folders that are part of it. */
  readonly shown: readonly string[];
  /** The runs among them. */
  readonly shownRows: readonly string[];
  /** The run that a folder of `add_scalars` or `add_hparams` is part of; every other run itself. */
  rowOf(run: string): string;
  /** The key of `add_scalars` whose curve is in this folder, or "". */
  curveOf(run: string): string;
  isShown(run: string): boolean;
  styleOf(run: string): RunStyle;
  /** As in the table of all runs; undefined until the server has worked it out. */
  statusOf(run: string): string | undefined;
  /** Drawn on top with its folders while all others are dimmed. */
  readonly focused: string | null;
  setFocus(run: string | null): void;
  /** The group a run is coloured by, or null when every run has a colour of its own. */
  groupOf(run: string): string | null;
  /** Makes these runs visible again: unfilters and checks them. */
  show(runs: readonly string[]): void;
  /** Checks these runs, or takes their checks away; all others stay as they are. */
  check(runs: readonly string[], wanted: boolean): void;
  /** Shows these and no others; null shows all again. Asked twice, it does the same twice. */
  limitTo(runs: readonly string[] | null): void;
  /** What stands in the filter of runs: a part of a name, a regular expression or a query. May be assigned. */
  query: string;
  /** Runs by the columns that `settings.groupBy` names as "columns:…". */
  readonly columnGroups: RunGroups;
}

/** Runs that have the same values in some columns. Every property is reactive. */
export interface RunGroups {
  /** The group's name, such as "lr 0.001 · adam"; undefined until the columns have come, and for runs that have none of them. */
  groupOf(run: string): string | undefined;
  /** A group's index among all of them, which gives it its colour. */
  placeOf(group: string): number;
  readonly error: string;
}

/** The order of a tooltip's rows. */
export type TooltipSort = "nearest" | "ascending" | "descending" | "name";
/** The scale of an axis. */
export type ScalePreference = "linear" | "log" | "symlog";

/** Settings that all dashboards share, in the address. Every property is reactive and may be assigned. */
export interface SharedSettings {
  smoothing: Smoothing;
  axis: Axis;
  tagFilter: string;
  tooltipSort: TooltipSort;
  /** Columns of cards; 0 is as many as fit. */
  columns: number;
  /** Fit y to the bulk of the values. */
  clipOutliers: boolean;
  /** What a restart replaced: left out, drawn as attempts of their own, or dimmed and marked. */
  attempts: "latest" | "all" | "marked";
  xScale: ScalePreference;
  yScale: ScalePreference;
  /** Zooming one chart zooms all. */
  linkedZoom: boolean;
  /** The tooltip follows the pointer instead of standing below its card. */
  tooltipFollows: boolean;
  /** One line per group of runs, with a band: "" is off, "folder", "regex:…" or "columns:…" with ids as in the runs table. */
  groupBy: string;
  groupBand: "deviation" | "range" | "confidence";
  /** The folders that `add_scalars` and `add_hparams` make are runs of their own, as in TensorBoard. */
  foldersAsRuns: boolean;
  /** Cards kept on top. */
  pins: readonly Pin[];
}

/** A pinned card, as TensorBoard writes it into `?pinnedCards=`. */
export interface Pin {
  readonly plugin: string;
  readonly tag: string;
  readonly runId?: string;
  readonly sample?: number;
}

/** The crosshair that cards share, in units of the x axis. */
export interface SharedCursor {
  x: number | null;
}

/** One thing on the page that a person selected. The shell draws a "run" and a "point" (run, tag and step). */
export interface SelectedItem {
  readonly type: string;
  readonly run?: string;
  readonly tag?: string;
  readonly step?: number;
  /** Names an item of a dashboard's own type. */
  readonly id?: string;
}

/** What the details panel shows of items of one type. */
export interface Details {
  readonly type: string;
  title(item: SelectedItem): string;
  /** One line for a phone, where the details are a strip with it until somebody opens them. Default: they are open. */
  summary?(item: SelectedItem): string;
  readonly body: Snippet<[SelectedItem]>;
}

/** The one selection of the page. It is in the address, and the details panel shows it. */
export interface Selection {
  /** Reactive; null when nothing is selected. */
  readonly item: SelectedItem | null;
  select(item: SelectedItem | null): void;
  /** For a type of the dashboard's own, while its view is active. Returns a function that removes the details. */
  addDetails(details: Details): () => void;
}

/** What somebody wrote about a step, or a range of steps, of a run in a chart. */
export interface Annotation {
  readonly id: string;
  readonly run: string;
  readonly from: number;
  readonly to: number;
  /** Who, and how it begins. */
  readonly label: string;
}

/** What people wrote about charts. Every property is reactive. */
export interface Annotations {
  /** Those of a scalar, of all runs. */
  of(tag: string): readonly Annotation[];
  readonly canAdd: boolean;
  /** Shows the form for a new one. */
  add(place: { readonly run: string; readonly tag: string; readonly from?: number; readonly to?: number }): void;
  open(id: string): void;
}

/** Everything that a view reads from the page and changes in it. */
export interface DashboardContext {
  readonly name: string;
  /**
   * Reactive; false while another tab is shown. A view stays mounted then, within limits: its effects run once more to
   * react to this, and are paused until it is shown again. Listeners on the window and players must check it.
   */
  readonly isActive: boolean;
  readonly catalogue: Catalogue;
  /** Reactive; grows when that series got new data. */
  revisionOf(kind: string, tag: string): number;
  readonly runs: RunsView;
  readonly settings: SharedSettings;
  /** The dashboard's own state in the address, under its own name. */
  readonly url: UrlParams;
  /** What the dashboard saves on the server for this log directory. */
  readonly saved: SavedState;
  /** The address of one of the dashboard's own routes; a list is a parameter that is repeated. */
  address(path: string, parameters?: RouteParameters): string;
  /** The address of another tab with the state that all tabs share; `parameters` are added, undefined removes one. */
  linkTo(tab: string, parameters?: Readonly<Record<string, string | undefined>>): string;
  readonly theme: "light" | "dark";
  readonly cursor: SharedCursor;
  readonly selection: Selection;
  /** Reactive; false in a published site, and on a team server for those who may look, but change nothing that others see. */
  readonly canChange: boolean;
  /** False in a published site: there is no server that opens files or computes anything anew. */
  readonly hasServer: boolean;
  /** On a team server, for those who may see them; else null. */
  readonly annotations: Annotations | null;
  /** What draws one tag of a kind as a card, if a dashboard of this page brings it. */
  cardOf(kind: string): CardLoader | undefined;
  /** In the palette and under its keys until the returned function is called. */
  command(entry: Command): () => void;
}

/**
 * The props of a card on Time series: one tag over all shown runs. Time series draws the frame with the tag and the pin,
 * and mounts the card near the screen only. The card fills the width, has its own height, and requests nothing before it
 * is mounted. Its `context` is that of Time series, with its own parameters in the address.
 */
export interface CardProps {
  readonly context: DashboardContext;
  readonly tag: string;
  /** It has the whole screen: then it is as high as its parent. */
  readonly full?: boolean;
}

/** Loads the component of a card. */
export type CardLoader = () => Promise<{ default: Component<CardProps> }>;

/** What `view/index.ts` exports. */
export interface DashboardView {
  readonly name: string;
  readonly view: () => Promise<{ default: Component<{ context: DashboardContext }> }>;
  /** It has a table of runs itself: the list on the left makes room. */
  readonly ownsRuns?: boolean;
  /** Addresses that it requests first, by GET. A page whose address names the view requests them as it opens. */
  readonly preloads?: readonly string[];
  /** Its kind on Time series. */
  readonly card?: { readonly kind: string; readonly view: CardLoader };
}

/** Declares a dashboard's view. */
export const defineDashboard = (view: DashboardView): DashboardView => view;
