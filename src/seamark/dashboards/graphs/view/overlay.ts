/** Colours and texts of boxes: by structure, by a number or by a name. */

import { format } from "$public/core";
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

const RAMP_STEPS = 7;
const RUN_COLOURS = 12;

export interface Legend {
  /** Ends of the scale as text; null for names. */
  readonly low: string;
  readonly high: string;
  readonly isLog: boolean;
  /** Names with their colours, the most frequent first. */
  readonly names: readonly { readonly name: string; readonly token: string }[];
}

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
  if (colour === "change") return { ...plain, differences: (overlay.names ?? []) as Difference[] };
  if (overlay.values) {
    const scale = logScale(overlay.values);
    const text = unitText(overlay.unit);
    return {
      ...plain,
      fills: overlay.values.map((value) => (value === null ? "" : scale.token(value))),
      texts: overlay.values.map((value) => (value === null || value === 0 ? "" : text(value))),
      warnings: warningsOf(graph, overlay),
      legend: { low: text(scale.low), high: text(scale.high), isLog: scale.isLog, names: [] },
    };
  }
  return { ...plain, ...namedFills(overlay.names ?? [], tint) };
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
    value > 0 ? `--q${1 + Math.min(RAMP_STEPS - 1, Math.floor(share(value) * RAMP_STEPS))}` : "";
  return { low, high, isLog, token };
}

const MIXED = "mixed";

/** The most frequent names have the colours of runs; the rest is grey, and so is a box with several names. */
function namedFills(
  names: readonly string[],
  tint: (token: string) => string,
): Pick<BoxPaint, "fills" | "texts" | "legend"> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== "" && name !== MIXED) counts.set(name, (counts.get(name) ?? 0) + 1);
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, RUN_COLOURS);
  const tokens = new Map(ranked.map(([name], at) => [name, `--run-${at + 1}`]));
  return {
    fills: names.map((name) => (tokens.has(name) ? tint(tokens.get(name)!) : "")),
    texts: names.map(() => ""),
    legend: { low: "", high: "", isLog: false, names: [...tokens].map(([name, token]) => ({ name, token })) },
  };
}

function unitText(unit: string): (value: number) => string {
  if (unit === "bytes") return format.bytes;
  if (unit === "µs") return format.microseconds;
  return unit === "norm" ? format.value : format.short;
}
