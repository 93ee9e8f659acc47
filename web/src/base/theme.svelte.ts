/** Light, dark or as the system wishes; remembered in this browser. public/theme.js sets it before the first paint. */

export type ThemeWish = "system" | "light" | "dark";
const KEY = "seamark.theme";
export const THEME_WISHES: readonly ThemeWish[] = ["system", "light", "dark"];

function stored(): ThemeWish {
  try {
    const wish = localStorage.getItem(KEY) as ThemeWish;
    return THEME_WISHES.includes(wish) ? wish : "system";
  } catch {
    return "system";
  }
}

export class Theme {
  readonly #asked: () => ThemeWish | undefined;
  #stored = $state<ThemeWish>(stored());
  #systemIsDark = $state(false);

  /** `asked` is what the address asks for: it wins here, and is not remembered. */
  constructor(asked: () => ThemeWish | undefined) {
    this.#asked = asked;
    const query = matchMedia("(prefers-color-scheme: dark)");
    this.#systemIsDark = query.matches;
    query.addEventListener("change", () => (this.#systemIsDark = query.matches));
  }

  readonly wish = $derived.by(() => this.#asked() ?? this.#stored);
  readonly shown = $derived(this.wish === "system" ? (this.#systemIsDark ? "dark" : "light") : this.wish);

  choose(wish: ThemeWish): void {
    this.#stored = wish;
    try {
      localStorage.setItem(KEY, wish);
    } catch {
      // Without storage the wish lasts as long as the page.
    }
  }
}
