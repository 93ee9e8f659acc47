/** Light, dark or as the system wishes; remembered in this browser. public/theme.js sets it before the first paint. */

export type ThemeWish = "system" | "light" | "dark";
const KEY = "seamark.theme";
const WISHES: readonly ThemeWish[] = ["system", "light", "dark"];

function stored(): ThemeWish {
  try {
    const wish = localStorage.getItem(KEY) as ThemeWish;
    return WISHES.includes(wish) ? wish : "system";
  } catch {
    return "system";
  }
}

export class Theme {
  wish = $state<ThemeWish>(stored());
  #systemIsDark = $state(false);
  readonly shown = $derived(this.wish === "system" ? (this.#systemIsDark ? "dark" : "light") : this.wish);

  constructor() {
    const query = matchMedia("(prefers-color-scheme: dark)");
    this.#systemIsDark = query.matches;
    query.addEventListener("change", () => (this.#systemIsDark = query.matches));
  }

  next(): void {
    this.wish = WISHES[(WISHES.indexOf(this.wish) + 1) % WISHES.length]!;
    try {
      localStorage.setItem(KEY, this.wish);
    } catch {
      // Without storage the wish lasts as long as the page.
    }
  }
}
