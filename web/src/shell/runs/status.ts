/** Is a run being written? Told by the age of its last event, since files say nothing else. */

import { isPublished } from "../../data/published";

export type Status = "writing" | "idle" | "stopped";

const WRITING_SECS = 15;
const IDLE_SECS = 300;

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  writing: "writing now",
  idle: "idle: wrote within five minutes",
  stopped: "stopped: wrote nothing for five minutes",
};

export function statusOf(lastWall: number | null, nowMs: number): Status {
  if (lastWall === null || isPublished) return "stopped";
  const ageSecs = nowMs / 1000 - lastWall;
  return ageSecs < WRITING_SECS ? "writing" : ageSecs < IDLE_SECS ? "idle" : "stopped";
}
