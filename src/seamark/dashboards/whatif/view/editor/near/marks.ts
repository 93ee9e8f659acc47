/** What the editor marks in Explore. */

import { format } from "$public/core";
import type { ExploreMark } from "../../state/marks";
import type { InfoResponse, Prediction } from "../../wire";
import type { Values } from "../edits/edits";
import { scoreText } from "../edits/score_text";

export interface MarkedPoint {
  readonly row: number | null;
  readonly changed: Values;
  readonly after: Prediction | null;
  readonly task: InfoResponse["task"];
  readonly counterfactual: number | null;
  readonly neighbours: readonly number[];
}

export function marksOf({
  row,
  changed,
  after,
  task,
  counterfactual,
  neighbours,
}: MarkedPoint): readonly ExploreMark[] {
  if (row === null) return [];
  const marks: ExploreMark[] = neighbours.map((near) => ({ type: "neighbour", row: near }));
  if (Object.keys(changed).length > 0) {
    const now = after?.score == null ? "" : `now ${scoreText(after.score, task)}`;
    marks.push({
      type: "edited",
      row,
      values: {
        ...changed,
        ...(after?.score != null && { "=score": after.score }),
        ...(after?.predicted && { "=predicted": after.predicted }),
      },
      label: [`row ${format.count(row)}`, now].filter(Boolean).join(", "),
      shortLabel: now,
    });
  }
  if (counterfactual !== null) {
    marks.push({
      type: "counterfactual",
      row: counterfactual,
      label: `counterfactual, row ${format.count(counterfactual)}`,
      shortLabel: "counterfactual",
    });
  }
  return marks;
}
