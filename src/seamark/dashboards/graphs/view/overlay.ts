/** Colours and texts of boxes: by structure, by a number or by a name. */

import { format } from "$public/core";
import { RAMP_TOKENS, type Legend } from "./canvas/legend";
import type { Difference } from "./canvas/scene";
import { partText } from "./partial";
import type { Overlay, VisibleGraph } from "./wire";

export interface ColourChoice {
  readonly name: string;
  readonly title: string;
  readonly group: "Structure" | "Cost" | "Run";
}

export const COLOURS: readonly ColourChoice[] = [
  { name: "structure", title: "Structure", group: "Structure" },
  { name: "op", title: "Op", group: "Structure" },
  { name: "dtype", title: "Dtype", group: "Structure" },
  { name: "device", title: "Device", group: "Structure" },
  { name: "xla", title: "XLA cluster", group: "Structure" },
  { name: "parameters", title: "Parameters", group: "Cost" },
  { name: "multiply_adds", title: "Multiply-adds", group: "Cost" },
  { name: "bytes", title: "Output bytes", group: "Cost" },
  { name: "time", title: "Compute time", group: "Run" },
  { name: "memory", title: "Memory", group: "Run" },
  { name: "health", title: "Health", group: "Run" },
  { name: "change", title: "Changes", group: "Run" },
];

const CHANGE_TOKENS = { added: "--ok", removed: "--err", changed: "--warn-fill" } as const;
const RUN_COLOURS = 12;

export interface BoxPaint {
  /** By box: a token, or "" for the colour of its type. */
  readonly fills: readonly string[];
  readonly texts: readonly string[];
  readonly differences: readonly Difference[];
  readonly warnings: ReadonlyMap<string, string>;
  readonly legend: Legend | null;
}

/** `tint` makes a quiet version of a token's colour: a strong one is for numbers. */
export function paintBoxes(
  graph: VisibleGraph,
  colour: string,
  overlay: Overlay | null,
  tint: (token: string) => string,
): BoxPaint {
  const plain = {
    fills: graph.boxes.id.map((): string => ""),
    texts: parameterTexts(graph),
    differences: [],
    warnings: new Map<string, string>(),
    legend: null,
  };
  if (colour === "structure") return { ...plain, fills: structureFills(graph, tint) };
  if (!overlay) return plain;
  const title = COLOURS.find(({ name }) => name === colour)?.title ?? colour;
  if (colour === "change") return { ...plain, ...changes((overlay.names ?? []) as Difference[], title) };
  if (overlay.values) {
    // An open group is not painted: it is its boxes that the scale is about.
    const scale = logScale(overlay.values.map((value, box) => (graph.boxes.is_open[box] ? null : value)));
    const text = unitText(overlay.unit);
    return {
      ...plain,
      fills: overlay.values.map((value, box) => (value === null || graph.boxes.is_open[box] ? "" : scale.token(value))),
      texts: overlay.values.map((value) => (value === null || value === 0 ? "" : text(value))),
      warnings: warningsOf(graph, overlay),
      legend:
        scale.high > 0 ? { title, low: text(scale.low), high: text(scale.high), isLog: scale.isLog, names: [] } : null,
    };
  }
  return { ...plain, ...namedFills(overlay.names ?? [], title, tint) };
}

function changes(differences: readonly Difference[], title: string): Pick<BoxPaint, "differences" | "legend"> {
  const found = new Set(differences);
  const names = (["added", "removed", "changed"] as const).filter((state) => found.has(state));
  const legend = {
    title,
    low: "",
    high: "",
    isLog: false,
    names: names.map((name) => ({ name, token: CHANGE_TOKENS[name] })),
  };
  return { differences, legend: names.length > 0 ? legend : null };
}

/** Boxes of equal structure have the same colour; what is unique has none. */
const structureFills = ({ boxes }: VisibleGraph, tint: (token: string) => string): readonly string[] =>
  boxes.structure.map((structure, box) =>
    structure === 0 || boxes.is_open[box] ? "" : tint(`--run-${((structure - 1) % RUN_COLOURS) + 1}`),
  );

const parameterTexts = ({ boxes }: VisibleGraph): readonly string[] =>
  boxes.parameters.map((count, box) =>
    count ? partText(count, boxes.has_unknown_parameters[box]!, format.short) : "",
  );

function warningsOf(graph: VisibleGraph, { names }: Overlay): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  graph.boxes.id.forEach((id, box) => {
    // The word stands at the innermost box that is visible.
    if (names?.[box] && !graph.boxes.is_open[box]) found.set(id, names[box]);
  });
  return found;
}

interface RampScale {
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
  token(value: number): string;
}

/** Seven steps of the page's ramp, logarithmic where values span more than a factor of ten. */
export function logScale(values: readonly (number | null)[]): RampScale {
  const positive = values.filter((value): value is number => value !== null && value > 0);
  const low = positive.length > 0 ? Math.min(...positive) : 0;
  const high = positive.length > 0 ? Math.max(...positive) : 0;
  const isLog = high > 10 * low;
  const share = (value: number): number => {
    if (value <= low || high <= low) return high <= low && value > 0 ? 1 : 0;
    return isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  };
  const token = (value: number): string =>
    value > 0 ? RAMP_TOKENS[Math.min(RAMP_TOKENS.length - 1, Math.floor(share(value) * RAMP_TOKENS.length))]! : "";
  return { low, high, isLog, token };
}

const MIXED = "mixed";

/** The most frequent names have the colours of runs; the rest is grey, and so is a box with several names. */
function namedFills(
  names: readonly string[],
  title: string,
  tint: (token: string) => string,
): Pick<BoxPaint, "fills" | "texts" | "legend"> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== "" && name !== MIXED) counts.set(name, (counts.get(name) ?? 0) + 1);
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, RUN_COLOURS);
  const tokens = new Map(ranked.map(([name], at) => [name, `--run-${at + 1}`]));
  return {
    fills: names.map((name) => (tokens.has(name) ? tint(tokens.get(name)!) : "")),
    texts: names.map(() => ""),
    legend: { title, low: "", high: "", isLog: false, names: [...tokens].map(([name, token]) => ({ name, token })) },
  };
}

function unitText(unit: string): (value: number) => string {
  if (unit === "bytes") return format.bytes;
  if (unit === "µs") return format.microseconds;
  return unit === "norm" ? format.value : format.short;
}
