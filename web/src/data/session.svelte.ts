/** What the server knows: runs, tags, problems, progress, and a revision per tag that grows when its data does. */

import { messageOf } from "../base/errors";
import { whenIdle } from "../base/idle";
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
import { patchRuns, patchTags, tagsOfRuns, type TagLists } from "./catalogue";
import { Resource } from "./resource.svelte";
import { Live, type Change, type Notice } from "./live";
import { isPublished } from "./published";
import { Notes } from "./notes.svelte";
import { isAwaitingResponse } from "./request";

const CATALOGUE_PAUSE_MS = 250;
/** Lists that take long are requested less often, but at least about every two seconds. */
const MAX_PAUSE_MS = 1000;
const HAS_DATA_PAUSE_MS = 1000;
const MAX_HAS_DATA_WAIT_MS = 3000;
/** How often it is looked whether the open view still waits for a response. */
const AWAITED_PAUSE_MS = 100;
/** A search of many folders takes at most this share of the time. */
const HAS_DATA_SHARE = 1 / 5;
const NONE: readonly TagEntry[] = [];

export class Session {
  runs = $state.raw<readonly Run[]>([]);
  dashboards = $state.raw<readonly DashboardInfo[]>([]);
  /** Dashboards with a route that says whether they have data, which said yes. */
  filled = $state.raw<ReadonlySet<string>>(new Set());
  #tags = $state.raw<TagLists>(new Map());
  readonly #kindsKey = $derived([...this.#tags.keys()].join("\0"));
  readonly kinds = $derived(this.#kindsKey === "" ? [] : this.#kindsKey.split("\0"));
  problems = $state.raw<readonly Problem[]>([]);
  roots = $state.raw<Progress["roots"]>([]);
  /** When this site was published, in seconds since 1970; null on the page of a server. */
  published = $state<number | null>(null);
  /** Changes during the first reading. */
  progress = $state.raw<Counts | null>(null);
  /** The lists above were requested after the first reading had ended: what is not in them does not exist. */
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
  // A page that has just opened draws its charts before the lists are loaded again.
  readonly #catalogue = new Resource<null, void>(() => this.#loadCatalogue(), {
    pauseMs: (tookMs) => CATALOGUE_PAUSE_MS + Math.min(tookMs * 4, MAX_PAUSE_MS),
  });
  readonly #hasData = new Resource<null, void>(() => this.#loadHasData(), {
    pauseMs: (tookMs) => Math.max(HAS_DATA_PAUSE_MS, tookMs / HAS_DATA_SHARE),
  });
  readonly #noticeListeners: Record<Notice, Set<(version: string) => void>> = {
    comments: new Set(),
    notifications: new Set(),
  };
  /** Every dashboard that shows files has said whether there are any. */
  readonly areFilesKnown = $derived(this.#hasData.loaded !== null);
  #isFollowing = false;
  /** How often lists were found to be outdated. */
  #staleCount = 0;
  /** Changes that arrive while whole lists are requested, which may be older; null: none are being requested. */
  #lateChanges: Change[] | null = null;
  readonly #live = new Live({
    onOpen: () => {
      this.connected = true;
      if (this.error) this.#refreshAll();
    },
    onHello: () => this.#refreshAll(),
    onState: (version) => {
      if (version !== this.notes.document.version) void this.notes.read();
    },
    onNotice: (list, version) => {
      for (const listener of this.#noticeListeners[list]) listener(version);
    },
    onModules: (versions) => (this.moduleVersions = versions),
    onLost: () => (this.connected = false),
    onProgress: (progress) => {
      this.progress = progress;
      if (!progress.loading) this.#reload(this.#catalogue);
    },
    onChange: (change) => this.#apply(change),
  });

  /** Resolves when the first lists are there, or have failed. */
  start(): Promise<void> {
    const first = new Promise<void>((resolve) => (this.#onLists = resolve));
    this.#reload(this.#catalogue);
    void this.notes.read();
    if (isPublished) this.connected = true;
    return first;
  }

  /** Calls `listener` with the version of a list whenever the server announces one. Returns an unsubscribe function. */
  onNotice(list: Notice, listener: (version: string) => void): () => void {
    this.#noticeListeners[list].add(listener);
    return () => this.#noticeListeners[list].delete(listener);
  }

  retry(): void {
    this.error = "";
    this.#refreshAll();
  }

  /** Looks again for files beside the event files: no change is sent when they appear. */
  lookForFiles(): void {
    this.#reload(this.#hasData);
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
    for (const { kind, tag } of change.payloads) this.#grow(kind, tag);
    if (!change.lists) return this.#reload(this.#catalogue);
    this.#lateChanges?.push(change);
    this.#patchLists(change);
  }

  #patchLists({ lists, runs_added, runs_removed, runs_reset }: Change): void {
    if (!lists) return;
    // Series of these runs are others than before, in each of their tags before and after.
    const stale = new Set([...runs_added, ...runs_removed, ...runs_reset]);
    const before = tagsOfRuns(this.#tags, stale);
    this.runs = patchRuns(this.runs, lists.runs, runs_removed);
    this.#tags = patchTags(this.#tags, lists.tags);
    if (lists.problems) this.problems = lists.problems;
    const grown = new Map([...before, ...tagsOfRuns(this.#tags, stale)].map((at) => [`${at.kind}\0${at.tag}`, at]));
    for (const { kind, tag } of grown.values()) this.#grow(kind, tag);
    this.#reload(this.#hasData);
  }

  #grow(kind: string, tag: string): void {
    const key = `${kind}\0${tag}`;
    this.#revisions.set(key, (this.#revisions.get(key) ?? 0) + 1);
  }

  #refreshAll(): void {
    this.#epoch += 1;
    this.#reload(this.#catalogue);
  }

  #reload(lists: Resource<null, void>): void {
    this.#staleCount += 1;
    lists.load(null, this.#staleCount);
  }

  async #loadCatalogue(): Promise<void> {
    this.#lateChanges = [];
    try {
      // First: when it says that all is read, the lists that follow hold all.
      const { roots, published = null, cursor, ...progress } = await fetchProgress();
      this.#follow(cursor);
      const [runs, tags, problems, dashboards] = await Promise.all([
        fetchRuns(),
        fetchTags(),
        fetchProblems(),
        this.#readDashboards(),
      ]);
      this.roots = roots;
      this.published = published;
      this.progress = progress;
      this.isComplete = !progress.loading;
      this.runs = runs;
      this.#tags = tags;
      this.dashboards = dashboards;
      this.problems = problems;
      this.error = "";
      for (const change of this.#lateChanges) this.#patchLists(change);
      // Without any tags, there may be nothing but files to show.
      if (tags.size > 0) this.#lookForFilesLater(Date.now() + MAX_HAS_DATA_WAIT_MS);
      else this.#reload(this.#hasData);
    } catch (error) {
      this.error = messageOf(error);
      // Tells when the server is there again.
      this.#follow();
    }
    this.#lateChanges = null;
    this.#onLists();
  }

  /** Series are requested after this: with a cursor none of their changes is missed, and none is requested twice. */
  #follow(cursor?: string): void {
    if (this.#isFollowing || isPublished) return;
    this.#isFollowing = true;
    this.#live.open(cursor);
  }

  /** The open view loads its data first: a search of all folders takes the server's time. */
  #lookForFilesLater(atLatest: number): void {
    whenIdle(() => {
      if (isAwaitingResponse() && Date.now() < atLatest)
        setTimeout(() => this.#lookForFilesLater(atLatest), AWAITED_PAUSE_MS);
      else this.#reload(this.#hasData);
    });
  }

  /** What has data keeps its tab; a dashboard whose route fails has none. */
  async #loadHasData(): Promise<void> {
    const unsure = this.dashboards.filter(
      ({ name, kinds, has_data }) =>
        has_data && !this.filled.has(name) && (kinds.length === 0 || kinds.some((kind) => this.#tags.has(kind))),
    );
    // One by one: each may search the folders of all runs, while the open view waits for its own data.
    for (const { name, has_data } of unsure)
      if (await fetchHasData(has_data!).catch(() => false)) this.filled = new Set([...this.filled, name]);
  }

  /** They change only with an installation. */
  async #readDashboards(): Promise<readonly DashboardInfo[]> {
    return this.dashboards.length > 0 ? this.dashboards : fetchDashboards();
  }
}
