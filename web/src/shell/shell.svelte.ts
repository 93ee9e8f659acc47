/** Everything the shell's components share, in one place. */

import { Theme, THEME_WISHES, type ThemeWish } from "../base/theme.svelte";
import { Session } from "../data/session.svelte";
import { Clock } from "./clock.svelte";
import { Commands } from "./commands.svelte";
import { Cursor } from "./cursor.svelte";
import { Runs } from "./runs/runs.svelte";
import { RunTable } from "./runs/table/run_table.svelte";
import { createSettings } from "./settings.svelte";
import { Url } from "./url.svelte";

const ASKED: Readonly<Record<string, ThemeWish>> = { true: "dark", false: "light" };

export class Shell {
  readonly url = new Url();
  readonly session = new Session();
  readonly theme = new Theme(() => ASKED[this.url.get("darkMode") ?? ""]);
  readonly clock = new Clock();
  readonly settings = createSettings(this.url);
  readonly cursor = new Cursor();
  readonly commands = new Commands();
  readonly runs = new Runs(this.session, this.url, this.clock);
  readonly table = new RunTable(this.session, this.url, this.runs);
  /** The palette or the list of keys, when open. */
  sheet = $state<"palette" | "keys" | null>(null);

  chooseTheme(wish: ThemeWish): void {
    this.theme.choose(wish);
    this.url.set("darkMode", undefined);
  }

  nextTheme(): void {
    this.chooseTheme(THEME_WISHES[(THEME_WISHES.indexOf(this.theme.wish) + 1) % THEME_WISHES.length]!);
  }

  copyLink(): void {
    this.url.flush();
    void navigator.clipboard?.writeText(location.href);
  }
}
