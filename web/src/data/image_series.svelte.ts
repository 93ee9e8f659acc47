/** The images of one run and tag: their list, and the images of single steps, read when they are shown. */

import { prefersReducedMotion } from "svelte/motion";
import { messageOf } from "../base/errors";
import { formatBytes, formatCount } from "../base/format";
import { atOrBefore } from "../base/steps";
import type { TagEntry } from "./api";
import { requestJson } from "./request";
import { captionTag, fetchCaptions, hasCaptions } from "./captions";
import { newestOf, payloadAddress, payloadQuery, type PayloadList } from "./payloads";
import { Resource } from "./resource.svelte";
import type { Attempts } from "./series";

export interface ImageSample {
  readonly mime: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number;
  /** What is wrong with it, as a sentence; "" if nothing is. */
  readonly fault: string;
  /** False when a browser must not or cannot draw it. */
  readonly is_shown: boolean;
}

/** The images of one step. */
export interface StepImages {
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly samples: readonly ImageSample[];
  readonly fault: string;
}

interface SeriesList extends PayloadList {
  readonly newest: StepImages | null;
}

export const isVideo = (sample: ImageSample | undefined): boolean => sample?.mime.startsWith("video/") ?? false;

/** "144 × 144 · PNG · 62.4 kB", or the size alone. */
export function imageNote(sample: ImageSample | undefined, { short = false } = {}): string {
  if (!sample) return "…";
  const size =
    sample.width !== null && sample.height !== null
      ? `${formatCount(sample.width)} × ${formatCount(sample.height)} · `
      : "";
  if (short && size) return size.slice(0, -3);
  const kind = sample.mime === "application/octet-stream" ? "unknown" : sample.mime.replace(/^.*\//, "").toUpperCase();
  return `${size}${kind} · ${formatBytes(sample.bytes)}`;
}

/** Indexes of the list in the order of their steps: with every attempt of a restarted run, steps go back in between. */
export function inStepOrder(steps: readonly number[]): number[] {
  const indexes = steps.map((_, index) => index);
  return steps.every((step, index) => index === 0 || steps[index - 1]! <= step)
    ? indexes
    : indexes.sort((a, b) => steps[a]! - steps[b]! || a - b);
}

interface Context {
  readonly catalogue: { tags(kind: string): readonly TagEntry[] };
  readonly settings: { readonly attempts: Attempts };
  revisionOf(kind: string, tag: string): number;
}

const ROUTES = "api/dashboards/images";
const GROWTH_PAUSE_MS = 300;
const MAX_STEPS = 200;
const MAX_SERIES = 400;

export class ImageSeries {
  readonly #response = new Resource<Attempts, SeriesList>((attempts) => this.#fetchList(attempts), {
    pauseMs: GROWTH_PAUSE_MS,
  });
  #byIndex = $state.raw<ReadonlyMap<number, StepImages>>(new Map());
  readonly #loading = new Set<number>();
  /** Grows with the captions that the run logs for this tag; 0 if it logs none. */
  captionRevision = $state(0);
  #captions = $state.raw<ReadonlyMap<number, readonly string[]>>(new Map());
  readonly #captionRequests = new Set<string>();

  constructor(
    readonly run: string,
    readonly tag: string,
  ) {}

  readonly #list = $derived.by(() => this.#response.value);
  readonly isKnown = $derived(this.#list !== null);
  readonly #order = $derived(this.#list ? inStepOrder(this.#list.steps) : []);
  /** Ascending. */
  readonly steps = $derived(this.#list ? this.#order.map((at) => this.#list!.steps[at]!) : []);

  /** So many at the end are of an attempt that a restart replaced. */
  readonly replaced = $derived(this.#list?.replaced ?? 0);
  /** The index of the newest step that counts. */
  readonly newest = $derived(newestOf(this));

  get error(): string {
    return this.#response.error;
  }

  /** Loads the list of this revision. */
  request(revision: number, attempts: Attempts): void {
    this.#response.load(attempts, revision);
  }

  retry(): void {
    this.#response.retry();
  }

  isReplaced(at: number): boolean {
    return at >= this.steps.length - this.replaced;
  }

  /** The index of a step; null is the newest. −1 if there are none. */
  indexOf(step: number | null): number {
    return step === null ? this.newest : atOrBefore(this.steps, step);
  }

  stepAt(at: number): StepImages | undefined {
    const index = this.#list?.index[this.#order[at]!];
    return index === undefined ? undefined : this.#byIndex.get(index);
  }

  wallAt(at: number): number | undefined {
    return this.#list?.walls[this.#order[at]!];
  }

  /** Reads the images of a step, once. */
  load(at: number): void {
    const list = this.#list;
    const index = list?.index[this.#order[at]!];
    if (index === undefined) return;
    if (this.#byIndex.has(index) || this.#loading.has(index)) return;
    this.#loading.add(index);
    requestJson<StepImages>(`${ROUTES}/step?${this.#query(at, 0)}`)
      .catch((error: unknown): StepImages => ({ index, width: 0, height: 0, samples: [], fault: messageOf(error) }))
      .then((images) => this.#store(images))
      .finally(() => this.#loading.delete(index));
  }

  captionOf(at: number, sample: number): string {
    return this.#captions.get(this.steps[at]!)?.[sample] ?? "";
  }

  /** Reads the captions of a step, and again if more were logged and it has none. Run inside an effect. */
  loadCaptions(at: number): void {
    const step = this.steps[at];
    const samples = this.stepAt(at)?.samples.length ?? 0;
    const request = `${step} ${this.captionRevision}`;
    if (
      this.captionRevision === 0 ||
      step === undefined ||
      samples === 0 ||
      this.#captions.get(step)?.some(Boolean) ||
      this.#captionRequests.has(request)
    )
      return;
    this.#captionRequests.add(request);
    fetchCaptions(this.run, this.tag, step, samples).then(
      (captions) => {
        const stored = new Map(this.#captions).set(step, captions);
        if (stored.size > MAX_STEPS) stored.delete(stored.keys().next().value!);
        this.#captions = stored;
      },
      () => this.#captionRequests.delete(request),
    ); // shown without; requested again when it is next shown
  }

  /** The address of an image: a thumbnail, or as it was logged. */
  addressOf(at: number, sample: number, side?: number): string {
    if (side !== undefined) return `${ROUTES}/thumbnail?${this.#query(at, sample)}&side=${side}`;
    return payloadAddress(this.#list!, this.#order[at]!, sample);
  }

  /** Of the picture to show: one that moves stands still for people whose system is set to less motion. */
  shownAddress(at: number, sample: number, side?: number): string {
    const isStill = prefersReducedMotion.current && this.sampleAt(at, sample)?.mime === "image/gif";
    return isStill ? `${ROUTES}/frame?${this.#query(at, sample)}&frame=0` : this.addressOf(at, sample, side);
  }

  sampleAt(at: number, sample: number): ImageSample | undefined {
    return this.stepAt(at)?.samples[sample];
  }

  #query(at: number, sample: number): string {
    const query = payloadQuery(this.#list!, this.#order[at]!, sample);
    query.delete("kind");
    return query.toString();
  }

  async #fetchList(attempts: Attempts): Promise<SeriesList> {
    const before = this.#list;
    const list = await requestJson<SeriesList>(
      `${ROUTES}/series?${new URLSearchParams({ run: this.run, tag: this.tag, attempts })}`,
    );
    // A file that was replaced counts its images from zero again.
    const hasGrown =
      before?.index.every((index, at) => list.index[at] === index && list.walls[at] === before.walls[at]) ?? true;
    if (!hasGrown) this.#byIndex = new Map();
    if (list.newest) this.#store(list.newest);
    return list;
  }

  #store(images: StepImages): void {
    const stored = new Map(this.#byIndex).set(images.index, images);
    if (stored.size > MAX_STEPS) stored.delete(stored.keys().next().value!);
    this.#byIndex = stored;
  }
}

/** Its derived values must outlive the card that created it. */
function createDetached(make: () => ImageSeries): ImageSeries {
  let made: ImageSeries | undefined;
  $effect.root(() => {
    made = make();
  });
  return made!;
}

/** The series shown most recently, so that scrolling back needs no request. */
export class ImageSeriesCache {
  readonly #series = new Map<string, ImageSeries>();

  constructor(private readonly context: Context) {}

  of(run: string, tag: string): ImageSeries {
    const key = `${tag}\n${run}`;
    const found = this.#series.get(key) ?? createDetached(() => new ImageSeries(run, tag));
    this.#series.delete(key);
    this.#series.set(key, found);
    if (this.#series.size > MAX_SERIES) this.#series.delete(this.#series.keys().next().value!);
    return found;
  }

  /** Keeps a series up to date. Run inside an effect. */
  follow(series: ImageSeries): void {
    series.request(this.context.revisionOf("images", series.tag), this.context.settings.attempts);
    series.captionRevision = hasCaptions(this.context.catalogue.tags("text"), series.tag, series.run)
      ? this.context.revisionOf("text", captionTag(series.tag)) + 1
      : 0;
  }
}
