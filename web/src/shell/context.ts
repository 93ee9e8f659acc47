/** The context of a dashboard, the contract of public/plugin.ts, from the shell's parts. */

import { isPublished } from "../data/published";
import { loadState, loadText, patchState, saveText } from "../data/saved_state";
import { isShellKey } from "../base/keys";
import type { Command, DashboardContext } from "../public/core";
import { cardOf } from "./dashboards";
import { routeAddress } from "./route_address";
import type { Shell } from "./shell.svelte";

/** A view cannot give a key of the shell another meaning. */
const withoutShellKey = ({ keys, ...command }: Command): Command =>
  keys === undefined || isShellKey(keys) ? command : { ...command, keys };

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
    saved: { load: () => loadState(name), patch: (change) => patchState(name, change), saveText, loadText },
    address: (path, parameters) => routeAddress(name, path, parameters),
    linkTo: (tab, parameters) => shell.url.hrefOf(tab, parameters),
    get theme() {
      return shell.theme.shown;
    },
    cursor: shell.cursor,
    selection: {
      get item() {
        return shell.selection.item;
      },
      select: (item) => shell.selection.select(item),
      addDetails: (details) => shell.selection.addDetails(details, isActive),
    },
    get canChange() {
      return shell.canChange;
    },
    hasServer: !isPublished,
    get annotations() {
      return shell.extension?.annotations ?? null;
    },
    cardOf,
    command: (entry) => shell.commands.add(withoutShellKey(entry), isActive),
  };
}
