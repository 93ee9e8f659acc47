/** TraceViewport: which window of time and which tracks are on the screen. The window is in the address. */

import type { Span } from "../load";
import { formatNs, parseSpan } from "./address";
import { HEADER_PX } from "./canvas/scene";
import type { TraceHost } from "./host";
import { clampSpan, fitSpan, lengthOf, panSpan, revealSpan, zoomSpan } from "./time/span";
import { rowTop, ROW_PX } from "./tracks/layout";
import type { TracksModel } from "./tracks/tracks_model.svelte";

/** After the last movement; the address is not written for each pixel of a drag. */
const SETTLE_MS = 150;
const MARGIN = 0.02;
const MAX_PINNED_SHARE = 0.6;

/** What this page shows, and what it wrote into the address for it. */
interface OwnSpan {
  /** Null: everything. */
  readonly span: Span | null;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly isWritten: boolean;
}

export class TraceViewport {
  width = $state(0);
  height = $state(0);
  /** Where the pointer is on the canvas, for the keys. */
  pointer: { readonly x: number; readonly y: number } | null = null;
  #scroll = $state(0);
  #own = $state.raw<OwnSpan | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: TraceHost,
    private readonly tracks: TracksModel,
  ) {}

  readonly capture = $derived.by((): Span => {
    const { info } = this.host;
    return info ? { start: info.start_ns, end: Math.max(info.end_ns, info.start_ns + 1) } : { start: 0, end: 1 };
  });
  /** The capture with a little room, so that its first slice does not stick to the edge. */
  readonly limits = $derived.by((): Span => {
    const room = lengthOf(this.capture) * MARGIN;
    return { start: this.capture.start - room, end: this.capture.end + room };
  });

  readonly span = $derived.by((): Span => {
    const [start, end] = [this.host.context.url.get("start"), this.host.context.url.get("end")];
    const own = this.#own;
    if (own && (!own.isWritten || (own.start === start && own.end === end)))
      return clampSpan(own.span ?? this.limits, this.limits);
    return clampSpan(parseSpan(start, end) ?? this.limits, this.limits);
  });

  readonly pinnedPx = $derived.by(() =>
    Math.min(this.tracks.layout.pinned.height, Math.floor(this.height * MAX_PINNED_SHARE)),
  );
  readonly bodyPx = $derived(Math.max(this.height - HEADER_PX - this.pinnedPx, 0));
  readonly maxScroll = $derived.by(() => Math.max(this.tracks.layout.body.height - this.bodyPx, 0));
  readonly scrollTop = $derived(Math.min(this.#scroll, this.maxScroll));

  /** The window is named in the address. */
  get isChosen(): boolean {
    return this.#own !== null || this.host.context.url.get("start") !== undefined;
  }

  show(span: Span): void {
    const next = clampSpan(span, this.limits);
    const isWhole = next.start <= this.limits.start && next.end >= this.limits.end;
    const [start, end] = isWhole ? [undefined, undefined] : [formatNs(next.start), formatNs(next.end)];
    this.#own = { span: isWhole ? null : next, start, end, isWritten: false };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), SETTLE_MS);
  }

  /** Writes the window into the address. */
  settle(): void {
    clearTimeout(this.#timer);
    const own = this.#own;
    if (!own || own.isWritten) return;
    this.host.context.url.set("start", own.start);
    this.host.context.url.set("end", own.end);
    this.#own = { ...own, isWritten: true };
  }

  timeAt(x: number): number {
    return this.span.start + (x / Math.max(this.width, 1)) * lengthOf(this.span);
  }

  get nsPerPx(): number {
    return lengthOf(this.span) / Math.max(this.width, 1);
  }

  /** Around the pointer, or around the middle. */
  zoom(factor: number, x = this.pointer?.x ?? this.width / 2): void {
    this.show(zoomSpan(this.span, factor, this.timeAt(x), this.limits));
  }

  panPx(px: number): void {
    this.show(panSpan(this.span, px * this.nsPerPx, this.limits));
  }

  fit(span: Span, padding?: number): void {
    this.show(fitSpan(span, this.limits, padding));
  }

  showAll(): void {
    this.show(this.limits);
  }

  scrollTo(top: number): void {
    this.#scroll = Math.min(Math.max(top, 0), this.maxScroll);
  }

  scrollBy(px: number): void {
    this.scrollTo(this.scrollTop + px);
  }

  revealTime(span: Span): void {
    const next = revealSpan(this.span, span, this.limits);
    if (next !== this.span) this.show(next);
  }

  /** Scrolls as little as needed; opens what hides the track. */
  revealRow(track: number, row: number): void {
    this.tracks.reveal(track);
    const lane = this.tracks.layout.laneOfTrack.get(track);
    if (!lane || lane.isPinned) return;
    const top = rowTop(lane, row) ?? lane.top;
    if (top < this.scrollTop) this.scrollTo(top - ROW_PX);
    else if (top + ROW_PX > this.scrollTop + this.bodyPx) this.scrollTo(top + 2 * ROW_PX - this.bodyPx);
  }
}
