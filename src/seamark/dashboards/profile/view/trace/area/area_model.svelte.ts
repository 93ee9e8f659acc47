/** AreaModel: the marked area, its sums and its flame graph. The area is in the address. */

import { Resource } from "$public/core";
import type { Span } from "../../load";
import type { Area, ProfileRef, StackTree } from "../../wire";
import { addStep, formatArea, parseArea, parseSteps, type MarkedArea } from "../address";
import { ofShownProfile, type TraceHost } from "../host";

export const GROUPINGS = ["name", "activity", "track"] as const;
export type Grouping = (typeof GROUPINGS)[number];

interface AreaRequest extends Span {
  readonly ref: ProfileRef;
  readonly tracks: string;
}

const tracksText = (tracks: readonly number[] | null): string => tracks?.join(",") ?? "";

export class AreaModel {
  /** While it is dragged. */
  dragged = $state.raw<MarkedArea | null>(null);
  readonly #sums: Resource<AreaRequest & { readonly by: Grouping }, Area>;
  readonly #flame: Resource<AreaRequest, StackTree>;

  constructor(
    private readonly host: TraceHost,
    /** What the flame graph shows while nothing is marked. */
    private readonly visible: () => Span,
    private readonly showsFlame: () => boolean,
  ) {
    const { requests } = host;
    this.#sums = new Resource(({ ref, tracks, by, start, end }, signal) => requests.area(ref, { start, end }, tracks, by, signal)); // prettier-ignore
    this.#flame = new Resource(({ ref, tracks, start, end }, signal) => requests.flame(ref, { start, end }, tracks, signal)); // prettier-ignore
    $effect(() => {
      const { ref } = this.host;
      if (ref && this.marked) this.#sums.load({ ref, ...this.#rounded(this.marked), by: this.grouping });
    });
    $effect(() => {
      const { ref } = this.host;
      if (ref && this.showsFlame()) this.#flame.load({ ref, ...this.#rounded(this.covered) });
    });
  }

  readonly marked = $derived.by((): MarkedArea | null => parseArea(this.host.context.url.get("area")));
  readonly shown = $derived.by((): MarkedArea | null => this.dragged ?? this.marked);
  /** The area, or everything that is visible. */
  readonly covered = $derived.by((): MarkedArea => this.marked ?? { ...this.visible(), tracks: null });
  readonly grouping = $derived.by((): Grouping => {
    const name = this.host.context.url.get("sums");
    return GROUPINGS.find((each) => each === name) ?? "name";
  });
  readonly sums = $derived.by((): Area | null => (this.marked ? ofShownProfile(this.host, this.#sums.loaded) : null));
  readonly sumsError = $derived.by(() => (this.marked ? this.#sums.error : ""));
  readonly flame = $derived.by((): StackTree | null => ofShownProfile(this.host, this.#flame.loaded));
  readonly flameError = $derived.by(() => this.#flame.error);

  mark(area: MarkedArea | null): void {
    this.dragged = null;
    if (area && this.isDrawingSteps) return this.#addStep(area);
    this.host.context.url.set("area", area === null ? undefined : formatArea(area));
  }

  setGrouping(grouping: Grouping): void {
    this.host.context.url.set("sums", grouping === "name" ? undefined : grouping);
  }

  retry(): void {
    this.#sums.retry();
    this.#flame.retry();
  }

  /** The address of the slices as a Chrome trace. */
  readonly exportAddress = $derived.by((): string => {
    const { ref } = this.host;
    const { tracks, start, end } = this.#rounded(this.covered);
    return ref ? this.host.requests.exportAddress(ref, { start, end }, tracks) : "";
  });

  // Steps drawn by hand: each marked area becomes one.

  readonly isDrawingSteps = $derived.by(() => this.host.context.url.get("draw") === "steps");
  readonly drawnSteps = $derived.by(() => parseSteps(this.host.context.url.get("steps")));

  drawSteps(wanted: boolean): void {
    this.host.context.url.set("draw", wanted ? "steps" : undefined);
  }

  clearSteps(): void {
    this.host.context.url.set("steps", undefined);
  }

  #addStep(area: Span): void {
    this.host.context.url.set("steps", addStep(this.drawnSteps, area));
  }

  #rounded({ start, end, tracks }: MarkedArea): Span & { readonly tracks: string } {
    return { start: Math.max(Math.floor(start), 0), end: Math.max(Math.ceil(end), 0), tracks: tracksText(tracks) };
  }
}
