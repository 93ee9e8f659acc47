/** The entry of the page on a team server: its own pages, or the shell of a project with what the team adds. */

import type { Shell } from "../shell/shell.svelte";
import { TEAM_ROOT } from "./root";
import { isShellPath } from "./routes";
import { serverError } from "./server_error";

export async function startTeam(
  target: HTMLElement,
  startShell: (extend: (shell: Shell) => void) => void,
): Promise<void> {
  const path = location.pathname.slice(TEAM_ROOT.length);
  if (!isShellPath(path) || serverError() !== "") {
    const { mountPages } = await import("./pages/mount");
    return mountPages(target);
  }
  const { TeamExtension } = await import("./shell/extension");
  startShell((shell) => (shell.extension = new TeamExtension(shell, path)));
}
