/** One card: the texts of a run under a tag, which of them is shown, and how. */

import { PayloadSource, type BoardContext, cardFields } from "$public/boards";
import { Resource, type DashboardContext, type PayloadList, sortedLists } from "$public/core";
import { fetchEntry, type Cell, type Entry } from "./model";

const MODES = ["text", "raw", "diff"] as const;
export type Mode = (typeof MODES)[number];
type Board = BoardContext<DashboardContext>;

/** How cards show their texts unless one of them differs. */
export const defaultMode = ({ context }: Board): Mode => (context.url.get("raw") === "1" ? "raw" : "text");

const modeOf = (board: Board, card: string): Mode =>
  MODES.find((mode) => mode === board.cards.of(card).mode) ?? defaultMode(board);

function setMode(board: Board, card: string, mode: Mode): void {
  board.cards.change(card, {
    mode: mode === defaultMode(board) ? undefined : mode,
    ...(mode === "diff" ? {} : { run: undefined, against: undefined }),
  });
}

/** The mode, or back to the rendered text if the card has it already. */
export const toggleMode = (board: Board, card: string, mode: Mode): void =>
  setMode(board, card, modeOf(board, card) === mode ? "text" : mode);

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
    this.source.load({ run, tag, kind: "text", attempts: context.settings.attempts }, context.revisionOf("text", tag));
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
    private readonly board: Board,
    private readonly cell: () => Cell,
  ) {}

  readonly #fields = $derived.by(() => this.board.cards.of(this.cell().key));
  readonly steps = $derived.by(() => this.main.source.steps);
  /** The newest unless a step was chosen, also when newer ones come. */
  readonly at = $derived.by(() => indexOf(this.main.source, this.#fields.step));
  readonly mode = $derived.by(() => modeOf(this.board, this.cell().key));
  /** What a diff is against: another run, or this one at another step. */
  readonly otherRun = $derived.by(() => (typeof this.#fields.run === "string" ? this.#fields.run : this.cell().run));
  readonly otherSteps = $derived.by(() => this.other.source.steps);
  readonly otherAt = $derived.by(() => {
    if (this.#fields.against !== undefined) return indexOf(this.other.source, this.#fields.against);
    if (this.otherRun === this.cell().run) return Math.max(0, Math.min(this.at - 1, this.otherSteps.length - 1));
    return sortedLists.atOrBefore(this.otherSteps, this.steps[this.at] ?? 0);
  });
  readonly error = $derived.by(() => this.main.source.error || this.main.error);

  move(at: number): void {
    this.#change({ step: at === this.main.source.newest ? undefined : this.steps[at] });
  }

  moveOther(at: number): void {
    this.#change({ against: this.otherSteps[at] });
  }

  setMode(mode: Mode): void {
    setMode(this.board, this.cell().key, mode);
  }

  setOtherRun(run: string): void {
    this.#change({ run: run === this.cell().run ? undefined : run, against: undefined });
  }

  /** Requests what is shown. Run inside an effect. */
  request(): void {
    const { context } = this.board;
    const { run, logged } = this.cell();
    this.main.list(context, run, logged);
    this.main.read(this.at);
    if (this.mode !== "diff") return;
    this.other.list(context, this.otherRun, logged);
    this.other.read(this.otherAt);
  }

  close(): void {
    this.main.close();
    this.other.close();
  }

  #change(change: Readonly<Record<string, unknown>>): void {
    this.board.cards.change(this.cell().key, change);
  }
}

function indexOf(source: PayloadSource, field: unknown): number {
  const step = cardFields.number(field);
  return step === undefined ? source.newest : sortedLists.atOrBefore(source.steps, step);
}
