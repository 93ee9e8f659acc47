/** What a person set on single cards, as text that fits into the address: only what differs from the page's own settings. */

import type { ScalePreference } from "../plugin";

/** Limits of an axis as a person types them; null is that of the data. */
export interface TypedRange {
  readonly from: number | null;
  readonly to: number | null;
}

export interface CardView {
  /** Null: as the page has it. */
  readonly xScale: ScalePreference | null;
  readonly yScale: ScalePreference | null;
  /** Typed limits, or those of a zoom; one side may follow the data. */
  readonly x: TypedRange | null;
  readonly y: TypedRange | null;
  /** More tags in the same chart. */
  readonly also: readonly string[];
  /** The metric along x instead of steps or time. */
  readonly over: string | null;
}

export const PLAIN: CardView = { xScale: null, yScale: null, x: null, y: null, also: [], over: null };

export type CardViews = Readonly<Record<string, CardView>>;

type Stored = {
  xs?: ScalePreference;
  ys?: ScalePreference;
  x?: [number | null, number | null];
  y?: [number | null, number | null];
  also?: string[];
  over?: string;
};

export function serialiseCards(cards: CardViews): string | undefined {
  const stored: Record<string, Stored> = {};
  for (const [tag, { xScale, yScale, x, y, also, over }] of Object.entries(cards)) {
    const entry: Stored = {
      ...(xScale ? { xs: xScale } : {}),
      ...(yScale ? { ys: yScale } : {}),
      ...(x ? { x: [x.from, x.to] } : {}),
      ...(y ? { y: [y.from, y.to] } : {}),
      ...(also.length > 0 ? { also: [...also] } : {}),
      ...(over !== null ? { over } : {}),
    };
    if (Object.keys(entry).length > 0) stored[tag] = entry;
  }
  return Object.keys(stored).length > 0 ? JSON.stringify(stored) : undefined;
}

/** As `after`, with the very objects of `before` where nothing differs: those cards are then not worked out anew. */
export function keepSame(before: CardViews, after: CardViews): CardViews {
  return Object.fromEntries(
    Object.entries(after).map(([tag, view]) => {
      const old = before[tag];
      return [tag, old && JSON.stringify(old) === JSON.stringify(view) ? old : view];
    }),
  );
}

/** Addresses come from anywhere: what is not understood is left out. */
export function parseCards(text: string | undefined): CardViews {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored)
      .filter(([, entry]) => typeof entry === "object" && entry !== null)
      .map(([tag, entry]) => [tag, cardView(entry as Record<string, unknown>)]),
  );
}

function cardView(entry: Record<string, unknown>): CardView {
  return {
    xScale: scale(entry.xs),
    yScale: scale(entry.ys),
    x: range(entry.x),
    y: range(entry.y),
    also: Array.isArray(entry.also) ? entry.also.filter((tag) => typeof tag === "string") : [],
    over: typeof entry.over === "string" ? entry.over : null,
  };
}

const scale = (value: unknown): ScalePreference | null =>
  value === "linear" || value === "log" || value === "symlog" ? value : null;

export function range(value: unknown): TypedRange | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [from, to] = value.map((end: unknown) => (typeof end === "number" && Number.isFinite(end) ? end : null)) as [
    number | null,
    number | null,
  ];
  return (from === null && to === null) || (from !== null && to !== null && from >= to) ? null : { from, to };
}
