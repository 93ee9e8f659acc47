/** Components of the page for a view without a framework. */

import { mount, unmount, type Component } from "svelte";
import type { DashboardContext } from "./plugin";
import type { ViewContext } from "./view_types";
import { viewHosts } from "./view_hosts";

interface Target<Spec> {
  readonly element: HTMLElement;
  readonly context: ViewContext;
  readonly spec: Spec;
}

interface Mounted<Spec> {
  update(spec: Spec): void;
  destroy(): void;
}

/** `caller` is the function that a view called, for its errors. */
export function mountInto<Spec>(
  caller: string,
  component: Component<{ context: DashboardContext; spec: Spec }>,
  { element, context: view, spec }: Target<Spec>,
): Mounted<Spec> {
  const context = viewHosts.get(view);
  if (!context) throw new Error(`${caller}() takes the context that mount() got, as its second argument`);
  let current = $state.raw(spec);
  const mounted = mount(component, {
    target: element,
    props: {
      context,
      get spec() {
        return current;
      },
    },
  });
  return { update: (next) => void (current = next), destroy: () => void unmount(mounted) };
}
