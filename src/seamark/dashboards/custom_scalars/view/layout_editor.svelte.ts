/** The chosen layout and its changes. Each is saved at once and can be undone. */

import { type MenuGroups } from "$public/boards";
import { messageOf, type DashboardContext } from "$public/core";
import { addChart, changeChart, moveCategory, moveChart, removeChart, renameCategory, stepFrom } from "./edit";
import { readLayout, saveLayout } from "./files";
import { Layouts } from "./layouts.svelte";
import { freeName, patternsOf, sectionsOf, type Card, type Chart, type Layout, type ChartPosition } from "./model";

/** A request for a name. */
export interface Naming {
  readonly label: string;
  readonly name: string;
  readonly action: string;
  /** What is called so already; another may not have the same name. */
  readonly taken: readonly string[];
  /** Beside what the question is; the menu of layouts without it. */
  readonly anchor?: HTMLElement;
  readonly done: (name: string) => void;
}

const NEW_CHART: Chart = { kind: "lines", title: "", patterns: [] };

export class LayoutEditor {
  readonly layouts: Layouts;
  isEditing = $state(false);
  naming = $state.raw<Naming | null>(null);
  /** What was removed last, with the way back. */
  undo = $state.raw<{ readonly words: string; readonly run: () => void } | null>(null);
  /** The chart that is being made or changed; `position` is null for a new one. */
  draft = $state.raw<{
    readonly position: ChartPosition | null;
    readonly category: string;
    readonly chart: Chart;
  } | null>(null);
  error = $state("");
  announcement = $state("");

  constructor(private readonly context: DashboardContext) {
    this.layouts = new Layouts(context.saved);
  }

  /** Null is the layout of the logs. Without a word in the address it is that one if there is one, else the first that was made. */
  readonly name = $derived.by((): string | null => {
    const preferred = this.context.url.get("layout");
    if (preferred !== undefined) return preferred;
    return this.layouts.logged?.length === 0 ? (this.layouts.names[0] ?? null) : null;
  });
  readonly layout = $derived.by((): Layout | undefined =>
    this.name === null ? (this.layouts.logged ?? []) : this.layouts.saved?.get(this.name),
  );
  readonly sections = $derived.by(() => sectionsOf(this.layout ?? []));
  readonly patterns = $derived.by(() => patternsOf(this.layout ?? []));
  readonly hasLogged = $derived.by(() => (this.layouts.logged?.length ?? 0) > 0);

  choose(name: string | null): void {
    this.isEditing = false;
    this.undo = null;
    this.error = "";
    this.context.url.set("card", undefined);
    this.context.url.set("layout", name ?? undefined, { push: true });
  }

  /** The logs' layout is not ours to change: a copy is. */
  edit(): void {
    if (this.name !== null) return void (this.isEditing = !this.isEditing);
    this.#create("From the logs", this.layout ?? [], "Edit a copy");
  }

  create(): void {
    this.#create("My layout", [], "New layout");
  }

  #create(preferred: string, layout: Layout, label: string): void {
    this.naming = {
      label: `${label}: its name`,
      name: freeName(preferred, this.layouts.names),
      action: "Create",
      taken: this.layouts.names,
      done: (name) => {
        this.layouts.save(name, layout);
        this.choose(name);
        this.isEditing = true;
      },
    };
  }

  startChart(): void {
    this.isEditing = true;
    this.draft = { position: null, category: this.layout?.at(-1)?.title ?? "", chart: NEW_CHART };
  }

  editChart({ position, chart }: Card): void {
    this.draft = { position, chart, category: this.layout?.[position.category]?.title ?? "" };
  }

  saveDraft(category: string, chart: Chart): void {
    const [layout, position] = [this.layout ?? [], this.draft?.position];
    this.#change(position ? changeChart(layout, position, category, chart) : addChart(layout, category, chart));
    this.draft = null;
  }

  remove({ position, chart }: Card): void {
    const { name, layout: before } = this;
    if (name === null || !before) return;
    this.#change(removeChart(before, position));
    this.undo = { words: `“${chart.title}” was removed.`, run: () => this.layouts.save(name, before) };
  }

  revert(): void {
    const { undo } = this;
    this.undo = null;
    undo?.run();
  }

  move(from: ChartPosition, to: ChartPosition): void {
    this.#change(moveChart(this.layout ?? [], from, to));
  }

  /** The key of the card where it is afterwards. */
  step({ position, chart }: Card, by: 1 | -1): string | null {
    const to = stepFrom(this.layout ?? [], position, by);
    if (!to) return null;
    this.move(position, to);
    for (const { title, cards } of this.sections) {
      const at = cards.findIndex((card) => card.chart === chart);
      if (at < 0) continue;
      this.announcement = `${chart.title}: place ${at + 1} of ${cards.length} in ${title}`;
      return cards[at]!.key;
    }
    return null;
  }

  /** Whether it could: the first cannot go up. */
  moveSection(at: number, by: 1 | -1): boolean {
    const { layout } = this;
    const title = this.sections[at]?.title ?? "";
    if (!layout || layout === moveCategory(layout, at, by)) return false;
    this.#change(moveCategory(layout, at, by));
    this.announcement = `${title}: section ${at + by + 1} of ${layout.length}`;
    return true;
  }

  renameSection(at: number, anchor: HTMLElement): void {
    const { name, layout } = this;
    const section = layout?.[at];
    if (name === null || !layout || !section) return;
    this.naming = {
      label: "Rename the section",
      name: section.title,
      action: "Rename",
      taken: [],
      anchor,
      done: (to) => {
        this.#change(renameCategory(layout, at, to));
        if (to !== section.title && layout.some(({ title }) => title === to)) {
          this.undo = {
            words: `The charts of “${section.title || "Charts"}” are in “${to}” now.`,
            run: () => this.layouts.save(name, layout),
          };
        }
      },
    };
  }

  #change(layout: Layout): void {
    if (this.name === null || layout === this.layout) return;
    this.undo = null;
    this.layouts.save(this.name, layout);
  }

  /** `pick` lets the person choose a file. */
  choices(pick: () => void): MenuGroups {
    const { layouts, name } = this;
    return [
      this.hasLogged || name === null
        ? [{ title: "From the logs", checked: name === null, run: () => this.choose(null) }]
        : [],
      layouts.names.map((other) => ({ title: other, checked: other === name, run: () => this.choose(other) })),
      this.context.canChange
        ? [
            { title: "New layout…", run: () => this.create() },
            { title: "Import JSON…", run: pick },
          ]
        : [],
    ];
  }

  actions(pick: () => void): MenuGroups {
    const { name, layout } = this;
    const own = name !== null && layout ? name : null;
    const isByTag = this.context.url.get("colour") === "tag";
    return [
      layout
        ? [
            ...(own === null ? [] : [{ title: "Rename…", run: () => this.#rename(own) }]),
            { title: "Duplicate…", run: () => this.#create(own ?? "From the logs", layout, "Duplicate") },
          ]
        : [],
      [
        ...(layout ? [{ title: "Export as JSON", run: () => saveLayout(own ?? "From the logs", layout) }] : []),
        { title: "Import JSON…", run: pick },
      ],
      [
        {
          title: "Colour by tag",
          hint: "charts of several tags",
          checked: isByTag,
          run: () => this.context.url.set("colour", isByTag ? undefined : "tag"),
        },
      ],
      own === null ? [] : [{ title: "Delete", run: () => this.#delete(own) }],
    ];
  }

  #rename(name: string): void {
    this.naming = {
      label: "Rename the layout",
      name,
      action: "Rename",
      taken: this.layouts.names.filter((other) => other !== name),
      done: (to) => {
        const { isEditing } = this;
        this.layouts.rename(name, to);
        this.choose(to);
        this.isEditing = isEditing;
      },
    };
  }

  #delete(name: string): void {
    const layout = this.layouts.saved?.get(name);
    if (!layout) return;
    this.layouts.remove(name);
    this.choose(null);
    const run = (): void => {
      this.layouts.save(name, layout);
      this.choose(name);
    };
    this.undo = { words: `The layout “${name}” was deleted.`, run };
  }

  async import(file: File): Promise<void> {
    this.error = "";
    try {
      const { name, layout } = await readLayout(file);
      const free = freeName(name || "Imported", this.layouts.names);
      this.layouts.save(free, layout);
      this.choose(free);
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }
}
