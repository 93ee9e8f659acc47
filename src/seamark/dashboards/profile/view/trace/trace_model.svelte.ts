/** TraceModel: everything that the Trace page shows and does. */

import { Resource } from "$public/core";
import { createContext, untrack } from "svelte";
import type { Span } from "../load";
import type { CounterWindow, ProfileRef, Step } from "../wire";
import { AreaModel } from "./area/area_model.svelte";
import { minimapRows } from "./canvas/minimap";
import type { Scene } from "./canvas/scene";
import { NameCache } from "./data/name_cache.svelte";
import { WindowIndex } from "./data/window_index";
import { planRows, planSpan, rangesOf, type WindowRequest } from "./data/window_plan";
import { SelectionModel } from "./details/selection_model.svelte";
import { ofShownProfile, type TraceHost } from "./host";
import { stepMatch } from "./search/matches";
import { SearchModel } from "./search/search_model.svelte";
import { currentStepOf, meanStepNs, nearestStep } from "./time/steps";
import { rulerOf } from "./time/ticks";
import { trackKey } from "./tracks/groups";
import { lanesBetween, type Lane } from "./tracks/layout";
import { TracksModel } from "./tracks/tracks_model.svelte";
import { TraceViewport } from "./viewport_model.svelte";

export const VIEWS = ["chart", "graph", "table"] as const;
export type TraceView = (typeof VIEWS)[number];

const MINIMAP_BINS = 512;
/** A slice that the address names is shown with its surroundings, unless it is this wide in the window. */
const MIN_ARRIVAL_PX = 3;
const ARRIVAL_PADDING = 4;

interface ProfileWindow extends WindowRequest {
  readonly ref: ProfileRef;
}
interface CounterRequest extends Span {
  readonly ref: ProfileRef;
  readonly width: number;
  readonly counters: readonly number[];
}

export class TraceModel {
  readonly tracks: TracksModel;
  readonly viewport: TraceViewport;
  readonly selection: SelectionModel;
  readonly search: SearchModel;
  readonly area: AreaModel;
  readonly names: NameCache;
  readonly #window: Resource<ProfileWindow, WindowIndex>;
  readonly #overview: Resource<ProfileWindow, WindowIndex>;
  readonly #counters: Resource<CounterRequest, ReadonlyMap<number, CounterWindow>>;
  /** Under the pointer, for the keys. */
  hoveredTrack: number | null = null;
  /** The slice to bring into view when its details are there. */
  #revealNext: number | null = null;
  #isArriving = true;

  constructor(readonly host: TraceHost) {
    const { requests } = host;
    this.tracks = new TracksModel(host);
    this.viewport = new TraceViewport(host, this.tracks);
    this.selection = new SelectionModel(host);
    this.search = new SearchModel(host, () => this.selection.slice, (slice) => this.goTo(slice)); // prettier-ignore
    this.area = new AreaModel(host, () => this.viewport.span, () => this.view === "graph"); // prettier-ignore
    this.names = new NameCache(() => host.ref, (ref, ids) => requests.names(ref, ids)); // prettier-ignore
    const load = async ({ ref, start, end, width, rows }: ProfileWindow, signal: AbortSignal): Promise<WindowIndex> =>
      new WindowIndex(await requests.window(ref, { start, end }, width, rows, signal), { start, end });
    this.#window = new Resource(load);
    this.#overview = new Resource(load);
    this.#counters = new Resource((request, signal) => this.#loadCounters(request, signal));
    this.#revealNext = this.selection.slice;
    $effect(() => this.#loadData());
    $effect(() => {
      const { details } = this.selection;
      if (details && details.slice === this.#revealNext) untrack(() => this.#reveal());
    });
  }

  // What is loaded

  readonly #request = $derived.by((): ProfileWindow | null => {
    const { ref } = this.host;
    const { span, width, capture, scrollTop, bodyPx } = this.viewport;
    if (!ref || width === 0) return null;
    const rows = planRows(this.tracks.layout, scrollTop, bodyPx);
    return rows === "" ? null : { ref, ...planSpan(span, width, capture), rows };
  });
  readonly index = $derived.by((): WindowIndex | null => ofShownProfile(this.host, this.#window.loaded));
  readonly overview = $derived.by((): WindowIndex | null => ofShownProfile(this.host, this.#overview.loaded));
  readonly error = $derived.by(() => this.#window.error);
  readonly counters = $derived.by(
    (): ReadonlyMap<number, CounterWindow> => ofShownProfile(this.host, this.#counters.loaded) ?? new Map(),
  );

  /** Lanes on the screen. */
  readonly shownLanes = $derived.by((): readonly Lane[] => {
    const { pinned, body } = this.tracks.layout;
    const { scrollTop, bodyPx } = this.viewport;
    return [...pinned.lanes, ...body.lanes.slice(...lanesBetween(body, scrollTop, scrollTop + bodyPx))];
  });

  retry(): void {
    for (const resource of [this.#window, this.#overview, this.#counters]) resource.retry();
  }

  readonly #trackOfRow = $derived.by((): Int32Array => {
    const tracks = this.host.info?.tracks ?? [];
    const rows = new Int32Array(tracks.reduce((sum, track) => Math.max(sum, track.first_row + track.rows), 0));
    for (const { id, first_row, rows: count } of tracks) rows.fill(id, first_row, first_row + count);
    return rows;
  });

  trackOfRow = (row: number): number => this.#trackOfRow[row] ?? -1;

  // Steps

  readonly steps = $derived.by((): readonly Step[] => this.host.info?.steps.steps ?? []);
  readonly #meanStepNs = $derived.by(() => meanStepNs(this.steps));
  readonly currentStep = $derived.by(() => currentStepOf(this.steps, this.viewport.span));
  readonly zero = $derived.by(() => this.steps[this.currentStep]?.start_ns ?? this.viewport.capture.start);
  readonly ruler = $derived.by(() => rulerOf(this.viewport.span, this.viewport.width, this.zero));

  /** Fits the step before or after the current one; the nearest one if the window shows many. */
  goToStep(move: 1 | -1): void {
    const { start, end } = this.viewport.span;
    const at = this.currentStep < 0 ? nearestStep(this.steps, (start + end) / 2) : this.currentStep + move;
    this.fitStep(Math.min(Math.max(at, 0), this.steps.length - 1));
  }

  fitStep(position: number): void {
    const step = this.steps[position];
    if (step) this.viewport.fit({ start: step.start_ns, end: step.start_ns + step.duration_ns }, 0.05);
  }

  // What is drawn

  readonly scene = $derived.by((): Scene => {
    const { span, capture, width, height, pinnedPx, scrollTop } = this.viewport;
    return {
      span,
      capture,
      width,
      height,
      pinnedPx,
      scrollTop,
      layout: this.tracks.layout,
      trackOfRow: this.trackOfRow,
      index: this.index,
      nameOf: this.#nameOf,
      matches: this.search.matches,
      selected: this.selection.details,
      flows: this.selection.flows,
      marked: this.selection.marked,
      area: this.area.shown,
      steps: this.steps,
      meanStepNs: this.#meanStepNs,
      currentStep: this.currentStep,
      counters: this.counters,
    };
  });
  readonly #nameOf = (id: number): string => this.names.get(id);

  readonly view = $derived.by((): TraceView => {
    const name = this.host.context.url.get("view");
    return VIEWS.find((each) => each === name) ?? "chart";
  });

  setView(view: TraceView): void {
    this.host.context.url.set("view", view === "chart" ? undefined : view);
  }

  // What a person does

  /** Selects without moving; a slice that is out of view is brought into it by `goTo`. */
  select(slice: number | null): void {
    this.viewport.settle();
    this.selection.set(slice);
  }

  goTo(slice: number): void {
    this.#isArriving = false;
    this.#revealNext = slice;
    this.selection.set(slice);
    if (this.selection.details?.slice === slice) this.#reveal();
  }

  /** The next or the previous match. */
  goToMatch(step: 1 | -1): void {
    const { matches, position } = this.search;
    if (!matches) return;
    const at = stepMatch(matches, position, step, this.viewport.span.start);
    if (at >= 0) this.goTo(matches.slice[at]!);
  }

  /** Of the matches; without a search, of the slices with the selected one's name. */
  goToLongest(): void {
    const { details } = this.selection;
    if (this.search.text !== "") this.search.goToLongest();
    else if (details) this.search.findLongest(details.name);
  }

  async goNear(direction: "previous" | "next" | "parent" | "child"): Promise<void> {
    const { ref } = this.host;
    const { slice } = this.selection;
    if (!ref) return;
    if (slice === null) return this.#selectInMiddle();
    const near = await this.host.requests.near(ref, slice, direction);
    if (near >= 0 && this.selection.slice === slice) this.goTo(near);
  }

  fitSelected(): void {
    const { details } = this.selection;
    if (!details) return this.viewport.showAll();
    this.viewport.fit({ start: details.start_ns, end: details.start_ns + details.duration_ns }, 0.5);
    this.viewport.revealRow(details.track, details.row);
  }

  markSelected(): void {
    const { details } = this.selection;
    if (!details) return;
    const end = details.start_ns + Math.max(details.duration_ns, 1);
    this.area.mark({ start: details.start_ns, end, tracks: null });
  }

  /** Pins the track of the selected slice, else the one under the pointer; or unpins it. */
  pinTrack(): void {
    const track = this.selection.details?.track ?? this.hoveredTrack;
    if (track !== null) this.tracks.togglePin(trackKey(track));
  }

  /** The topmost thing: the slice, then the area, then the search, then the marked slices. Returns whether there was one. */
  clear(): boolean {
    if (this.selection.slice !== null) this.select(null);
    else if (this.area.marked) this.area.mark(null);
    else if (this.search.text !== "") this.search.set("");
    else if (this.selection.markedSlices.length > 0) this.selection.clearMarked();
    else return false;
    return true;
  }

  #selectInMiddle(): void {
    const { viewport, index } = this;
    const middle = viewport.timeAt(viewport.width / 2);
    for (const row of this.shownLanes.flatMap(({ track, rows }) => (track ? rows : []))) {
      const at = index?.sliceAt(row, middle, lengthHalf(viewport.span)) ?? -1;
      if (at >= 0) return this.select(index!.slices.slice[at]!);
    }
  }

  #reveal(): void {
    const { details } = this.selection;
    if (!details) return;
    this.#revealNext = null;
    const span = { start: details.start_ns, end: details.start_ns + details.duration_ns };
    const isWide = details.duration_ns / this.viewport.nsPerPx >= MIN_ARRIVAL_PX;
    if (this.#isArriving && !(this.viewport.isChosen && isWide)) this.viewport.fit(span, ARRIVAL_PADDING);
    else this.viewport.revealTime(span);
    this.#isArriving = false;
    this.viewport.revealRow(details.track, details.row);
  }

  #loadData(): void {
    const { ref } = this.host;
    const request = this.#request;
    if (!ref || !request) return;
    this.names.use(ref);
    this.#window.load(request);
    const { start, end } = this.viewport.capture;
    const rows = rangesOf(minimapRows(this.tracks.groups));
    this.#overview.load({ ref, start: Math.floor(start), end: Math.ceil(end), width: MINIMAP_BINS, rows });
    const counters = this.shownLanes.flatMap(({ counter }) => (counter ? [counter.id] : []));
    if (counters.length > 0) this.#counters.load({ ref, start: request.start, end: request.end, width: request.width, counters }); // prettier-ignore
  }

  async #loadCounters(
    { ref, counters, width, ...span }: CounterRequest,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, CounterWindow>> {
    // prettier-ignore
    const { start, end } = span;
    const values = await Promise.all(counters.map((id) => this.host.requests.counter(ref, id, { start, end }, width, signal))); // prettier-ignore
    return new Map(counters.map((id, index) => [id, values[index]!]));
  }
}

const lengthHalf = ({ start, end }: Span): number => (end - start) / 2;

export const [getTraceModel, setTraceModel] = createContext<TraceModel>();
