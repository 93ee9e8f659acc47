/** How the status of a run is said and drawn: in the list, the table, the details and on its page. */

import type { IconName } from "../../ui/icons";

export interface StatusLook {
  readonly words: string;
  readonly tone: "ok" | "err" | "warn" | "";
  /** null: no icon. */
  readonly icon: IconName | "dot" | null;
}

// Only what finished has a tick: of a run that stopped nobody knows how it ended.
const LOOKS: Readonly<Record<string, StatusLook>> = {
  running: { words: "running", tone: "ok", icon: "dot" },
  writing: { words: "writing now", tone: "ok", icon: "dot" },
  finished: { words: "finished", tone: "", icon: "check" },
  pruned: { words: "pruned", tone: "", icon: "check" },
  crashed: { words: "crashed", tone: "err", icon: "x" },
  failed: { words: "failed", tone: "err", icon: "x" },
  killed: { words: "killed", tone: "err", icon: "x" },
  lost: { words: "lost", tone: "warn", icon: "help" },
  idle: { words: "idle", tone: "", icon: "pause" },
  stopped: { words: "stopped", tone: "", icon: "stop" },
  unfinished: { words: "unfinished", tone: "", icon: null },
};

const HINTS: Readonly<Record<string, string>> = {
  lost: "no heartbeat, and its process cannot be looked up from here",
  idle: "wrote within five minutes",
  stopped: "wrote nothing for five minutes; nothing says how it ended",
  unfinished: "had not ended when this site was published",
};

export const isLive = (status: string | undefined): boolean => status === "running" || status === "writing";

/** Whether the status may change without a new event. */
export const mayChange = (status: string): boolean => isLive(status) || status === "idle";

export function statusLook(status: string): StatusLook {
  return Object.hasOwn(LOOKS, status) ? LOOKS[status]! : { words: status, tone: "", icon: null };
}

export function statusHint(status: string): string {
  const { words } = statusLook(status);
  return Object.hasOwn(HINTS, status) ? `${words}: ${HINTS[status]}` : words;
}
