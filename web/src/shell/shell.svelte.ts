/** Everything the shell's components share, in one place. */

import { MediaQuery } from "svelte/reactivity";
import { Theme, type ThemePreference } from "../base/theme.svelte";
import { isPublished, READ_ONLY } from "../data/published";
import { Session } from "../data/session.svelte";
import type { Command } from "../public/core";
import { Clock } from "./clock.svelte";
import { Cursor } from "./cursor.svelte";
import { PageSelection } from "./details/page_selection.svelte";
import type { ShellExtension } from "./extension";
import { Registry } from "./registry.svelte";
import { Runs } from "./runs/runs.svelte";
import { RunTable } from "./runs/table/run_table.svelte";
import { createSettings } from "./settings.svelte";
import { Url } from "./url.svelte";

const ASKED: Readonly<Record<string, ThemePreference>> = { true: "dark", false: "light" };

export class Shell {
  readonly url = new Url();
  readonly session = new Session();
  readonly theme = new Theme(() => ASKED[this.url.get("darkMode") ?? ""]);
  readonly clock = new Clock();
  readonly settings = createSettings(this.url);
  readonly cursor = new Cursor();
  /** The palette lists them, and their keys work. */
  readonly commands = new Registry<Command>();
  readonly selection = new PageSelection(this.url);
  readonly runs = new Runs(this.session, this.url);
  readonly table = new RunTable(this.session, this.url, this.runs);
  /** The open dialog. The runs are one where the window is too narrow for a panel. */
  sheet = $state<"palette" | "keys" | "runs" | null>(null);
  /** What a server of a team adds; null in local use. */
  extension = $state.raw<ShellExtension | null>(null);
  /** Why nothing can be changed here, or "". */
  readonly readOnlyReason = $derived(this.extension?.readOnlyReason ?? (isPublished ? READ_ONLY : ""));
  readonly canChange = $derived(this.readOnlyReason === "");
  readonly isNarrow = new MediaQuery("max-width: 700px");

  chooseTheme(preference: ThemePreference): void {
    this.theme.choose(preference);
    this.url.set("darkMode", undefined);
  }

  copyLink(): void {
    this.url.flush();
    void navigator.clipboard?.writeText(location.href);
  }
}
