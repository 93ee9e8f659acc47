/** Light, dark or as the system prefers; remembered in this browser. public/theme.js sets it before the first paint. */

import { readStored, writeStored } from "./browser_storage";

export type ThemePreference = "system" | "light" | "dark";
const KEY = "seamark.theme";
export const THEME_PREFERENCES: readonly ThemePreference[] = ["system", "light", "dark"];

function stored(): ThemePreference {
  const preference = readStored(KEY) as ThemePreference;
  return THEME_PREFERENCES.includes(preference) ? preference : "system";
}

export class Theme {
  readonly #asked: () => ThemePreference | undefined;
  #stored = $state<ThemePreference>(stored());
  #systemIsDark = $state(false);

  /** `asked` is what the address asks for: it wins here, and is not remembered. */
  constructor(asked: () => ThemePreference | undefined) {
    this.#asked = asked;
    const query = matchMedia("(prefers-color-scheme: dark)");
    this.#systemIsDark = query.matches;
    query.addEventListener("change", () => (this.#systemIsDark = query.matches));
  }

  readonly preference = $derived.by(() => this.#asked() ?? this.#stored);
  readonly shown = $derived(this.preference === "system" ? (this.#systemIsDark ? "dark" : "light") : this.preference);

  choose(preference: ThemePreference): void {
    this.#stored = preference;
    writeStored(KEY, preference);
  }
}
