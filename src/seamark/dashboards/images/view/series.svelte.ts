/** The images of one run and tag: their list, and what single steps hold. Only what is looked at is asked for. */

import { prefersReducedMotion } from "svelte/motion";
import { payloadAttempts } from "$public/charts";
import {
  atOrBefore,
  captionTag,
  fetchCaptions,
  fetchJson,
  hasCaptions,
  LatestOnly,
  messageOf,
  payloadAddress,
  payloadQuery,
  type DashboardContext,
} from "$public/core";
import { inStepOrder, keyOf, KIND, type Held, type Sample, type SeriesList } from "./model";

const ROUTES = "api/dashboards/images";
const GROWTH_PAUSE_MS = 300;
const MAX_HELD = 200;
const MAX_SERIES = 400;
const reasonOf = (error: unknown): string => messageOf(error);

export class Series {
  #list = $state.raw<SeriesList | null>(null);
  #held = $state.raw<ReadonlyMap<number, Held>>(new Map());
  error = $state("");
  #asked = "";
  readonly #reading = new LatestOnly<"latest" | "all">((attempts) => this.#read(attempts), GROWTH_PAUSE_MS);
  readonly #looking = new Set<number>();
  /** Grows with the captions that the run logs for this tag; 0 where it logs none. */
  captionRevision = $state(0);
  #captions = $state.raw<ReadonlyMap<number, readonly string[]>>(new Map());
  readonly #captionsAsked = new Set<string>();

  constructor(
    readonly run: string,
    readonly tag: string,
  ) {}

  readonly isKnown = $derived(this.#list !== null);
  readonly #order = $derived(this.#list ? inStepOrder(this.#list.steps) : []);
  /** Ascending. */
  readonly steps = $derived(this.#list ? this.#order.map((place) => this.#list!.steps[place]!) : []);

  /** Reads the list unless it is the one of this revision already. */
  ask(revision: number, attempts: "latest" | "all"): void {
    const request = `${revision} ${attempts}`;
    if (this.#asked === request) return;
    this.#asked = request;
    this.#reading.run(attempts);
  }

  retry(): void {
    this.#asked = "";
    this.error = "";
    this.#reading.run("latest");
  }

  /** The place that a step means; null is the newest. −1 when there is none. */
  placeOf(step: number | null): number {
    return step === null ? this.steps.length - 1 : atOrBefore(this.steps, step);
  }

  heldAt(place: number): Held | undefined {
    const index = this.#list?.index[this.#order[place]!];
    return index === undefined ? undefined : this.#held.get(index);
  }

  wallAt(place: number): number | undefined {
    return this.#list?.walls[this.#order[place]!];
  }

  /** Reads what this place holds, once. */
  look(place: number): void {
    const list = this.#list;
    const at = this.#order[place];
    if (!list || at === undefined) return;
    const index = list.index[at]!;
    if (this.#held.has(index) || this.#looking.has(index)) return;
    this.#looking.add(index);
    fetchJson<Held>(`${ROUTES}/step?${this.#query(place, 0)}`)
      .catch((error: unknown): Held => ({ index, width: 0, height: 0, samples: [], fault: reasonOf(error) }))
      .then((held) => this.#keep(held))
      .finally(() => this.#looking.delete(index));
  }

  captionOf(place: number, sample: number): string {
    return this.#captions.get(this.steps[place]!)?.[sample] ?? "";
  }

  /** Reads the captions of this place, and again when more were logged and it has none. Run inside an effect. */
  lookAtCaptions(place: number): void {
    const step = this.steps[place];
    const samples = this.heldAt(place)?.samples.length ?? 0;
    const question = `${step} ${this.captionRevision}`;
    if (
      this.captionRevision === 0 ||
      step === undefined ||
      samples === 0 ||
      this.#captions.get(step)?.some(Boolean) ||
      this.#captionsAsked.has(question)
    )
      return;
    this.#captionsAsked.add(question);
    fetchCaptions(this.run, this.tag, step, samples).then(
      (captions) => {
        const kept = new Map(this.#captions).set(step, captions);
        if (kept.size > MAX_HELD) kept.delete(kept.keys().next().value!);
        this.#captions = kept;
      },
      () => this.#captionsAsked.delete(question),
    ); // the picture stands without; asked again when it is next looked at
  }

  /** The address of a picture: small, or as it was logged. */
  addressOf(place: number, sample: number, side?: number): string {
    if (side !== undefined) return `${ROUTES}/thumbnail?${this.#query(place, sample)}&side=${side}`;
    return payloadAddress(this.#list!, this.#order[place]!, sample);
  }

  /** Of the picture to show: one that moves stands still for those who asked their system for less motion. */
  shownAddress(place: number, sample: number, side?: number): string {
    const isStill = prefersReducedMotion.current && this.sampleAt(place, sample)?.mime === "image/gif";
    return isStill ? `${ROUTES}/frame?${this.#query(place, sample)}&frame=0` : this.addressOf(place, sample, side);
  }

  sampleAt(place: number, sample: number): Sample | undefined {
    return this.heldAt(place)?.samples[sample];
  }

  #query(place: number, sample: number): string {
    const query = payloadQuery(this.#list!, this.#order[place]!, sample);
    query.delete("kind");
    return query.toString();
  }

  async #read(attempts: "latest" | "all"): Promise<void> {
    try {
      const list = await fetchJson<SeriesList>(
        `${ROUTES}/series?${new URLSearchParams({ run: this.run, tag: this.tag, attempts })}`,
      );
      // A file that was replaced counts its images anew: what was known of them is void.
      const grew =
        this.#list?.index.every(
          (index, place) => list.index[place] === index && list.walls[place] === this.#list!.walls[place],
        ) ?? true;
      if (!grew) this.#held = new Map();
      if (list.newest) this.#keep(list.newest);
      this.#list = list;
      this.error = "";
    } catch (error) {
      this.error = reasonOf(error);
    }
  }

  #keep(held: Held): void {
    const kept = new Map(this.#held).set(held.index, held);
    if (kept.size > MAX_HELD) kept.delete(kept.keys().next().value!);
    this.#held = kept;
  }
}

/** What is derived in it must not end with the card that happened to ask first. */
function createDetached(make: () => Series): Series {
  let made: Series | undefined;
  $effect.root(() => {
    made = make();
  });
  return made!;
}

/** Every series that was looked at lately, so that scrolling back shows at once what was there. */
export class Library {
  readonly #series = new Map<string, Series>();

  constructor(private readonly context: DashboardContext) {}

  of(run: string, tag: string): Series {
    const key = keyOf(run, tag);
    const found = this.#series.get(key) ?? createDetached(() => new Series(run, tag));
    this.#series.delete(key);
    this.#series.set(key, found);
    if (this.#series.size > MAX_SERIES) this.#series.delete(this.#series.keys().next().value!);
    return found;
  }

  /** Keeps a series fresh: for an effect of whoever shows it. */
  follow(series: Series): void {
    series.ask(this.context.revisionOf(KIND, series.tag), payloadAttempts(this.context.settings.attempts));
    series.captionRevision = hasCaptions(this.context.catalogue.tags("text"), series.tag, series.run)
      ? this.context.revisionOf("text", captionTag(series.tag)) + 1
      : 0;
  }
}
