/** StepModel: along training: plays the steps of the controlled pane, how far its points move, and their trails. */

import { Resource, type DashboardContext } from "$public/core";
import type { ProjectorRequests } from "../load";
import type { EmbeddingEntry, EmbeddingRef, Movement, Preparation, Projection, StepEntry } from "../wire";
import { barHeights, movedMost } from "./movement";

/** How long each step is shown at least. */
const STEP_MS = 700;
const MAX_MOVED = 50;
const MAX_TRAILS = 200;
const MAX_TRAIL_STEPS = 100;

/** The pane whose steps are shown. Every property is reactive. */
interface SteppedPane {
  readonly entry: EmbeddingEntry | null;
  readonly ref: EmbeddingRef | null;
  readonly preparation: Preparation;
  readonly projection: Projection | null;
  readonly projectionError: string;
  readonly isSettled: boolean;
  readonly cacheCapacity: number;
  showStep(name: string): void;
  cachedAt(name: string): Projection | null;
  prefetch(name: string, signal: AbortSignal): Promise<void>;
}

/** What surrounds it. */
interface SteppedPage {
  readonly context: DashboardContext;
  readonly requests: ProjectorRequests;
  readonly pane: SteppedPane;
  readonly selected: Uint32Array;
  /** By row; null: all. */
  readonly visible: Uint8Array | null;
  select(rows: Uint32Array): void;
}

/** Positions by row, one for each earlier step and the shown one, oldest first; and the rows that have a trail. */
export interface Trails {
  readonly pane: SteppedPane;
  readonly rows: Uint32Array;
  readonly steps: readonly Pick<Projection, "x" | "y" | "z">[];
}

interface MovementRequest {
  readonly ref: EmbeddingRef;
  readonly names: readonly string[];
  readonly preparation: Preparation;
}

export class StepModel {
  readonly #movement: Resource<MovementRequest, Movement>;
  isPlaying = $state(false);

  constructor(private readonly model: SteppedPage) {
    this.#movement = new Resource(({ ref, names, preparation }, signal) =>
      model.requests.movement(ref, names, preparation, signal),
    );
    $effect(() => {
      const { entry, preparation } = this.#pane;
      if (!entry || entry.steps.length < 2) return;
      const names = entry.steps.map(({ name }) => name);
      this.#movement.load({ ref: { run: entry.run, name: entry.name }, names, preparation });
    });
    $effect(() => this.#advanceLater());
    $effect(() => this.#loadAhead());
  }

  get #pane(): SteppedPane {
    return this.model.pane;
  }

  readonly steps = $derived.by((): readonly StepEntry[] => this.model.pane.entry?.steps ?? []);
  /** The position of the shown step. */
  readonly at = $derived.by(
    () =>
    Math.max(0, this.steps.findIndex(({ name }) => name === this.model.pane.ref?.name)), // prettier-ignore
  );

  /** Shows a step by its position; nothing happens beyond the ends. */
  show(at: number): void {
    const step = this.steps[at];
    if (step) this.#pane.showStep(step.name);
  }

  move(by: 1 | -1): void {
    this.isPlaying = false;
    this.show(this.at + by);
  }

  /** Plays from the present step, from the first one if this is the last. Where motion is to be reduced, shows one step more. */
  play(): void {
    const next = this.at + 1 < this.steps.length ? this.at + 1 : 0;
    if (this.isPlaying) this.isPlaying = false;
    else if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.show(next);
    else if (this.steps.length > 1) {
      if (next === 0) this.show(0);
      this.isPlaying = true;
    }
  }

  #advanceLater(): (() => void) | void {
    if (!this.isPlaying || !this.model.context.isActive || !this.#pane.isSettled) return;
    const next = this.at + 1;
    const timer = setTimeout(() => {
      if (next < this.steps.length && !this.#pane.projectionError) this.show(next);
      else this.isPlaying = false;
    }, STEP_MS);
    return () => clearTimeout(timer);
  }

  /** While the steps play the next one is loaded, and for trails all earlier ones. */
  #loadAhead(): (() => void) | void {
    const pane = this.#pane;
    if (!pane.isSettled || !this.model.context.isActive) return;
    const wanted = [
      ...(this.isPlaying ? this.steps.slice(this.at + 1, this.at + 2) : []),
      ...(this.hasTrails ? this.#earlier : []),
    ].find(({ name }) => pane.cachedAt(name) === null);
    if (!wanted) return;
    const stop = new AbortController();
    void pane.prefetch(wanted.name, stop.signal);
    return () => stop.abort();
  }

  // How far points move

  readonly #ofEntry = $derived.by((): Movement | null => {
    const { loaded } = this.#movement;
    const { entry } = this.model.pane;
    return loaded && loaded.request.ref.run === entry?.run && loaded.request.ref.name === entry.name
      ? loaded.value
      : null;
  });
  readonly bars = $derived.by(() => (this.#ofEntry ? barHeights(this.#ofEntry.means) : []));
  readonly means = $derived.by((): readonly number[] => this.#ofEntry?.means ?? []);
  readonly movementError = $derived.by(() => this.#movement.error);
  readonly movedMost = $derived.by(() =>
    this.#ofEntry ? movedMost(this.#ofEntry.moved, MAX_MOVED, this.model.visible) : new Uint32Array(),
  );

  selectMovedMost(): void {
    if (this.movedMost.length > 0) this.model.select(this.movedMost);
  }

  // Trails

  readonly hasTrails = $derived.by(() => this.model.context.url.get("trails") === "1" && this.steps.length > 1);

  setTrails(isOn: boolean): void {
    this.model.context.url.set("trails", isOn ? "1" : undefined);
  }

  /** The steps that trails go through, at most as many as can be cached beside the shown and the next one. */
  readonly #earlier = $derived.by(() => {
    const count = Math.min(MAX_TRAIL_STEPS, Math.max(0, this.model.pane.cacheCapacity - 2));
    return this.steps.slice(Math.max(0, this.at - count), this.at);
  });
  /** Of the selected rows, or of those that moved most: up to the shown step, as far as the earlier ones are loaded. */
  readonly trails = $derived.by((): Trails | null => {
    const { pane, selected } = this.model;
    if (!this.hasTrails || !pane.projection) return null;
    const earlier = this.#earlier.map(({ name }) => pane.cachedAt(name)).filter((one) => one !== null);
    const rows = selected.length > 0 ? selected.subarray(0, MAX_TRAILS) : this.movedMost;
    return { pane, rows, steps: [...earlier, pane.projection] };
  });
}
