/** The address as state: reading a parameter is reactive, setting one changes the address soon after. */

import { untrack } from "svelte";
import type { UrlParams } from "../public/plugin";
import { formatHash, parseAddress, restOfSearch, type Address } from "./address";

/** Browsers refuse more than a few hundred changes of the address in half a minute. */
const WRITE_PAUSE_MS = 200;

export class Url {
  #address = $state.raw<Address>(parseAddress(location.search, location.hash));
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly tab = $derived(this.#address.tab);
  /** Reactive: everything, as the address bar will have it. */
  readonly hash = $derived(formatHash(this.#address));

  get(name: string): string | undefined {
    return this.#address.params.get(name);
  }

  set(name: string, value: string | undefined, { push = false } = {}): void {
    // An effect that sets a parameter does not thereby depend on the whole address.
    const address = untrack(() => this.#address);
    if (address.params.get(name) === value) return;
    const params = new Map(address.params);
    if (value === undefined) params.delete(name);
    else params.set(name, value);
    this.#go({ ...address, params }, push);
  }

  openTab(tab: string): void {
    if (tab !== this.tab) this.#go({ ...this.#address, tab }, true);
  }

  /** For links: the same state on another tab. */
  hrefOf(tab: string): string {
    return formatHash({ ...this.#address, tab });
  }

  scoped(prefix: string): UrlParams {
    return {
      get: (name) => this.get(`${prefix}.${name}`),
      set: (name, value, options) => this.set(`${prefix}.${name}`, value, options),
    };
  }

  /** Follows back, forward and addresses typed by hand, until the returned function is called. */
  follow(): () => void {
    const read = (): void => {
      this.#address = parseAddress(location.search, location.hash);
    };
    addEventListener("hashchange", read);
    addEventListener("popstate", read);
    if (location.search !== restOfSearch(location.search)) this.#write();
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("popstate", read);
    };
  }

  /** The address bar says at once what is shown. */
  flush(): void {
    this.#write();
  }

  #go(address: Address, push: boolean): void {
    if (push) this.#write(); // what came before keeps its own entry in the history
    this.#address = address;
    if (push) history.pushState(null, "", this.#full());
    else this.#timer ??= setTimeout(() => this.#write(), WRITE_PAUSE_MS);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const full = this.#full();
    if (full !== location.pathname + location.search + location.hash) history.replaceState(null, "", full);
  }

  #full(): string {
    const { tab, params } = this.#address;
    const hash = tab === "" && params.size === 0 ? "" : formatHash(this.#address);
    return location.pathname + restOfSearch(location.search) + hash;
  }
}
