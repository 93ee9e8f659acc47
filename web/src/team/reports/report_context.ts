/** The context of a chart in a report: its own runs, whatever the table of runs shows. */

import type { DashboardContext } from "../../public/core";
import { contextFor } from "../../shell/context";
import type { Shell } from "../../shell/shell.svelte";

export function reportContext(shell: Shell, runs: () => readonly string[]): DashboardContext {
  const context = contextFor("report", shell, () => true);
  const own: DashboardContext["runs"] = Object.create(context.runs, {
    shown: { get: runs },
    isShown: { value: (run: string) => runs().includes(run) },
    styleOf: { value: (run: string) => context.runs.styleOf(run) },
    focused: { value: null },
    setFocus: { value: () => undefined },
  }) as DashboardContext["runs"];
  return Object.create(context, { runs: { value: own }, annotations: { value: null } }) as DashboardContext;
}
