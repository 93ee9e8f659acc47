/** The address as state: reading a parameter is reactive, setting one changes the address after the current event. */

import { untrack } from "svelte";
import { isPublished } from "../data/published";
import type { UrlParams } from "../public/core";
import { changedNames, formatHash, parseAddress, restOfSearch, type Address } from "./address";
import {
  AT,
  DASHBOARDS,
  formatRoute,
  formatSearchRoute,
  isSameRoute,
  parseRoute,
  parseSearchRoute,
  type Route,
} from "./route";

/**
 * Safari refuses more than 100 changes of the address in 30 s. A click changes it at once, so that a reload right after
 * shows the same; only a drag, with a change for each pixel, uses up the changes that are allowed at once and waits.
 */
const WRITES_AT_ONCE = 10;
const WRITE_PAUSE_MS = 350;
/** What covers the tabs while it is open: whoever opens a tab wants to see the tab. */
const OVER_ALL = "runTable";
/** Many times more than a page has parameters: few share a signal, and those that do only look once too often. */
const SIGNALS = 512;

/** Everything below it is this page; <base> in its document says where it is. */
const ROOT = new URL(".", document.baseURI).pathname;
const placeNow = (): Route =>
  isPublished ? parseSearchRoute(location.search) : parseRoute(location.pathname.slice(ROOT.length), location.search);

class Signal {
  version = $state(0);
}

export class Url {
  #address = $state.raw<Address>(parseAddress(location.search, location.hash));
  #place = $state.raw<Route>(placeNow());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWriteQueued = false;
  /** When the pauses of all changes so far are over, on the clock of `performance.now`. */
  #pausedUntil = 0;
  /**
   * Who reads one parameter hears of that one alone: else the whole page would be worked out anew for each pixel of a drag.
   * Made ahead, as a derived value does not notice signals that were made inside it.
   */
  readonly #signals = Array.from({ length: SIGNALS }, () => new Signal());
  readonly tab = $derived(this.#address.tab);
  readonly place = $derived(this.#place);
  /** Reactive: everything, as the address bar will have it. */
  readonly hash = $derived(formatHash(this.#address));

  get(name: string): string | undefined {
    void this.#signalOf(name).version;
    return untrack(() => this.#address).params.get(name);
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
    if (tab !== this.tab || this.place.page !== "dashboards" || this.#address.params.has(OVER_ALL))
      this.#go(this.#onTab(tab), true, DASHBOARDS);
  }

  /** Another page, with the state that all share. What the page kept for itself is of the place that is left. */
  open(place: Route, own: Readonly<Record<string, string>> = {}): void {
    this.#go(this.#addressAt(place, own), true, place);
  }

  /** For links: the same state on another tab. `changes` sets parameters; undefined removes one. */
  hrefOf(tab: string, changes: Readonly<Record<string, string | undefined>> = {}): string {
    return this.#full(this.#onTab(tab, changes), DASHBOARDS);
  }

  hrefOfRoute(route: Route, own: Readonly<Record<string, string>> = {}): string {
    return this.#full(this.#addressAt(route, own), route);
  }

  #onTab(tab: string, changes: Readonly<Record<string, string | undefined>> = {}): Address {
    const params = new Map(this.#address.params);
    for (const [name, value] of Object.entries({ [OVER_ALL]: undefined, ...changes })) {
      if (value === undefined) params.delete(name);
      else params.set(name, value);
    }
    return { tab, params };
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
      this.#become(parseAddress(location.search, location.hash), placeNow());
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

  #addressAt(place: Route, own: Readonly<Record<string, string>>): Address {
    const { tab, params } = this.#address;
    const kept = [...params].filter(
      ([name]) => isSameRoute(place, this.#place) || !/^(run|compare|report)\./.test(name),
    );
    return { tab, params: new Map([...kept, ...Object.entries(own)]) };
  }

  #go(address: Address, push: boolean, place = untrack(() => this.#place)): void {
    if (push) this.#write(); // what came before keeps its own entry in the history
    this.#become(address, place);
    if (push) history.pushState(null, "", this.#full());
    else this.#writeSoon();
  }

  /** After the current event, or when the browser will take it. */
  #writeSoon(): void {
    if (this.#isWriteQueued || this.#timer !== undefined) return;
    const waitMs = this.#pausedUntil - performance.now() - (WRITES_AT_ONCE - 1) * WRITE_PAUSE_MS;
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#write(), waitMs);
    } else {
      this.#isWriteQueued = true;
      queueMicrotask(() => this.#isWriteQueued && this.#write());
    }
  }

  #become(address: Address, place: Route): void {
    untrack(() => {
      if (!isSameRoute(place, this.#place)) this.#place = place;
      const changed = changedNames(this.#address.params, address.params);
      this.#address = address;
      for (const signal of new Set(changed.map((name) => this.#signalOf(name)))) signal.version += 1;
    });
  }

  #signalOf(name: string): Signal {
    let hash = 0;
    for (let at = 0; at < name.length; at += 1) hash = (hash * 31 + name.charCodeAt(at)) % 0xffffff;
    return this.#signals[hash % SIGNALS]!;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWriteQueued = false;
    const full = this.#full();
    if (full === location.pathname + location.search + location.hash) return;
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now()) + WRITE_PAUSE_MS;
    history.replaceState(null, "", full);
  }

  #full(address = this.#address, place = this.#place): string {
    const { tab, params } = address;
    const hash = tab === "" && params.size === 0 ? "" : formatHash(address);
    const search = new URLSearchParams(restOfSearch(location.search));
    if (placeNow().page === "compare") search.delete("runs");
    if (isPublished) {
      // The path stays as it is: not every host answers the folder of an index.html.
      search.delete(AT);
      const query = [formatSearchRoute(place), search.toString()].filter(Boolean).join("&");
      return location.pathname + (query && `?${query}`) + hash;
    }
    const path = ROOT + formatRoute(place);
    return path + (search.size === 0 ? "" : `${path.includes("?") ? "&" : "?"}${search}`) + hash;
  }
}
