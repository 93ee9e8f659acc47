/**
 * Server-sent events: what changed, as it changes. The browser reconnects by itself and continues where it was; when those messages
 * are gone, the server sends `resync`.
 */

import type { Counts, Problem, Run } from "./api";
import type { RunTags } from "./catalogue";

export interface Change {
  readonly version: number;
  /** Tags with new points. */
  readonly tags: readonly string[];
  /** Changes were lost: everything is to be requested again. */
  readonly resync: boolean;
  readonly runs_added: readonly string[];
  readonly runs_removed: readonly string[];
  /** What is known of these runs is stale. */
  readonly runs_reset: readonly string[];
  /** Series with new images, texts and the like. */
  readonly payloads: readonly { readonly run: string; readonly kind: string; readonly tag: string }[];
  /** The changed entries of the lists; null: request the lists again. */
  readonly lists: {
    readonly runs: readonly Run[];
    readonly tags: RunTags;
    /** All of them, if they are others than before. */
    readonly problems?: readonly Problem[];
  } | null;
}

/** Lists of a team server whose changes are announced: of the project, and of the person in front of the page. */
export const NOTICES = ["comments", "notifications"] as const;
export type Notice = (typeof NOTICES)[number];

export interface LiveListener {
  onOpen(): void;
  /** The first message: nothing after it is missed. */
  onHello(): void;
  onLost(): void;
  onProgress(progress: Counts): void;
  onChange(change: Change): void;
  /** Names, notes and the like have this version. */
  onState(version: number): void;
  /** A list that a server of a team keeps has this version. */
  onNotice(list: Notice, version: string): void;
  /** The module of another package's dashboard changed while it is being developed. */
  onModules(versions: Readonly<Record<string, number>>): void;
}

/** A browser has six connections to a server for all its tabs: a hidden one closes its connection and later continues where it was. */
const REOPEN_MS = 2000;

export class Live {
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cursor = "";

  constructor(private readonly listener: LiveListener) {}

  /** Without a cursor the first message is a hello, before which changes may have been missed. */
  open(cursor = this.#cursor): void {
    this.#cursor = cursor;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#connect();
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) {
      clearTimeout(this.#timer);
      this.#source?.close();
      this.#source = undefined;
    } else if (!this.#source) {
      this.#connect();
    }
  };

  #connect(): void {
    const source = new EventSource(
      this.#cursor ? `api/events?since=${encodeURIComponent(this.#cursor)}` : "api/events",
    );
    this.#source = source;
    const remember = (event: MessageEvent): void => {
      if (event.lastEventId) this.#cursor = event.lastEventId;
    };
    source.addEventListener("hello", remember);
    source.addEventListener("change", remember);
    source.onopen = () => this.listener.onOpen();
    source.onerror = () => {
      this.listener.onLost();
      // The browser retries by itself after a lost connection, but not after a response such as a proxy's "bad gateway".
      if (source.readyState === EventSource.CLOSED) this.#timer = setTimeout(() => this.open(), REOPEN_MS);
    };
    source.addEventListener("hello", () => this.listener.onHello());
    const versionIn = (event: MessageEvent): never => (JSON.parse(event.data as string) as { version: never }).version;
    source.addEventListener("state", (event) => this.listener.onState(versionIn(event)));
    for (const list of NOTICES)
      source.addEventListener(list, (event) => this.listener.onNotice(list, versionIn(event as MessageEvent)));
    source.addEventListener("modules", (event) =>
      this.listener.onModules(JSON.parse(event.data as string) as Record<string, number>),
    );
    source.addEventListener("progress", (event) =>
      this.listener.onProgress(JSON.parse(event.data as string) as Counts),
    );
    source.addEventListener("change", (event) => this.listener.onChange(JSON.parse(event.data as string) as Change));
  }
}
