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
}

export class Live {
  #source: EventSource | undefined;

  constructor(private readonly listener: LiveListener) {}

  open(): void {
    const source = new EventSource("api/events");
    this.#source = source;
    source.onopen = () => this.listener.onOpen();
    source.onerror = () => this.listener.onLost();
    source.addEventListener("hello", () => this.listener.onHello());
    source.addEventListener("state", () => this.listener.onState());
    source.addEventListener("progress", (event) => this.listener.onProgress(JSON.parse(event.data as string) as Counts));
    source.addEventListener("change", (event) => this.listener.onChange(JSON.parse(event.data as string) as Change));
  }

  close(): void {
    this.#source?.close();
  }
}
