/** One card: the texts of a run under a tag, which of them is shown, and how. */

import { PayloadSource, type CardMemory } from "$public/boards";
import { payloadAttempts } from "$public/charts";
import { atOrBefore, Resource, type DashboardContext, type PayloadList } from "$public/core";
import { fetchEntry, keyOf, type Entry } from "./model";

export type Mode = "text" | "raw" | "diff";

/** The text at one index of one series. */
export class Reading {
  readonly source = new PayloadSource();
  readonly #entry = new Resource<{ list: PayloadList; at: number }, Entry>(({ list, at }) => fetchEntry(list, at), {
    keyOf: ({ list, at }) => JSON.stringify([list.run, list.tag, list.index[at], list.walls[at], at]),
    abortAfterMs: 0,
  });

  get entry(): Entry | null {
    return this.#entry.value;
  }

  /** The index of `entry` in the list. */
  get shownAt(): number {
    return this.#entry.loaded?.request.at ?? -1;
  }

  get error(): string {
    return this.#entry.error;
  }

  list(context: DashboardContext, run: string, tag: string): void {
    this.source.load(
      { run, tag, kind: "text", attempts: payloadAttempts(context.settings.attempts) },
      context.revisionOf("text", tag),
    );
  }

  /** Run inside an effect. */
  read(at: number): void {
    const list = this.source.value;
    if (list && at >= 0) this.#entry.load({ list, at });
  }

  retry(): void {
    if (this.source.failure) this.source.retry();
    if (this.#entry.failure) this.#entry.retry();
  }

  close(): void {
    this.source.close();
    this.#entry.close();
  }
}

export class TextCard {
  readonly main = new Reading();
  readonly other = new Reading();

  constructor(
    private readonly context: DashboardContext,
    private readonly memory: CardMemory,
    private readonly cell: () => { readonly tag: string; readonly run: string },
    private readonly rawByDefault: () => boolean,
  ) {}

  readonly key = $derived.by(() => keyOf(this.cell().tag, this.cell().run));
  readonly #kept = $derived.by(() => this.memory.of(this.key));
  readonly steps = $derived.by((): readonly number[] => this.main.source.value?.steps ?? []);
  /** Without a wanted the newest, also when newer ones come. */
  readonly at = $derived.by(() => placeOf(this.steps, this.#kept.step));
  readonly mode = $derived.by((): Mode => {
    const { mode } = this.#kept;
    return mode === "raw" || mode === "text" || mode === "diff" ? mode : this.rawByDefault() ? "raw" : "text";
  });
  /** What a diff is against: another run, or this one at another step. */
  readonly otherRun = $derived.by(() => (typeof this.#kept.run === "string" ? this.#kept.run : this.cell().run));
  readonly otherSteps = $derived.by((): readonly number[] => this.other.source.value?.steps ?? []);
  readonly otherAt = $derived.by(() => {
    if (this.#kept.against !== undefined) return placeOf(this.otherSteps, this.#kept.against);
    if (this.otherRun === this.cell().run) return Math.max(0, Math.min(this.at - 1, this.otherSteps.length - 1));
    return atOrBefore(this.otherSteps, this.steps[this.at] ?? 0);
  });
  readonly error = $derived.by(() => this.main.source.error || this.main.error);

  move(at: number): void {
    this.memory.change(this.key, { step: at === this.steps.length - 1 ? undefined : this.steps[at] });
  }

  moveOther(at: number): void {
    this.memory.change(this.key, { against: this.otherSteps[at] });
  }

  setMode(mode: Mode): void {
    const usual = this.rawByDefault() ? "raw" : "text";
    this.memory.change(this.key, {
      mode: mode === usual ? undefined : mode,
      ...(mode === "diff" ? {} : { run: undefined, against: undefined }),
    });
  }

  setOtherRun(run: string): void {
    this.memory.change(this.key, { run: run === this.cell().run ? undefined : run, against: undefined });
  }

  /** Asks for what is shown. Run inside an effect. */
  ask(): void {
    const { run, tag } = this.cell();
    this.main.list(this.context, run, tag);
    this.main.read(this.at);
    if (this.mode !== "diff") return;
    this.other.list(this.context, this.otherRun, tag);
    this.other.read(this.otherAt);
  }

  close(): void {
    this.main.close();
    this.other.close();
  }
}

function placeOf(steps: readonly number[], wanted: unknown): number {
  return typeof wanted === "number" && Number.isFinite(wanted) ? atOrBefore(steps, wanted) : steps.length - 1;
}
