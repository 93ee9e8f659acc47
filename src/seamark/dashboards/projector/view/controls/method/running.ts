/** What is true of a projection now, as text. */

import { format } from "$public/core";
import type { Projection, Quality } from "../../wire";

/** Whether the method works step by step. */
export const isIterative = ({ epochs }: Projection): boolean => epochs > 0;

/** "Epoch 320 of 500"; "500 epochs" at the end. Before the first one, neighbours are found. */
export function epochText({ state, epoch, epochs }: Projection): string {
  if (state === "running" && epoch === 0) return "Finding neighbours";
  return state === "done" ? format.counted(epoch, "epoch") : `Epoch ${format.count(epoch)} of ${format.count(epochs)}`;
}

/** "3 s left", "paused" */
export function timeText({ state, secs_left }: Projection): string {
  if (state === "paused") return "paused";
  return state !== "running" || secs_left === null ? "" : `${format.seconds(Math.max(1, Math.round(secs_left)))} left`;
}

/** "Trustworthiness 0.964, continuity 0.971 at k = 10." */
export const qualityText = ({ trustworthiness, continuity, count }: Quality): string =>
  `Trustworthiness ${trustworthiness.toFixed(3)}, continuity ${continuity.toFixed(3)} at k\u00a0=\u00a0${count}.`;

/** The server's notes as one paragraph. */
export const notesText = (notes: readonly string[]): string =>
  notes.map((note) => (/[.!?]$/.test(note) ? note : `${note}.`)).join(" ");
