/** What people set on one chart, from and to the fields of its card in the address. */

import type { CardFields } from "../../ui/board/card_state.svelte";
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

const views = new WeakMap<CardFields, CardView>();

/** The same object for the same fields: a card that nothing was done to is not computed again. */
export function viewOf(fields: CardFields): CardView {
  let view = views.get(fields);
  if (!view) views.set(fields, (view = parse(fields)));
  return view;
}

/** Addresses come from anywhere: what is not understood is left out. */
function parse({ xs, ys, x, y, also, over }: CardFields): CardView {
  return {
    xScale: scale(xs),
    yScale: scale(ys),
    x: range(x),
    y: range(y),
    also: Array.isArray(also) ? also.filter((tag) => typeof tag === "string") : [],
    over: typeof over === "string" ? over : null,
  };
}

export function fieldsOf(change: Partial<CardView>): CardFields {
  const ends = (limits: TypedRange | null | undefined) => (limits ? [limits.from, limits.to] : undefined);
  const { also = [] } = change;
  return {
    ...("xScale" in change ? { xs: change.xScale ?? undefined } : {}),
    ...("yScale" in change ? { ys: change.yScale ?? undefined } : {}),
    ...("x" in change ? { x: ends(change.x) } : {}),
    ...("y" in change ? { y: ends(change.y) } : {}),
    ...("also" in change ? { also: also.length > 0 ? also : undefined } : {}),
    ...("over" in change ? { over: change.over ?? undefined } : {}),
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
