/** Which metrics head a run's page, and what is said of each. */

import { byName } from "../../base/tags";
import { formatValue } from "../../base/format";

export type Goal = "min" | "max";
export const SYSTEM = "system/";

export interface DefinedMetric {
  readonly name: string;
  readonly goal: string;
  readonly hidden: boolean;
}

/** By tag, as the server tells them: from define_metric, else from the name. Of most nobody says anything. */
export type Goals = Readonly<Record<string, Goal>>;

const HELD_OUT = /(?<![a-z])(val(id(ation)?)?|eval(uation)?|test|dev)(?![a-z])/i;

/** `*` stands for anything. Without a regular expression: the pattern comes from a run's folder, and many stars would freeze the page. */
function matches(pattern: string, tag: string): boolean {
  const parts = pattern.split("*");
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1) return tag === pattern;
  if (tag.length < first.length + last.length || !tag.startsWith(first) || !tag.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = tag.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= tag.length - last.length;
}

/** Those defined with a goal first, then what was measured on data held out, then the losses and scores, then the rest by name. */
export function orderTags(tags: readonly string[], goals: Goals, defined: readonly DefinedMetric[]): string[] {
  const rank = (tag: string): number => {
    if (defined.some(({ name, goal }) => goal !== "" && matches(name, tag))) return 0;
    const isTold = Object.hasOwn(goals, tag);
    return HELD_OUT.test(tag) ? (isTold ? 1 : 3) : isTold ? 2 : 4;
  };
  return tags
    .filter((tag) => !tag.startsWith(SYSTEM) && !defined.some(({ name, hidden }) => hidden && matches(name, tag)))
    .map((tag) => ({ tag, rank: rank(tag) }))
    .sort((a, b) => a.rank - b.rank || byName(a.tag, b.tag))
    .map(({ tag }) => tag);
}

export interface Difference {
  readonly text: string;
  /** Nothing is said of what is neither better nor worse. */
  readonly verdict: "better" | "worse" | "";
}

export function differenceOf(mine: number, other: number, goal: Goal | null): Difference {
  const by = mine - other;
  if (!Number.isFinite(by)) return { text: "", verdict: "" };
  if (by === 0) return { text: "equal", verdict: "" };
  const isBetter = goal === "min" ? by < 0 : by > 0;
  return {
    text: by > 0 ? `+${formatValue(by)}` : formatValue(by),
    verdict: goal === null ? "" : isBetter ? "better" : "worse",
  };
}

/** The best finite value and where it was; null of none. */
export function bestOf(
  steps: ArrayLike<number>,
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  goal: Goal,
): { value: number; step: number } | null {
  let best: { value: number; step: number } | null = null;
  for (let at = 0; at < steps.length; at += 1) {
    const value = goal === "min" ? low[at]! : high[at]!;
    if (Number.isFinite(value) && (best === null || (goal === "min" ? value < best.value : value > best.value)))
      best = { value, step: steps[at]! };
  }
  return best;
}
