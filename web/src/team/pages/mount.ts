/** The team's own pages: projects, signing in, settings. They need nothing of a project, so they run without the shell. */

import { mount } from "svelte";
import TeamApp from "./TeamApp.svelte";

export function mountPages(target: HTMLElement): void {
  mount(TeamApp, { target });
}
