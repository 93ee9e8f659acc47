/** The colours of the trace in one theme: of each part of a step an edge, a tint for wide slices and a fill for narrow ones. */

import { themeColours } from "$public/charts";
import { activityStyle, PART_STYLES } from "../../parts";
import { BREAKDOWN_PARTS, type BreakdownPart } from "../../wire";

const at = (part: BreakdownPart): number => BREAKDOWN_PARTS.indexOf(part);
/** Waits are drawn as an outline, phases as a grey tint without an edge. */
export const WAIT = at("idle");
export const PHASE = at("other");

/** Position of an activity's part; one table, since it is read for every slice of every frame. */
export const PART_OF_ACTIVITY = Uint8Array.from({ length: 256 }, (_, activity) =>
  BREAKDOWN_PARTS.findIndex((part) => PART_STYLES[part] === activityStyle(activity)),
);

const TOKENS = {
  surface: "--surface",
  sunken: "--sunken",
  selected: "--selected",
  line: "--line",
  line2: "--line-2",
  grid: "--grid",
  text: "--text",
  text2: "--text-2",
  text3: "--text-3",
  accent: "--accent",
  accentInk: "--accent-ink",
  warn: "--warn",
  warnFill: "--warn-fill",
  err: "--err",
  font: "--font",
} as const;

const TINT = 0.3;
const PHASE_TINT = 0.16;
const BLOCK = 0.62;
const THIN = 0.7;

export class TraceColours {
  readonly named: Readonly<Record<keyof typeof TOKENS, string>>;
  readonly edges: readonly string[];
  readonly tints: readonly string[];
  readonly blocks: readonly string[];
  readonly thins: readonly string[];

  /** `read` gives the value of a token; themeColours.token on the page. */
  constructor(read: (token: string) => string) {
    this.named = Object.fromEntries(
      Object.entries(TOKENS).map(([name, token]) => [name, read(token)]),
    ) as typeof this.named;
    this.edges = BREAKDOWN_PARTS.map((part) => read(PART_STYLES[part].token));
    // Opaque, as if drawn over the surface: a slice costs one rectangle, whatever is below it.
    const over = (share: (index: number) => number): string[] =>
      this.edges.map((edge, index) => this.#mixed(this.named.surface, edge, share(index)));
    this.tints = over((index) => (index === PHASE ? PHASE_TINT : TINT)).with(WAIT, this.named.sunken);
    this.blocks = over((index) => (index === PHASE ? PHASE_TINT : BLOCK));
    this.thins = over((index) => (index === PHASE ? PHASE_TINT : THIN));
  }

  #mixed(below: string, above: string, share: number): string {
    const mixed = themeColours.mix(themeColours.rgb(below), themeColours.rgb(above), share);
    return `#${mixed.toString(16).padStart(6, "0")}`;
  }
}
