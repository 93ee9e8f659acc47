/** The context of a dashboard, the contract of public/plugin.ts, from the shell's parts. */

import { loadState, patchState } from "../data/saved_state";
import type { Command, DashboardContext } from "../public/core";
import { cardOf } from "./dashboards";
import { routeAddress } from "./route_address";
import type { Shell } from "./shell.svelte";

export function contextFor(name: string, shell: Shell, isActive: () => boolean): DashboardContext {
  return {
    name,
    get isActive() {
      return isActive();
    },
    catalogue: shell.session,
    revisionOf: (kind, tag) => shell.session.revisionOf(kind, tag),
    runs: shell.runs,
    settings: shell.settings,
    url: shell.url.scoped(name),
    saved: { load: () => loadState(name), patch: (change) => patchState(name, change) },
    address: (path, parameters) => routeAddress(name, path, parameters),
    linkTo: (tab, parameters) => shell.url.hrefOf(tab, parameters),
    get theme() {
      return shell.theme.shown;
    },
    cursor: shell.cursor,
    cardOf,
    command: (entry: Command) => shell.commands.add(entry, isActive),
  };
}
