/** GraphModel: which graph is shown, which groups are open, what is selected, and how boxes are coloured. */

import { createContext } from "svelte";
import { Resource, format, parseJson, type DashboardContext } from "$public/core";
import { GraphRequests, type DetailsSpec, type GraphList } from "./load";
import { LayersPanel } from "./panels/layers/panel.svelte";
import {
  baselineOf,
  checkUpload,
  chooseGraph,
  idList,
  parentIdOf,
  profileOf,
  refText,
  stacked,
  unstackedAround,
  withOpen,
} from "./model";
import type { BoxDetails, GraphEntry, GraphRef, Overlay, OverlayRequest, ViewRequest, VisibleGraph } from "./wire";

export const DETAILS_TYPE = "graph_node";
const DEFAULT_COLOUR = "structure";
/** Only beside a baseline. */
const CHANGE_COLOUR = "change";
const DEFAULT_HOPS = 6;

export type Direction = "inputs" | "outputs";

/** Boxes to highlight, with their distance from the selected one. */
export interface Trace {
  readonly direction: Direction | "path";
  readonly hops: Readonly<Record<string, number>>;
}

interface TraceSpec {
  readonly view: ViewRequest;
  readonly id: string;
  readonly direction: Direction | "path";
  readonly hops: number;
  readonly to: string;
}

export class GraphModel {
  readonly requests: GraphRequests;
  readonly layersPanel = new LayersPanel();
  readonly #list: Resource<null, GraphList>;
  readonly #view: Resource<ViewRequest, VisibleGraph>;
  readonly #overlay: Resource<OverlayRequest, Overlay>;
  readonly #details: Resource<DetailsSpec, BoxDetails>;
  readonly #trace: Resource<TraceSpec, Trace>;

  constructor(readonly context: DashboardContext) {
    this.requests = new GraphRequests(context);
    this.#list = new Resource((_, signal) => this.requests.list(signal), { pauseMs: 1000 });
    this.#view = new Resource((request, signal) => this.requests.view(request, signal));
    this.#overlay = new Resource((request, signal) => this.requests.overlay(request, signal));
    this.#details = new Resource((spec, signal) => this.requests.details(spec, signal));
    this.#trace = new Resource((spec, signal) => this.#fetchTrace(spec, signal));
    $effect(() => {
      void context.catalogue.changedAt;
      this.#list.load(null, `${context.catalogue.runs.length} ${revisions(context)}`);
    });
    $effect(() => {
      if (this.request) this.#view.load(this.request, this.revision);
    });
    $effect(() => {
      if (this.#overlayRequest) this.#overlay.load(this.#overlayRequest, this.revision);
    });
    $effect(() => {
      if (this.#detailsSpec) this.#details.load(this.#detailsSpec, this.revision);
    });
    $effect(() => {
      if (this.#traceSpec) this.#trace.load(this.#traceSpec);
    });
  }

  // Which graph

  readonly graphs = $derived.by((): readonly GraphEntry[] => this.#list.value?.graphs ?? []);
  readonly isListed = $derived.by(() => this.#list.value !== null || this.#list.error !== "");
  readonly listError = $derived.by(() => this.#list.error);
  readonly #beganAt = $derived.by(
    () => new Map(this.context.catalogue.runs.map(({ name, first_wall }) => [name, first_wall])),
  );
  readonly entry = $derived.by((): GraphEntry | null =>
    chooseGraph(this.graphs, {
      run: this.context.url.get("run"),
      graph: this.context.url.get("graph"),
      focused: this.context.runs.focused,
      shown: this.context.runs.shown,
      beganAt: (run) => this.#beganAt.get(run) ?? null,
    }),
  );
  /** Another one when the run has logged its graph again. */
  readonly revision = $derived.by(() => this.entry?.version ?? "");
  readonly ref = $derived.by((): GraphRef | null => {
    const { entry } = this;
    return entry && { run: entry.run, graph: entry.graph };
  });
  readonly baseline = $derived.by((): GraphRef | null => baselineOf(this.context.url.get("baseline")));

  /** The graph that this one is compared with, as people know it. */
  readonly baselineTitle = $derived.by((): string => {
    const { baseline } = this;
    if (!baseline) return "";
    const title = this.graphs.find((entry) => refText(entry) === refText(baseline))?.title ?? baseline.graph;
    return this.titleOf({ ...baseline, title });
  });

  /** The run and the graph; a dropped file has no run. */
  titleOf({ run, title }: Pick<GraphEntry, "run" | "title">): string {
    return run === "" ? title : `${this.context.runs.styleOf(run).label} · ${title}`;
  }

  retryList(): void {
    this.#list.retry();
  }

  show(ref: GraphRef): void {
    const { url } = this.context;
    url.set("run", ref.run === "" ? undefined : ref.run, { push: true });
    url.set("graph", ref.graph);
    if (this.colour === CHANGE_COLOUR) this.setColour(DEFAULT_COLOUR);
    for (const name of ["open", "unstacked", "isolated", "trace", "baseline"]) url.set(name, undefined);
    this.select(null);
  }

  compareWith(ref: GraphRef | null): void {
    // The selected box may be one that only the present baseline has.
    if (this.baseline) this.select(null);
    this.context.url.set("baseline", ref ? refText(ref) : undefined, { push: true });
    this.setColour(ref ? CHANGE_COLOUR : DEFAULT_COLOUR);
  }

  async upload(file: File): Promise<void> {
    checkUpload(file, format);
    const ref = await this.requests.upload(file);
    this.#list.retry();
    this.show(ref);
  }

  // What is open

  readonly open = $derived.by((): readonly string[] | null => {
    const text = this.context.url.get("open");
    return text === undefined ? null : idList(parseJson(text));
  });
  readonly unstacked = $derived.by(() => idList(parseJson(this.context.url.get("unstacked") ?? "[]")));
  readonly isolated = $derived.by(() => idList(parseJson(this.context.url.get("isolated") ?? "[]")));
  readonly unfolded = $derived.by(() => idList(parseJson(this.context.url.get("unfolded") ?? "[]")));
  readonly request = $derived.by((): ViewRequest | null => {
    const { ref, open, unstacked, unfolded, isolated, baseline } = this;
    return ref && { ...ref, open, unstacked, unfolded, isolated, baseline };
  });
  /** The newest view that arrived; it stays while the next one loads. */
  readonly view = $derived.by((): VisibleGraph | null => {
    const { loaded } = this.#view;
    return loaded && refText(loaded.request) === (this.ref && refText(this.ref)) ? loaded.value : null;
  });
  readonly isViewCurrent = $derived.by(() => this.request !== null && this.#view.valueFor(this.request) !== null);
  readonly viewError = $derived.by(() => this.#view.error);
  readonly isLoading = $derived.by(() => this.#view.isLoading);

  retry(): void {
    this.#view.retry();
  }

  /** The box that was opened or closed last. The canvas keeps it in its place. */
  anchor: string | null = null;

  toggle(id: string): void {
    const { view } = this;
    if (!view) return;
    this.anchor = id;
    const box = view.boxes.id.indexOf(id);
    if (box < 0 || view.boxes.type[box] === "op") return;
    if (view.boxes.type[box] === "series") this.unstack(box);
    else this.setOpen(id, !view.boxes.is_open[box]);
  }

  setOpen(id: string, isOpen: boolean): void {
    this.#setOpen(withOpen(this.view?.open ?? [], id, isOpen));
  }

  /** Opens a group and all groups below it. */
  openBelow(id: string): void {
    this.anchor = id;
    this.#setOpen([...withOpen(this.view?.open ?? [], id, true), `${id}**`]);
  }

  collapseAll(): void {
    this.#setOpen([]);
  }

  /** Shows the members of a series one by one. */
  unstack(box: number): void {
    this.#setList("unstacked", [...this.unstacked, parentIdOf(this.view!.boxes, box)]);
  }

  /** The group around a box, or the box itself, whose equal boxes are shown one by one; null for none. */
  unstackedAround(id: string): string | null {
    return this.view && unstackedAround(this.view.boxes, this.unstacked, id);
  }

  /** Shows equal boxes of a group as a stack again. */
  stack(group: string): void {
    if (!this.view) return;
    this.anchor = group;
    this.#setList("unstacked", stacked(this.view.boxes, this.unstacked, group));
  }

  unfold(kind: string, isShown: boolean): void {
    const others = this.unfolded.filter((name) => name !== kind);
    this.#setList("unfolded", isShown ? [...others, kind] : others);
  }

  isolate(id: string | null): void {
    this.#setList("isolated", id === null ? [] : [id]);
  }

  /** Opens the groups around a box and selects it. The canvas scrolls to it if it is out of view. */
  reveal(id: string, groups: readonly string[]): void {
    const open = [...new Set([...(this.view?.open ?? []), ...groups])];
    if (open.length !== this.view?.open.length) this.#setOpen(open);
    const isShown = this.view?.boxes.id.includes(id);
    if (!isShown && !this.unstacked.includes(id)) this.#setList("unstacked", [...this.unstacked, id]);
    this.select(id);
  }

  #setOpen(open: readonly string[]): void {
    this.#stayWithGraph();
    this.context.url.set("open", JSON.stringify(open));
  }

  #setList(name: string, ids: readonly string[]): void {
    // The first view depends on what is shown: state what is open, so that nothing closes.
    if (this.open === null && this.view) this.#setOpen(this.view.open);
    this.#stayWithGraph();
    this.context.url.set(name, ids.length > 0 ? JSON.stringify(ids) : undefined);
  }

  /** What the address says of boxes is of this graph: without its name, it would be that of the newest run some day. */
  #stayWithGraph(): void {
    const { entry, context } = this;
    if (!entry || context.url.get("run") !== undefined || context.url.get("graph") !== undefined) return;
    if (entry.run !== "") context.url.set("run", entry.run);
    context.url.set("graph", entry.graph);
  }

  // Selection

  readonly selected = $derived.by((): string | null => {
    const { item } = this.context.selection;
    return item?.type === DETAILS_TYPE ? (item.id ?? null) : null;
  });
  readonly #detailsSpec = $derived.by((): DetailsSpec | null => {
    const { ref, selected: id, baseline, profile } = this;
    return ref && id !== null ? { ref, id, baseline, profile } : null;
  });
  readonly details = $derived.by((): BoxDetails | null => {
    return this.#detailsSpec && this.#details.valueFor(this.#detailsSpec);
  });
  /** The visible box with the selected one: itself, or the closed group around it. */
  readonly selectedBox = $derived.by((): string | null => {
    const { selected, view, details } = this;
    if (selected === null || !view) return null;
    const isShown = new Map(view.boxes.id.map((id, box) => [id, !view.boxes.is_open[box]]));
    if (isShown.has(selected)) return selected;
    return details?.groups.findLast((group) => isShown.get(group)) ?? null;
  });
  readonly detailsError = $derived.by(() => this.#details.error);

  select(id: string | null): void {
    if (this.isPickingEnd && id !== null) return this.pathTo(id);
    const { selection } = this.context;
    if (id === null && this.selected === null) return;
    if (id !== null) this.#stayWithGraph();
    selection.select(id === null ? null : { type: DETAILS_TYPE, ...(this.ref?.run ? { run: this.ref.run } : {}), id });
  }

  /** With the keys: a person who chooses the end of a path walks past other boxes, and takes one with Enter. */
  walkTo(id: string): void {
    if (this.isPickingEnd) this.candidate = id;
    else this.select(id);
  }

  // Colour

  readonly colour = $derived.by(() => this.context.url.get("colour") ?? DEFAULT_COLOUR);
  readonly profile = $derived.by(() => profileOf(this.entry, this.context.url.get("profile")));
  readonly step = $derived.by((): number | null => {
    const text = this.context.url.get("step");
    return text === undefined || !Number.isFinite(Number(text)) ? null : Number(text);
  });
  readonly #overlayRequest = $derived.by((): OverlayRequest | null =>
    this.request && this.colour !== DEFAULT_COLOUR
      ? { ...this.request, colour: this.colour, profile: this.profile, step: this.step }
      : null,
  );
  /** Of the boxes that are shown. While another step loads, that of the earlier one stays; `isOverlayLate` says so. */
  readonly overlay = $derived.by((): Overlay | null => {
    const [wanted, { loaded, error }] = [this.#overlayRequest, this.#overlay];
    if (!wanted || !loaded || error || !this.isViewCurrent) return null;
    const { step, profile } = wanted;
    return JSON.stringify({ ...loaded.request, step, profile }) === JSON.stringify(wanted) ? loaded.value : null;
  });
  /** What is wrong with layers, the worst first, while boxes are coloured by health. */
  readonly findings = $derived.by(() => this.overlay?.findings ?? []);
  readonly isOverlayLate = $derived.by(() => {
    const [wanted, { error }] = [this.#overlayRequest, this.#overlay];
    return wanted !== null && !error && (!this.isViewCurrent || this.#overlay.valueFor(wanted) === null);
  });
  /** The steps of the last answer for this graph and colour: they stay while another step loads. */
  readonly overlaySteps = $derived.by((): readonly number[] => {
    const { loaded } = this.#overlay;
    const isOfColour = loaded && loaded.request.colour === this.colour;
    return isOfColour && this.ref && refText(loaded.request) === refText(this.ref) ? loaded.value.steps : [];
  });
  readonly overlayError = $derived.by(() => (this.colour === DEFAULT_COLOUR ? "" : this.#overlay.error));

  setColour(colour: string): void {
    this.context.url.set("colour", colour === DEFAULT_COLOUR ? undefined : colour);
  }

  setProfile(tag: string): void {
    this.context.url.set("profile", tag);
  }

  setStep(step: number | null): void {
    this.context.url.set("step", step === null ? undefined : String(step));
  }

  // Traces

  readonly tracing = $derived.by((): { direction: Direction | "path"; hops: number; to: string } | null => {
    const [direction, value = ""] = splitOnce(this.context.url.get("trace") ?? "");
    if (direction === "path") return { direction, hops: 0, to: value };
    if (direction !== "inputs" && direction !== "outputs") return null;
    return { direction, hops: Math.max(1, Number(value) || DEFAULT_HOPS), to: "" };
  });
  readonly #traceSpec = $derived.by((): TraceSpec | null =>
    this.tracing && this.selected !== null && this.request
      ? { view: this.request, id: this.selected, ...this.tracing }
      : null,
  );
  /** With other hops or open groups, the old boxes stay until the new ones arrive; those of another trace are wrong. */
  readonly trace = $derived.by((): Trace | null => {
    const [spec, { loaded }] = [this.#traceSpec, this.#trace];
    return spec && loaded && isSameTrace(spec, loaded.request) ? loaded.value : null;
  });
  readonly traceError = $derived.by(() => (this.#traceSpec ? this.#trace.error : ""));

  /** The next box to be selected becomes the end of a path from the selected one. */
  isPickingEnd = $state(false);
  /** The box that Enter makes the end of the path. */
  candidate = $state<string | null>(null);

  /** A path that is shown ends; the other way round, its end is not chosen any more. */
  pickEnd(isPicking: boolean): void {
    if (isPicking) this.clearTrace();
    this.#endPicking();
    this.isPickingEnd = isPicking;
  }

  traceFrom(direction: Direction, hops = DEFAULT_HOPS): void {
    this.#endPicking();
    this.context.url.set("trace", `${direction}:${hops}`);
  }

  pathTo(id: string): void {
    this.#endPicking();
    this.context.url.set("trace", `path:${id}`);
  }

  /** Shows an edge: what it leads from is selected, with the path to where it leads. */
  selectEdge(source: string, target: string): void {
    if (this.isPickingEnd) return this.pathTo(target);
    this.select(source);
    this.pathTo(target);
  }

  #endPicking(): void {
    this.isPickingEnd = false;
    this.candidate = null;
  }

  clearTrace(): void {
    this.context.url.set("trace", undefined);
  }

  async #fetchTrace({ view, id, direction, hops, to }: TraceSpec, signal: AbortSignal): Promise<Trace> {
    if (direction !== "path")
      return { direction, hops: (await this.requests.trace({ ...view, id, direction, hops }, signal)).hops };
    const { boxes } = await this.requests.path({ ...view, start: id, end: to }, signal);
    if (boxes.length === 0) throw new Error("No path leads there.");
    return { direction, hops: Object.fromEntries(boxes.map((box, at) => [box, at])) };
  }
}

const KINDS = ["graphs", "meta_graph", "graph_keras_model", "graph_run_metadata", "graph_run_metadata_graph"];

const revisions = (context: DashboardContext): string =>
  KINDS.map((kind) =>
    context.catalogue
      .tags(kind)
      .map(({ tag }) => context.revisionOf(kind, tag))
      .join(),
  ).join(";");

const isSameTrace = (a: TraceSpec, b: TraceSpec): boolean =>
  a.id === b.id && a.direction === b.direction && a.to === b.to && refText(a.view) === refText(b.view);

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf(":");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export const [getGraphModel, setGraphModel] = createContext<GraphModel>();
