/** A board of cards: tags that match the filter, in sections by their prefix, and the card on the full screen. */

import { parseNames } from "../../base/json";
import { parseFilter } from "../../base/patterns.svelte";
import { groupByPrefix, type TagGroup } from "../../base/tags";
import type { TagEntry } from "../../data/api";
import { BoardContext } from "./board_context.svelte";
import type { BoardCommand, BoardHost } from "./host";
import { CHART_COLUMNS, type Columns, type Section } from "./layout";

export interface BoardCard {
  readonly key: string;
  readonly tag: string;
}

/** A section before its tags have become cards. */
export interface TagSection<Entry> extends TagGroup<Entry>, Pick<Section<Entry>, "icon" | "alone"> {
  /** It is closed until a person opens it. */
  readonly startsClosed?: boolean;
}

/** What differs between boards. Every function is reactive. */
export interface BoardSpec<Card extends BoardCard, Entry extends TagEntry = TagEntry> {
  /** Names the toolbar. */
  readonly label: string;
  /** The plural of what is shown, for messages. */
  readonly noun: string;
  /** Shown in place of everything if no run has logged any. */
  readonly empty?: { readonly title: string; readonly sentence: string; readonly code: string };
  tags(): readonly Entry[];
  /** False: its cards are not filtered by tag. */
  readonly hasFilter?: boolean;
  /** Whether `tags` holds all there are; defaults to the catalogue's. */
  isComplete?(): boolean;
  /** Why the tags could not be read, and how to try again. */
  error?(): string;
  retry?(): void;
  /** The cards of a tag for these runs, which are in the order of the runs table. */
  cardsOf(entry: Entry, runs: readonly string[]): readonly Card[];
  /** The sections of the tags that match the filter; by prefix without it. */
  sectionsOf?(matching: readonly Entry[]): readonly TagSection<Entry>[];
  /** Those of charts without it. */
  readonly columns?: Columns;
  heightOf(card: Card, width: number, columns: number): number;
  /** See CardGrid. */
  measuredAs?(card: Card): string | null;
  /** Whether the card may be wider than a column, so that rows fill the width; its height must not grow with it. */
  stretches?(card: Card): boolean;
  /** A command replaces the standard one with the same keys. */
  commands?(): readonly BoardCommand[];
}

export interface RunCard extends BoardCard {
  readonly run: string;
}

/** One card for each of these runs that has the tag. */
export function cardPerRun({ tag, runs }: TagEntry, shown: readonly string[]): RunCard[] {
  const having = new Set(runs);
  return shown.filter((run) => having.has(run)).map((run) => ({ key: runCardKey(tag, run), tag, run }));
}

export const runCardKey = (tag: string, run: string): string => `${tag}\n${run}`;

const KEYS_FOR_COLUMNS = 4;
const columnWords = (count: number): string => `${count} ${count === 1 ? "column" : "columns"}`;

export class BoardModel<
  Card extends BoardCard,
  Entry extends TagEntry = TagEntry,
  Host extends BoardHost = BoardHost,
> extends BoardContext<Host> {
  /** Of the page, and how far it is scrolled; both outlive a full screen. */
  width = $state(0);
  scrollTop = $state(0);
  readonly #closed = $derived.by(() => new Set(parseNames(this.context.url.get("closed"))));
  readonly tags = $derived.by(() => this.spec.tags());
  readonly filter = $derived.by(() => parseFilter(this.context.settings.tagFilter));
  readonly matching = $derived.by(() =>
    this.hasFilter ? this.tags.filter(({ tag }) => this.filter.matches(tag)) : this.tags,
  );
  readonly isComplete = $derived.by(() => this.context.catalogue.isComplete && (this.spec.isComplete?.() ?? true));
  readonly error = $derived.by(() => this.spec.error?.() ?? "");
  readonly isEmpty = $derived.by(
    () => this.spec.empty !== undefined && this.tags.length === 0 && this.isComplete && this.error === "",
  );
  /** Apart from the cards: runs are shown and hidden more often than tags come and go. */
  readonly #tagSections = $derived.by(
    (): readonly TagSection<Entry>[] => this.spec.sectionsOf?.(this.matching) ?? groupByPrefix(this.matching),
  );
  readonly sections = $derived.by(() => this.#sections());
  /** The runs that could show something if nothing is shown. */
  readonly hiddenRuns = $derived.by(() => [...new Set(this.matching.flatMap(({ runs }) => runs))]);
  readonly fullCard = $derived.by(() => (this.full === null ? undefined : this.#find(this.full)));
  readonly columns = $derived.by(() => {
    const { choices, fit, max } = this.#choices;
    const preferred = Math.round(this.context.settings.columns);
    return preferred >= 1 ? Math.min(preferred, max?.(this.width) ?? choices.at(-1)!) : fit(this.width);
  });

  get columnChoices(): readonly number[] {
    return this.#choices.choices;
  }

  get #choices(): Columns {
    return this.spec.columns ?? CHART_COLUMNS;
  }

  constructor(
    context: Host,
    readonly spec: BoardSpec<Card, Entry>,
  ) {
    super(context);
  }

  get hasFilter(): boolean {
    return this.spec.hasFilter ?? true;
  }

  toggleSection(section: string): void {
    const closed = new Set(this.#closed);
    if (!closed.delete(section)) closed.add(section);
    this.context.url.set("closed", closed.size > 0 ? JSON.stringify([...closed]) : undefined);
  }

  /** Columns can be changed while `hasColumns`: while cards are shown in them. */
  commands(focusFilter: () => void, hasColumns: boolean): BoardCommand[] {
    const own = this.spec.commands?.() ?? [];
    const taken = new Set(own.map(({ keys }) => keys));
    const choices = hasColumns ? this.columnChoices.filter((count) => count <= KEYS_FOR_COLUMNS) : [];
    const standard: BoardCommand[] = [
      ...(this.hasFilter ? [{ title: "Filter tags", keys: "t", run: focusFilter }] : []),
      { title: "Full screen", keys: "e", run: () => this.#toggleFull() },
      ...choices.map((count) => ({
        title: columnWords(count),
        keys: String(count),
        run: () => void (this.context.settings.columns = count),
      })),
    ];
    return [...standard.filter(({ keys }) => !taken.has(keys)), ...own];
  }

  #toggleFull(): void {
    if (this.full !== null) this.open(null);
    else if (this.at !== null) this.open(this.at);
  }

  #sections(): Section<Card>[] {
    const { shown } = this.context.runs;
    return this.#tagSections
      .map(({ prefix, entries, startsClosed = false, ...section }) => ({
        ...section,
        key: prefix,
        entries: entries.flatMap((entry) => this.spec.cardsOf(entry, shown)),
        open: this.#closed.has(prefix) === startsClosed,
      }))
      .filter(({ entries }) => entries.length > 0);
  }

  /** Also a card of a hidden run, to which a link may lead. */
  #find(key: string): Card | undefined {
    const among = (runsOf: (entry: Entry) => readonly string[]): Card | undefined =>
      this.tags.flatMap((entry) => this.spec.cardsOf(entry, runsOf(entry))).find((card) => card.key === key);
    return among(() => this.context.runs.shown) ?? among(({ runs }) => runs);
  }
}
