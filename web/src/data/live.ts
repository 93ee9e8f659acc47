/** Server-sent events: what changed, as it changes. The browser reconnects by itself and goes on where it was; when that is gone, the server says `resync`. */

import type { Counts } from "./api";

export interface Change {
  readonly version: number;
  /** Tags with new points. */
  readonly tags: readonly string[];
  /** Something other than new points happened (a run came, went or began again), or changes were lost. */
  readonly resync: boolean;
  /** Images, texts and the like that came. */
  readonly payloads?: readonly { readonly run: string; readonly kind: string; readonly tag: string }[];
}

export interface LiveListener {
  onOpen(): void;
  /** The first message: from here on nothing is missed. */
  onHello(): void;
  onLost(): void;
  onProgress(progress: Counts): void;
  onChange(change: Change): void;
  /** Somebody changed names, notes or the like. */
  onState(): void;
  /** The module of another package's dashboard changed while it is being developed. */
  onModules(versions: Readonly<Record<string, number>>): void;
}

/** A browser has six lines to a server for all its tabs: one that nobody looks at gives its line back and later goes on where it was. */
const REOPEN_MS = 2000;

export class Live {
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cursor = "";

  constructor(private readonly listener: LiveListener) {}

  open(): void {
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
      // The browser tries again by itself after a lost line, but not after an answer such as a proxy's "bad gateway".
      if (source.readyState === EventSource.CLOSED) this.#timer = setTimeout(() => this.open(), REOPEN_MS);
    };
    source.addEventListener("hello", () => this.listener.onHello());
    source.addEventListener("state", () => this.listener.onState());
    source.addEventListener("modules", (event) =>
      this.listener.onModules(JSON.parse(event.data as string) as Record<string, number>),
    );
    source.addEventListener("progress", (event) =>
      this.listener.onProgress(JSON.parse(event.data as string) as Counts),
    );
    source.addEventListener("change", (event) => this.listener.onChange(JSON.parse(event.data as string) as Change));
  }
}
