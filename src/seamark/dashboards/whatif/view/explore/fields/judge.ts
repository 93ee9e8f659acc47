/** Which predictions are wrong, at the threshold of the row's own slice, so that dragging a threshold needs no request. */

import type { ColumnValues } from "../../requests";

/** By row: 1 wrong, 0 right, 2 unknown. */
export type Judgement = Uint8Array;
export const [RIGHT, WRONG, UNKNOWN] = [0, 1, 2] as const;

/** By row: 1 positive, 0 negative, −1 missing. */
export function positives({ type, values, names }: ColumnValues, positive: string): Int8Array {
  const isNumeric = names.length === 0;
  const code = isNumeric ? numberOf(positive, type) : names.indexOf(positive);
  return Int8Array.from(values, (value) => (Number.isNaN(value) || (!isNumeric && value < 0) ? -1 : +(value === code)));
}

const numberOf = (name: string, type: string): number =>
  type === "boolean" || /^(true|false)$/i.test(name) ? +(name.toLowerCase() === "true" || name === "1") : Number(name);

/** Scores and thresholds are rounded alike: a score of 0.7 is at the threshold 0.7. */
export function judgeBinary(
  truths: Int8Array,
  scores: Float32Array | Int32Array,
  threshold: number,
  thresholds: Float32Array | null,
): Judgement {
  const judged = new Uint8Array(truths.length);
  const rounded = Math.fround(threshold);
  for (let row = 0; row < judged.length; row += 1) {
    const [truth, score] = [truths[row]!, scores[row]!];
    if (truth < 0 || Number.isNaN(score)) judged[row] = UNKNOWN;
    else if (+(score >= (thresholds ? thresholds[row]! : rounded)) !== truth) judged[row] = WRONG;
  }
  return judged;
}

/** From the errors of the server: 1 wrong, 0 right. */
export const judgeByErrors = (errors: ArrayLike<number>): Judgement =>
  Uint8Array.from(errors, (error) => (Number.isNaN(error) ? UNKNOWN : error === 0 ? RIGHT : WRONG));

/** The share of wrong rows among those that are known; null without any. */
export function errorShare(judged: Judgement, rows: Uint32Array): number | null {
  let [wrong, known] = [0, 0];
  for (const row of rows) {
    if (judged[row] === UNKNOWN) continue;
    known += 1;
    wrong += judged[row]!;
  }
  return known > 0 ? wrong / known : null;
}

export function meanAbsolute(errors: ArrayLike<number>, rows: Uint32Array): number | null {
  let [sum, known] = [0, 0];
  for (const row of rows) {
    if (Number.isNaN(errors[row]!)) continue;
    known += 1;
    sum += Math.abs(errors[row]!);
  }
  return known > 0 ? sum / known : null;
}
