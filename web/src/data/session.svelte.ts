/** What the server knows, kept fresh: runs, tags, progress, and a revision per tag that grows when its data does. */

import { messageOf } from "../base/errors";
import { SvelteMap } from "svelte/reactivity";
import {
  fetchDashboards,
  fetchHasData,
  fetchProblems,
  fetchProgress,
  fetchRuns,
  fetchTags,
  type Counts,
  type DashboardInfo,
  type Problem,
  type Progress,
  type Run,
  type TagEntry,
} from "./api";
import { LatestOnly } from "./latest_only";
import { Live, type Change } from "./live";
import { Notes } from "./notes.svelte";

const CATALOGUE_PAUSE_MS = 250;
/** Of the pause after lists that took long: what came meanwhile is to be seen within some two seconds all the same. */
const LONGEST_PAUSE_MS = 1000;
const NONE: readonly TagEntry[] = [];

export class Session {
  runs = $state.raw<readonly Run[]>([]);
  dashboards = $state.raw<readonly DashboardInfo[]>([]);
  /** The names of those that say themselves whether they have data, and said yes. */
  filled = $state.raw<ReadonlySet<string>>(new Set());
  #tags = $state.raw<ReadonlyMap<string, readonly TagEntry[]>>(new Map());
  readonly #kindsKey = $derived([...this.#tags.keys()].join("\0"));
  readonly kinds = $derived(this.#kindsKey === "" ? [] : this.#kindsKey.split("\0"));
  problems = $state.raw<readonly Problem[]>([]);
  roots = $state.raw<Progress["roots"]>([]);
  /** Moves while the first reading goes on. */
  progress = $state.raw<Counts | null>(null);
  /** The lists above were asked for after the first reading had ended: what is not in them is not there. */
  isComplete = $state(false);
  error = $state("");
  connected = $state(false);
  /** When the last change came, in milliseconds of this browser's clock. */
  changedAt = $state(0);
  /** With --reload_dashboards: by dashboard, the version of a module that changed since the server started. */
  moduleVersions = $state.raw<Readonly<Record<string, number>>>({});
  readonly notes = new Notes();
  readonly #revisions = new SvelteMap<string, number>();
  #epoch = $state(0);
  #onLists = (): void => undefined;
  readonly #catalogue = new LatestOnly<void>(() => this.#readCatalogue(), CATALOGUE_PAUSE_MS);
  readonly #live = new Live({
    onOpen: () => {
      this.connected = true;
      if (this.error) this.#refreshAll();
    },
    onHello: () => this.#refreshAll(),
    onState: () => void this.notes.read(),
    onModules: (versions) => (this.moduleVersions = versions),
    onLost: () => (this.connected = false),
    onProgress: (progress) => {
      this.progress = progress;
      if (!progress.loading) this.#catalogue.run();
    },
    onChange: (change) => this.#apply(change),
  });

  /** Resolves when the first lists are here, or cannot be had. */
  start(): Promise<void> {
    const first = new Promise<void>((resolve) => (this.#onLists = resolve));
    this.#catalogue.run();
    void this.notes.read();
    this.#live.open();
    return first;
  }

  retry(): void {
    this.error = "";
    this.#refreshAll();
  }

  tags(kind: string): readonly TagEntry[] {
    return this.#tags.get(kind) ?? NONE;
  }

  /** Reading it makes a chart redraw when this tag's data changed. */
  revisionOf(kind: string, tag: string): number {
    return this.#epoch + (this.#revisions.get(`${kind}\0${tag}`) ?? 0);
  }

  #apply(change: Change): void {
    this.changedAt = Date.now();
    if (change.resync) return this.#refreshAll();
    for (const tag of change.tags) this.#grow("scalars", tag);
    for (const { kind, tag } of change.payloads ?? []) this.#grow(kind, tag);
    this.#catalogue.run();
  }

  #grow(kind: string, tag: string): void {
    const key = `${kind}\0${tag}`;
    this.#revisions.set(key, (this.#revisions.get(key) ?? 0) + 1);
  }

  #refreshAll(): void {
    this.#epoch += 1;
    this.#catalogue.run();
  }

  async #readCatalogue(): Promise<void> {
    const begun = performance.now();
    try {
      // First: when it says that all is read, the lists that follow hold all.
      const { roots, ...progress } = await fetchProgress();
      const [runs, tags, problems, dashboards] = await Promise.all([
        fetchRuns(),
        fetchTags(),
        fetchProblems(),
        this.#readDashboards(),
      ]);
      this.roots = roots;
      this.progress = progress;
      this.isComplete = !progress.loading;
      this.runs = runs;
      this.#tags = tags;
      this.dashboards = dashboards;
      this.problems = problems;
      this.error = "";
      void this.#askWhoHasData();
    } catch (error) {
      this.error = messageOf(error);
    }
    this.#onLists();
    // Lists that take long are asked for less often; and a page that has just begun draws its charts first.
    await new Promise((resolve) => setTimeout(resolve, Math.min((performance.now() - begun) * 4, LONGEST_PAUSE_MS)));
  }

  /** Beside the lists, which do not wait for it. What has data keeps its tab; who does not answer has none. */
  async #askWhoHasData(): Promise<void> {
    const unsure = this.dashboards.filter(
      ({ name, kinds, has_data }) =>
        has_data && !this.filled.has(name) && (kinds.length === 0 || kinds.some((kind) => this.#tags.has(kind))),
    );
    const answers = await Promise.all(unsure.map(({ has_data }) => fetchHasData(has_data!).catch(() => false)));
    const filled = unsure.filter((_, index) => answers[index]).map(({ name }) => name);
    if (filled.length > 0) this.filled = new Set([...this.filled, ...filled]);
  }

  /** They change with an installation only: once is enough. */
  async #readDashboards(): Promise<readonly DashboardInfo[]> {
    return this.dashboards.length > 0 ? this.dashboards : fetchDashboards();
  }
}
