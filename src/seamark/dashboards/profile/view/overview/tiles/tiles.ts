/** The five headline numbers: text, and the little picture of each. */

import { format } from "$public/core";
import { inUnit, percentText, timeText, timeUnit, type TimeUnit } from "../../numbers";
import { PART_STYLES } from "../../parts";
import { countComplete } from "../../steps";
import type { BreakdownPart, Overview, StepBreakdown } from "../../wire";

export interface Tile {
  readonly title: string;
  /** "n/a" if the trace cannot give it. */
  readonly value: string;
  readonly note: string;
  /** Why it is n/a. */
  readonly reason: string;
}

const NO_STEPS = "the trace has no steps";
const NO_DEVICE = "the trace has no device";
const NO_COLLECTIVES = "the trace has no collectives";

/** Steps over which the server's sums are taken. */
const measuredSteps = (steps: readonly StepBreakdown[]): number => Math.max(1, countComplete(steps));

/** One digit less, where a number stands beside a more exact one. */
const rougher = (unit: TimeUnit): TimeUnit => ({ ...unit, digits: Math.max(0, unit.digits - 1) });

const missing = (title: string, reason: string): Tile => ({ title, value: "n/a", note: "", reason });

export function stepTile({ headline, steps }: Overview): Tile {
  const { step_mean_ns, step_p5_ns, step_p95_ns, step_deviation_ns, reasons } = headline;
  const title = steps.length === 0 ? "Step time" : `Step time, ${format.counted(countComplete(steps), "step")}`;
  if (step_mean_ns === null) return missing(title, reasons.step_mean_ns ?? NO_STEPS);
  const unit = timeUnit(step_mean_ns);
  const rough = rougher(unit);
  const spread =
    step_p5_ns === null || step_p95_ns === null
      ? ""
      : `p5 to p95 ${inUnit(step_p5_ns, rough)} to ${inUnit(step_p95_ns, rough)}`;
  const deviation = step_deviation_ns === null ? "" : `sd\u00a0${inUnit(step_deviation_ns, unit)}`;
  return { title, value: timeText(step_mean_ns), note: [spread, deviation].filter(Boolean).join(" · "), reason: "" };
}

export function utilizationTile({ utilization, headline }: Overview): Tile {
  const { device_compute, device_any } = utilization;
  const title = "Device utilization";
  if (device_compute === null) return missing(title, headline.reasons.device_compute ?? NO_DEVICE);
  const note = device_any === null ? "compute" : `compute · ${percentText(device_any)} any kernel`;
  return { title, value: percentText(device_compute), note, reason: "" };
}

export function inputTile({ headline, mean }: Overview): Tile {
  const title = "Input share";
  if (headline.input_share === null) return missing(title, headline.reasons.input_share ?? NO_STEPS);
  const note = mean.input === undefined ? "" : `${timeText(mean.input)}, waiting for input`;
  return { title, value: percentText(headline.input_share), note, reason: "" };
}

export function communicationTile({ headline, utilization, steps }: Overview): Tile {
  const { exposed_communication_ns, communication_ns } = utilization;
  const title = "Exposed communication";
  if (exposed_communication_ns === null || communication_ns === null)
    return missing(title, headline.reasons.exposed_communication_ns ?? NO_COLLECTIVES);
  if (headline.step_mean_ns === null) return missing(title, headline.reasons.step_mean_ns ?? NO_STEPS);
  const count = measuredSteps(steps);
  const [exposed, all] = [exposed_communication_ns / count, communication_ns / count];
  const note = `${inUnit(exposed, rougher(timeUnit(all)))} of ${timeText(all)} not hidden`;
  return { title, value: percentText(exposed / headline.step_mean_ns), note, reason: "" };
}

export function memoryTile({ headline }: Overview): Tile {
  const { peak_memory_bytes: peak, memory_limit_bytes: limit, peak_memory_at: at, reasons } = headline;
  const title = "Peak memory";
  if (peak === null) return missing(title, reasons.peak_memory_bytes ?? "the trace has no memory events");
  const share = limit === null ? "" : `${Math.round((peak / limit) * 100)}% of ${format.bytes(limit)}`;
  return { title, value: format.bytes(peak), note: [share, at && `at ${at}`].filter(Boolean).join(" · "), reason: "" };
}

/** Marks along a line, each from 0 to 1; those of the same pixel once. */
export interface StepMarks {
  readonly marks: readonly { readonly at: number; readonly isOutlier: boolean }[];
  readonly band: readonly [number, number];
  readonly mean: number;
}

const MARK_POSITIONS = 250;

export function stepMarks({ steps, headline }: Overview): StepMarks | null {
  const { step_mean_ns: mean, step_p5_ns: low, step_p95_ns: high } = headline;
  if (mean === null || low === null || high === null) return null;
  const durations = steps.map(({ duration_ns }) => duration_ns);
  const least = durations.reduce((a, b) => Math.min(a, b), low);
  const most = durations.reduce((a, b) => Math.max(a, b), high);
  const margin = (most - least) * 0.08 || 1;
  const at = (ns: number): number => (ns - least + margin) / (most - least + 2 * margin);
  const found = new Map<number, boolean>();
  for (const ns of durations) found.set(Math.round(at(ns) * MARK_POSITIONS), ns < low || ns > high);
  const marks = [...found].map(([position, isOutlier]) => ({ at: position / MARK_POSITIONS, isOutlier }));
  return { marks, band: [at(low), at(high)], mean: at(mean) };
}

const MAX_COLUMNS = 60;

/** Input of the steps as heights from 0 to 1; of many steps the largest of each group. */
export function inputColumns({ steps }: Overview): number[] {
  const perColumn = Math.max(1, Math.ceil(steps.length / MAX_COLUMNS));
  const columns: number[] = [];
  steps.forEach(({ breakdown }, index) => {
    const column = Math.floor(index / perColumn);
    columns[column] = Math.max(columns[column] ?? 0, breakdown.input ?? 0);
  });
  const most = Math.max(1, ...columns);
  return columns.map((value) => value / most);
}

export interface BarPart {
  readonly share: number;
  readonly colour: string;
  readonly alpha: number;
}

const DEVICE_PARTS: readonly BreakdownPart[] = [
  "device_compute_16",
  "device_compute_32",
  "collectives",
  "host_device_copies",
];

export function utilizationParts({ mean, headline, utilization }: Overview): BarPart[] {
  const { step_mean_ns } = headline;
  if (!step_mean_ns || utilization.device_compute === null) return [];
  return DEVICE_PARTS.map((part) => ({
    share: (mean[part] ?? 0) / step_mean_ns,
    colour: PART_STYLES[part].colour,
    alpha: 1,
  })).filter(({ share }) => share > 0);
}

export function communicationParts({ utilization }: Overview): BarPart[] {
  const { exposed_communication_ns: exposed, communication_ns: all } = utilization;
  if (exposed === null || !all) return [];
  const { colour } = PART_STYLES.collectives;
  return [
    { share: Math.max(0, 1 - exposed / all), colour, alpha: 0.35 },
    { share: exposed / all, colour, alpha: 1 },
  ];
}

/** Above this share of the limit the next allocation may fail; marked in the picture. */
const NEAR_LIMIT = 0.95;

export function memoryParts({ headline }: Overview): { readonly parts: BarPart[]; readonly mark: number | null } {
  const { peak_memory_bytes: peak, memory_limit_bytes: limit } = headline;
  if (peak === null || !limit) return { parts: [], mark: null };
  return { parts: [{ share: Math.min(1, peak / limit), colour: "var(--accent)", alpha: 1 }], mark: NEAR_LIMIT };
}
