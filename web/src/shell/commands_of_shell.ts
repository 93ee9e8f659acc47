/** What the shell itself can do, for the palette and for the keys. */

import { SHELL_KEYS } from "../base/keys";
import type { Command } from "../public/core";
import { MAX_COMPARED } from "./runs/run_menu";
import { invert } from "./runs/selection";
import type { Shell } from "./shell.svelte";

/** In a narrow window the field is in a dialog. */
function filterRuns(shell: Shell): void {
  const field = document.getElementById("run-filter");
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  } else if (shell.isNarrow.current) shell.sheet = "runs";
}

export function shellCommands(shell: Shell): Command[] {
  const { runs, url } = shell;
  const names = (): string[] => runs.matching.map((entry) => entry.name);
  return [
    { title: "Page: find runs, tags, commands", keys: SHELL_KEYS.palette, run: () => (shell.sheet = "palette") },
    { title: "Page: list the keys", keys: SHELL_KEYS.listKeys, run: () => (shell.sheet = "keys") },
    { title: "Page: copy a link to what is shown", run: () => shell.copyLink() },
    { title: "Theme: as the system", run: () => shell.chooseTheme("system") },
    { title: "Theme: light", run: () => shell.chooseTheme("light") },
    { title: "Theme: dark", run: () => shell.chooseTheme("dark") },
    { title: "Runs: filter", keys: SHELL_KEYS.filterRuns, run: () => filterRuns(shell) },
    {
      title: "Runs: filter (again: the browser's own search)",
      keys: SHELL_KEYS.findRuns,
      run: () => filterRuns(shell),
    },
    {
      title: "Runs: table of all runs",
      keys: SHELL_KEYS.runTable,
      run: () => (shell.table.isOpen ? shell.table.close() : shell.table.open()),
    },
    {
      title: "Runs: compare runs…",
      run: () => url.open({ page: "compare", runs: runs.shownRows.length <= MAX_COMPARED ? runs.shownRows : [] }),
    },
    { title: "Runs: show all", keys: SHELL_KEYS.showAll, run: () => runs.check(names(), true) },
    { title: "Runs: show none", keys: SHELL_KEYS.showNone, run: () => runs.check(names(), false) },
    { title: "Runs: invert", keys: SHELL_KEYS.invert, run: () => runs.select(invert(runs.selection, names())) },
    { title: "Runs: folders or flat", run: () => (runs.isTree = !runs.isTree) },
    { title: "Runs: colour each run", run: () => (runs.colourBy = "run") },
    { title: "Runs: colour by folder", run: () => (runs.colourBy = "folder") },
    ...shell.session.dashboards
      .filter((info) => !info.error)
      .map((info) => ({ title: `Open ${info.title}`, run: () => url.openTab(info.name) })),
  ];
}
