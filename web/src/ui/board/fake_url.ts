/** For tests: the parameters of an address, as reactive as the page's. */

import { SvelteMap } from "svelte/reactivity";

export function fakeUrl(params: Readonly<Record<string, string>> = {}) {
  const all = new SvelteMap(Object.entries(params));
  return {
    params: all,
    get: (name: string): string | undefined => all.get(name),
    set: (name: string, value: string | undefined): void =>
      void (value === undefined ? all.delete(name) : all.set(name, value)),
  };
}
