/** BookmarksModel: views that people saved, those of the log directory, and those of files that a person opened. */

import { downloads, messageOf, parseJson, Resource, type DashboardContext } from "$public/core";
import type { ProjectorRequests } from "../load";
import { methodOf } from "../model";
import { cameraText } from "../scatter/camera";
import type { EmbeddingEntry, EmbeddingInfo, EmbeddingRef, Projection, ProjectionRequest } from "../wire";
import { bookmarkOf, isRecord, MAX_BOOKMARK_ROWS, type Bookmark, type TensorBoardCamera } from "./bookmark";
import { fromTensorBoard } from "./tensorboard_camera";
import { readTensorBoard } from "./tensorboard_read";
import { tensorBoardState } from "./tensorboard_write";

/** The parameters that a bookmark restores. */
const EMBEDDING_PARAMS = ["run", "name", "pair", "b_run", "b_name", "b_method", "b_prepare", "b_camera"];
const VIEW_PARAMS = ["method", "prepare", "colour", "label", "size", "clusters", "cluster_count", "labels", "images", "query", "scope", "trails", "k", "distance", "point", "camera"]; // prettier-ignore

export interface SavedBookmark extends Bookmark {
  readonly id: string;
}

export interface OpenedFile {
  readonly name: string;
  readonly bookmarks: readonly Bookmark[];
}

/** What bookmarks save and restore of the page. */
export interface BookmarksHost {
  readonly context: DashboardContext;
  readonly requests: ProjectorRequests;
  readonly a: {
    readonly entry: EmbeddingEntry | null;
    readonly ref: EmbeddingRef | null;
    readonly info: EmbeddingInfo | null;
    readonly request: ProjectionRequest | null;
    readonly projection: Projection | null;
    readonly colourColumnName: string;
    readonly labelColumnName: string;
    setCameraText(text: string): void;
  };
  readonly selected: Uint32Array;
  rowFilters: readonly { readonly type: "isolate" | "hide"; readonly rows: Uint32Array }[];
  select(rows: Uint32Array, by: string): void;
}

export class BookmarksModel {
  #saved = $state.raw<readonly SavedBookmark[]>([]);
  opened = $state.raw<readonly OpenedFile[]>([]);
  error = $state("");
  readonly #logged: Resource<EmbeddingRef, unknown>;
  /** A camera that waits for the picture it belongs to: another one than that with this key. */
  #camera = $state.raw<{ readonly camera: TensorBoardCamera; readonly isNotOf: string } | null>(null);

  constructor(private readonly model: BookmarksHost) {
    this.#logged = new Resource((ref, signal) => model.requests.bookmarks(ref, signal));
    model.context.saved.load().then(
      (value) => (this.#saved = savedBookmarks(value)),
      (failure: unknown) => (this.error = messageOf(failure)),
    );
    $effect(() => {
      const { ref, info } = model.a;
      if (ref && info?.has_bookmarks) this.#logged.load(ref);
    });
    $effect(() => {
      const waiting = this.#camera;
      const { projection, request } = model.a;
      if (!waiting || !projection || !request || projection.key === waiting.isNotOf) return;
      this.#camera = null;
      model.a.setCameraText(cameraText(fromTensorBoard(waiting.camera, projection, request.method.dims)));
    });
  }

  readonly saved = $derived.by(() => this.#saved);
  /** Those that the projector's configuration names. */
  readonly #read = $derived.by((): { readonly bookmarks: readonly Bookmark[]; readonly error: string } => {
    const { ref, info } = this.model.a;
    const { loaded } = this.#logged;
    if (!info?.has_bookmarks || loaded?.request.name !== ref?.name) return { bookmarks: [], error: "" };
    try {
      return { bookmarks: readTensorBoard(loaded?.value, info), error: "" };
    } catch (failure) {
      return { bookmarks: [], error: messageOf(failure) };
    }
  });
  readonly logged = $derived.by(() => this.#read.bookmarks);
  readonly loggedError = $derived.by(() => this.#read.error || this.#logged.error);
  readonly count = $derived.by(
    () =>
      this.saved.length + this.logged.length + this.opened.reduce((sum, { bookmarks }) => sum + bookmarks.length, 0),
  );
  /** Those of the embedding on the page, which one file can hold. */
  readonly #ofEmbedding = $derived.by(() => {
    const { entry, ref } = this.model.a;
    return this.saved.filter(
      ({ params }) =>
        (params.run ?? "") === (ref?.run ?? "") &&
        (params.name === ref?.name || (entry?.steps.some(({ name }) => name === params.name) ?? false)),
    );
  });
  readonly canDownload = $derived.by(() => this.#ofEmbedding.length > 0);

  /** The view as it is now. */
  current(label: string): Bookmark {
    const { model } = this;
    const { url } = model.context;
    const params = Object.fromEntries(
      [...EMBEDDING_PARAMS, ...VIEW_PARAMS].map((name) => [name, url.get(name)]).filter(([, value]) => value !== undefined), // prettier-ignore
    ) as Record<string, string>;
    const { ref } = model.a;
    return {
      label,
      params: { ...params, ...(ref && { name: ref.name, ...(ref.run !== "" && { run: ref.run }) }) },
      selected: [...model.selected],
      filters: model.rowFilters.map(({ type, rows }) => ({ type, rows: [...rows] })),
    };
  }

  async save(label: string): Promise<void> {
    const bookmark = this.current(label);
    const rows = bookmark.filters.reduce((sum, filter) => sum + filter.rows.length, bookmark.selected.length);
    if (rows > MAX_BOOKMARK_ROWS) {
      this.error = `A bookmark holds at most ${MAX_BOOKMARK_ROWS} selected, isolated and hidden rows; these are ${rows}.`;
      return;
    }
    await this.#patch({ [Date.now().toString(36)]: bookmark });
  }

  remove({ id }: SavedBookmark): Promise<void> {
    return this.#patch({ [id]: null });
  }

  apply({ params, selected, filters, camera }: Bookmark): void {
    const { model } = this;
    const before = JSON.stringify(model.a.request);
    const names = params.name === undefined ? VIEW_PARAMS : [...EMBEDDING_PARAMS, ...VIEW_PARAMS];
    names.forEach((name, index) => model.context.url.set(name, params[name], { push: index === 0 }));
    model.rowFilters = filters.map(({ type, rows }) => ({ type, rows: Uint32Array.from(rows) }));
    model.select(Uint32Array.from(selected), "in the bookmark");
    const isOther = JSON.stringify(model.a.request) !== before;
    this.#camera = camera ? { camera, isNotOf: isOther ? (model.a.projection?.key ?? "") : "" } : null;
  }

  /** Reads a file by TensorBoard or by this page, and applies its first bookmark. */
  async open(file: File): Promise<void> {
    const { info } = this.model.a;
    if (!info) return;
    try {
      const bookmarks = readTensorBoard(parseJson(await file.text()), info);
      this.opened = [...this.opened, { name: file.name, bookmarks }];
      this.error = "";
      if (bookmarks[0]) this.apply(bookmarks[0]);
    } catch (failure) {
      this.error = `${file.name}: ${messageOf(failure)}`;
    }
  }

  /** A file that TensorBoard loads. */
  async download(): Promise<void> {
    const { info, entry } = this.model.a;
    if (!info) return;
    try {
      const states = [];
      for (const bookmark of this.#ofEmbedding) {
        const request = this.#requestOf(bookmark);
        states.push(
          tensorBoardState(bookmark, {
            shape: info,
            method: request.method,
            projection: await this.#projectionOf(request),
            colour: bookmark.params.colour ?? this.model.a.colourColumnName,
            label: bookmark.params.label ?? this.model.a.labelColumnName,
          }),
        );
      }
      downloads.save(new Blob([JSON.stringify(states)]), downloads.fileName(`${entry?.title} bookmarks`, "txt"));
      this.error = "";
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }

  #requestOf({ params }: Bookmark): ProjectionRequest {
    const prepare = params.prepare?.split(",") ?? ["center"];
    const { entry } = this.model.a;
    const name = params.name!;
    return {
      run: params.run ?? "",
      name,
      method: { ...methodOf(parseJson(params.method ?? "null")), query: params.scope === "1" ? (params.query ?? "") : "" }, // prettier-ignore
      normalize: prepare.includes("normalize"),
      center: prepare.includes("center"),
      sphereize: prepare.includes("sphereize"),
      align_to: entry && entry.steps.length > 1 && name !== entry.name ? entry.name : "",
    };
  }

  async #projectionOf(request: ProjectionRequest): Promise<Projection> {
    const { a, requests } = this.model;
    const isShown = a.projection && JSON.stringify(a.request) === JSON.stringify(request);
    return isShown ? a.projection! : requests.projection(request);
  }

  async #patch(change: Readonly<Record<string, Bookmark | null>>): Promise<void> {
    try {
      this.#saved = savedBookmarks(await this.model.context.saved.patch({ bookmarks: change }));
      this.error = "";
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }
}

/** What was saved, by whatever version of the page; ids are in the order of time. */
function savedBookmarks(value: unknown): readonly SavedBookmark[] {
  if (!isRecord(value) || !isRecord(value.bookmarks)) return [];
  return Object.entries(value.bookmarks)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, each]) => {
      const bookmark = bookmarkOf(each);
      return bookmark ? [{ ...bookmark, id }] : [];
    });
}
