/** The colours of the canvas in one theme, and readable ink on any fill. */

import { themeColours } from "$public/charts";

const TOKENS = {
  bg: "--bg",
  surface: "--surface",
  sunken: "--sunken",
  line: "--line-2",
  text: "--text",
  text2: "--text-2",
  text3: "--text-3",
  accent: "--accent",
  warn: "--warn",
  warnSoft: "--warn-soft",
  added: "--ok",
  removed: "--err",
  changed: "--warn-fill",
  font: "--font",
} as const;

const MIN_CONTRAST = 4.5;
const GROUP_TINT = 0.16;

export interface Fill {
  readonly fill: string;
  readonly ink: string;
}

export class GraphColours {
  readonly #fills = new Map<string, Fill>();
  readonly named: Readonly<Record<keyof typeof TOKENS, string>>;

  /** `read` gives the value of a token; themeColours.token on the page. */
  constructor(private readonly read: (token: string) => string) {
    this.named = Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, read(token)])) as Record<
      keyof typeof TOKENS,
      string
    >;
  }

  /** "" is the colour of boxes without an overlay. */
  fillOf(colour: string, isGroup: boolean): Fill {
    const key = `${colour} ${isGroup}`;
    let fill = this.#fills.get(key);
    if (!fill) this.#fills.set(key, (fill = this.#readable(colour === "" ? this.#plain(isGroup) : this.read(colour))));
    return fill;
  }

  #plain(isGroup: boolean): string {
    const { surface, text3 } = this.named;
    return isGroup ? hex(themeColours.mix(themeColours.rgb(surface), themeColours.rgb(text3), GROUP_TINT)) : surface;
  }

  /** The ink with the higher contrast; a fill in the middle is mixed a little, so that one of them is readable. */
  #readable(fill: string): Fill {
    const { text, surface, bg, sunken } = this.named;
    const [ink, contrast] = bestInk([text, surface, bg], fill);
    if (contrast >= MIN_CONTRAST) return { fill, ink };
    const mixed = hex(themeColours.mix(themeColours.rgb(fill), themeColours.rgb(sunken), 0.08));
    return { fill: mixed, ink: bestInk([text, surface, bg], mixed)[0] };
  }
}

function bestInk(inks: readonly string[], fill: string): [ink: string, contrast: number] {
  return inks
    .map((ink): [string, number] => [ink, contrastOf(ink, fill)])
    .reduce((best, each) => (each[1] > best[1] ? each : best));
}

/** As WCAG defines it. */
export function contrastOf(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const rgb = themeColours.rgb(colour);
  const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const hex = (rgb: number): string => `#${rgb.toString(16).padStart(6, "0")}`;
