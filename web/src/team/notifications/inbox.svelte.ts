/** The messages of the person who is signed in, while somebody looks at the page. */

import { Resource } from "../../data/resource.svelte";
import type { Session } from "../../data/session.svelte";
import { fetchNotifications, markSeen, type NotificationItem, type NotificationList } from "./notifications";

const REREAD_MS = 60_000;
const NONE: readonly NotificationItem[] = [];

export class Inbox {
  readonly #list = new Resource<null, NotificationList>((_, signal) => fetchNotifications(signal));
  /** What the answer to "seen" said, until the next reading. */
  #seen = $state.raw<NotificationList | null>(null);
  #readings = 0;

  readonly #newest = $derived(this.#seen ?? this.#list.value);

  get items(): readonly NotificationItem[] {
    return this.#newest?.notifications ?? NONE;
  }

  get unseen(): number {
    return this.#newest?.unseen ?? 0;
  }

  get error(): string {
    return this.#list.error;
  }

  /** Until the returned function is called. The team's own pages have no `notices`, and ask now and then. */
  follow(notices: Pick<Session, "onNotice"> | null): () => void {
    this.#read();
    if (notices)
      return notices.onNotice("notifications", (version) => {
        if (version !== this.#newest?.version) this.#read();
      });
    const timer = setInterval(() => this.#read(), REREAD_MS);
    const onVisibility = (): void => this.#read();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }

  async markSeen(): Promise<void> {
    if (this.unseen > 0) this.#seen = await markSeen();
  }

  #read(): void {
    if (document.visibilityState !== "visible") return;
    this.#seen = null;
    this.#readings += 1;
    this.#list.load(null, this.#readings);
  }
}
