/** Two profiles side by side: which is compared with which, and the rows and bars of both. */

import { inUnit, timeUnit, type TimeUnit } from "../numbers";
import { PART_STYLES } from "../parts";
import type { ProfileColumn } from "../tables/columns";
import type { BreakdownPart, CaptureEntry, ComparedRow, Comparison } from "../wire";

export interface Choice {
  readonly capture: CaptureEntry;
  readonly host: string;
}

/** What is compared until a person chooses: the capture before this one, else another run's, else another rank. */
export function defaultOther(captures: readonly CaptureEntry[], { capture, host }: Choice): Choice | null {
  const ofRun = captures.filter(({ run }) => run === capture.run);
  const at = ofRun.findIndex(({ name }) => name === capture.name);
  const other = ofRun[at + 1] ?? ofRun[at - 1] ?? captures.find(({ run }) => run !== capture.run);
  if (other) return { capture: other, host: sameHost(other, host) };
  const rank = capture.hosts.find((entry) => entry.host !== host);
  return rank ? { capture, host: rank.host } : null;
}

/** The same rank of another capture, or its first. */
export const sameHost = (capture: CaptureEntry, host: string): string =>
  capture.hosts.find((entry) => entry.host === host)?.host ?? capture.hosts[0]?.host ?? "";

export interface ComparedPart {
  readonly part: BreakdownPart;
  readonly label: string;
  readonly colour: string;
  readonly a: string;
  readonly b: string;
  readonly difference: string;
  /** Between 0 and 1 of the longest bar. */
  readonly aBar: number;
  readonly bBar: number;
}

export interface ComparedParts {
  readonly unit: TimeUnit;
  readonly step: { readonly a: string; readonly b: string; readonly difference: string } | null;
  /** Those that one of the two has. */
  readonly rows: readonly ComparedPart[];
}

export function comparedParts({ breakdown }: Comparison): ComparedParts {
  const step = breakdown.find(({ part }) => part === "step");
  const parts = breakdown.filter(({ part, a_ns, b_ns }) => part in PART_STYLES && (a_ns > 0 || b_ns > 0));
  const unit = timeUnit(Math.max(step?.a_ns ?? 0, step?.b_ns ?? 0, 1));
  const longest = Math.max(1, ...parts.flatMap(({ a_ns, b_ns }) => [a_ns, b_ns]));
  const texts = (a: number, b: number) => ({ a: inUnit(a, unit), b: inUnit(b, unit), difference: signed(b - a, unit) });
  const rows = parts.map(({ part, a_ns, b_ns }): ComparedPart => {
    const { label, colour } = PART_STYLES[part as BreakdownPart];
    const bars = { aBar: a_ns / longest, bBar: b_ns / longest };
    return { part: part as BreakdownPart, label, colour, ...texts(a_ns, b_ns), ...bars };
  });
  return { unit, step: step ? texts(step.a_ns, step.b_ns) : null, rows };
}

/** "+5.1", "−0.3", "0.0" */
export function signed(ns: number, unit: TimeUnit): string {
  const text = inUnit(ns, unit);
  if (Number(inUnit(Math.abs(ns), unit)) === 0) return text.replace("−", "");
  return ns > 0 ? `+${text}` : text;
}

export interface StepPair {
  readonly label: string;
  /** Between 0 and 1 of the longest. */
  readonly a: number;
  readonly b: number;
}

const MAX_PAIRS = 60;

/** The step times of both; of many steps the means of neighbours. */
export function stepPairs({ a_step_ns, b_step_ns, step_names }: Comparison): {
  readonly pairs: readonly StepPair[];
  readonly perPair: number;
  readonly longestNs: number;
} {
  const perPair = Math.max(1, Math.ceil(step_names.length / MAX_PAIRS));
  const mean = (values: readonly number[], from: number): number => {
    const own = values.slice(from, from + perPair);
    return own.reduce((total, value) => total + value, 0) / Math.max(1, own.length);
  };
  const groups: { label: string; a: number; b: number }[] = [];
  for (let from = 0; from < step_names.length; from += perPair) {
    const last = step_names[Math.min(step_names.length, from + perPair) - 1]!;
    const label = perPair === 1 ? last : `${step_names[from]} to ${last}`;
    groups.push({ label, a: mean(a_step_ns, from), b: mean(b_step_ns, from) });
  }
  const longestNs = Math.max(1, ...groups.flatMap(({ a, b }) => [a, b]));
  const pairs = groups.map(({ label, a, b }) => ({ label, a: a / longestNs, b: b / longestNs }));
  return { pairs, perPair, longestNs };
}

/** Of operators and of kernels, for each step or for the whole traces. */
export const comparedColumns = (title: string, isPerStep: boolean): readonly ProfileColumn<ComparedRow>[] => [
  { id: "name", title, type: "name", widthPx: 320, value: ({ name }) => name },
  { id: "a", title: "A", hint: isPerStep ? "Time a step in A" : "Time in A", type: "time", value: ({ a_ns }) => a_ns },
  { id: "b", title: "B", hint: isPerStep ? "Time a step in B" : "Time in B", type: "time", value: ({ b_ns }) => b_ns },
  {
    id: "difference",
    title: "Difference",
    hint: isPerStep ? "B minus A, a step" : "B minus A",
    type: "change",
    value: ({ a_ns, b_ns }) => b_ns - a_ns,
  },
  {
    id: "explains",
    title: "Explains",
    hint: "Share of the whole difference",
    type: "percent",
    value: ({ explains }) => (explains === null ? null : explains * 100),
    reason: isPerStep ? "A step of both takes the same time" : "One of the profiles has no steps",
  },
  {
    id: "a_calls",
    title: "Calls in A",
    hint: isPerStep ? "A step" : "Of the whole trace",
    type: "count",
    value: ({ a_calls }) => a_calls,
  },
  {
    id: "b_calls",
    title: "Calls in B",
    hint: isPerStep ? "A step" : "Of the whole trace",
    type: "count",
    value: ({ b_calls }) => b_calls,
  },
];
