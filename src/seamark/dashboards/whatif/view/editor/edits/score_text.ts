/** Scores and their changes, as people read them. */

import { format } from "$public/core";
import type { InfoResponse, Prediction } from "../../wire";

type Task = InfoResponse["task"];

const isProbability = (task: Task): boolean => task === "binary" || task === "multiclass";

/** 0.36; of regression four significant digits. */
export function scoreText(score: number | null | undefined, task: Task): string {
  if (score === null || score === undefined) return "–";
  if (isProbability(task) && score >= 0 && score <= 1) return score.toFixed(2);
  return format.count(Number(score.toPrecision(4)), 6);
}

/** +0.21, with a minus sign: the difference of the numbers as they are shown, so that a reader's sum is right. */
export function changeText(before: number | null, after: number | null, task: Task): string {
  if (before === null || after === null) return "";
  const shown = (score: number): number => Number(scoreText(score, task).replaceAll(",", "").replace("−", "-"));
  const change = shown(after) - shown(before);
  const text = scoreText(Math.abs(change), task);
  return change === 0 ? `±${text}` : `${change < 0 ? "−" : "+"}${text}`;
}

/** "P(> 50k), now over 0.22": what the score is, and on which side of its threshold. */
export function sideText(
  before: Prediction | null,
  after: Prediction | null,
  { task, classes, threshold }: { task: Task; classes: readonly string[]; threshold: number },
): string {
  if (task === "regression") return "prediction";
  if (task === "ranking") return "score";
  if (task === "multiclass") return after ? `P(${after.predicted})` : "";
  const positive = classes.at(-1);
  const name = positive === undefined ? "score" : `P(${positive})`;
  if (after?.score == null) return name;
  const isOver = after.score >= threshold;
  const changed = before?.score != null && before.score >= threshold !== isOver;
  return `${name}, ${changed ? "now " : ""}${isOver ? "over" : "under"} ${threshold.toFixed(2)}`;
}

export interface ClassScore {
  readonly name: string;
  readonly score: number;
  readonly before: number | null;
}

/** The classes of a multi-class model with the largest scores, before or after. */
export function topClasses(
  before: Prediction | null,
  after: Prediction | null,
  classes: readonly string[],
  count = 4,
): readonly ClassScore[] {
  return classes
    .map((name, index) => ({ name, score: after?.scores[index] ?? 0, before: before?.scores[index] ?? null }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count);
}

/** The score that a change is told of: of a multi-class model that of the class predicted before. */
export function comparableScore(
  prediction: Prediction | null,
  first: Prediction | null,
  classes: readonly string[],
): number | null {
  if (!prediction) return null;
  if (prediction.scores.length === 0 || !first) return prediction.score;
  return prediction.scores[classes.indexOf(first.predicted)] ?? null;
}
