/** One card: the texts of a run under a tag, which of them is shown, and how. */

import { PayloadSource, type CardMemory } from "$public/boards";
import { payloadAttempts } from "$public/charts";
import { atOrBefore, messageOf, type DashboardContext } from "$public/core";
import { fetchEntry, keyOf, type Entry } from "./model";

export type Mode = "text" | "raw" | "diff";

/** The text at one place of one series, read when it is asked for. */
export class Reading {
  readonly source = new PayloadSource();
  entry = $state.raw<Entry | null>(null);
  /** The place of `entry` in the list. */
  shownAt = $state(-1);
  error = $state("");
  #turn = 0;

  list(context: DashboardContext, run: string, tag: string): void {
    this.source.ask(
      { run, tag, kind: "text", attempts: payloadAttempts(context.settings.attempts) },
      context.revisionOf("text", tag),
    );
  }

  /** Run inside an effect. An older answer never takes the place of a newer one. */
  read(at: number): void {
    const { list } = this.source;
    if (!list || at < 0) return;
    const turn = ++this.#turn;
    fetchEntry(list, at).then(
      (entry) => {
        if (turn !== this.#turn) return;
        [this.entry, this.shownAt, this.error] = [entry, at, ""];
      },
      (failure: unknown) => {
        if (turn === this.#turn) this.error = messageOf(failure);
      },
    );
  }

  retry(): void {
    this.error = "";
    this.source.retry();
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
  readonly steps = $derived.by((): readonly number[] => this.main.source.list?.steps ?? []);
  /** Without a wanted the newest, also when newer ones come. */
  readonly at = $derived.by(() => placeOf(this.steps, this.#kept.step));
  readonly mode = $derived.by((): Mode => {
    const { mode } = this.#kept;
    return mode === "raw" || mode === "text" || mode === "diff" ? mode : this.rawByDefault() ? "raw" : "text";
  });
  /** What a diff is against: another run, or this one at another step. */
  readonly otherRun = $derived.by(() => (typeof this.#kept.run === "string" ? this.#kept.run : this.cell().run));
  readonly otherSteps = $derived.by((): readonly number[] => this.other.source.list?.steps ?? []);
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
    this.main.source.close();
    this.other.source.close();
  }
}

function placeOf(steps: readonly number[], wanted: unknown): number {
  return typeof wanted === "number" && Number.isFinite(wanted) ? atOrBefore(steps, wanted) : steps.length - 1;
}
