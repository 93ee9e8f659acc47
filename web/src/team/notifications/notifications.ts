/** Messages to a person, and the rules of a project that send them. */

import { counted } from "../../base/format";
import { projectRequest, teamRequest } from "../api";
import type { ProjectPath } from "../routes";

export interface NotificationItem {
  readonly id: string;
  readonly organisation: string;
  readonly project: string;
  readonly run: string;
  /** Plain text. */
  readonly text: string;
  readonly link: string;
  readonly created_at: number;
  readonly seen_at: number | null;
}

export interface NotificationList {
  readonly notifications: readonly NotificationItem[];
  readonly unseen: number;
  /** As the server announces it. */
  readonly version: string;
}

export const fetchNotifications = (signal?: AbortSignal): Promise<NotificationList> =>
  teamRequest("notifications", { signal });

/** All of them. */
export const markSeen = (): Promise<NotificationList> => teamRequest("notifications/seen", { body: {} });

export type RuleEvent = "finished" | "crashed" | "threshold" | "no_progress" | "mention";
export type Channel = "page" | "webhook" | "email";

export interface Condition {
  /** A regular expression; "": every run. */
  readonly runs?: string;
  readonly tag?: string;
  readonly above?: number | null;
  readonly below?: number | null;
  readonly minutes?: number | null;
}

export interface NotificationRule {
  readonly id: string;
  readonly event: RuleEvent;
  readonly condition: Condition;
  readonly channel: Channel;
  readonly target: string;
  readonly created_by: string;
  readonly created_at: number;
}

export const EVENT_TITLES: Readonly<Record<RuleEvent, string>> = {
  finished: "A run finished",
  crashed: "A run crashed",
  threshold: "A metric crossed a threshold",
  no_progress: "A run makes no progress",
  mention: "Somebody mentioned me",
};
export const CHANNEL_TITLES: Readonly<Record<Channel, string>> = {
  page: "On this page",
  email: "By e-mail",
  webhook: "To a webhook (Slack and others)",
};

export interface RuleDraft {
  event: RuleEvent;
  channel: Channel;
  target: string;
  runs: string;
  tag: string;
  side: "above" | "below";
  threshold: string;
  minutes: string;
}

export const NEW_RULE: RuleDraft = {
  event: "finished",
  channel: "page",
  target: "",
  runs: "",
  tag: "",
  side: "above",
  threshold: "",
  minutes: "30",
};

/** What the server takes: only what belongs to the event. */
export function ruleBody(draft: RuleDraft): Readonly<Record<string, unknown>> {
  const { event, channel } = draft;
  const runs = event === "mention" || draft.runs.trim() === "" ? {} : { runs: draft.runs.trim() };
  const threshold = event === "threshold" ? { tag: draft.tag.trim(), [draft.side]: Number(draft.threshold) } : {};
  const progress = event === "no_progress" ? { minutes: Number(draft.minutes) } : {};
  return {
    event,
    channel,
    condition: { ...runs, ...threshold, ...progress },
    target: channel === "page" ? "" : draft.target.trim(),
  };
}

/** "A metric crossed a threshold: val/loss above 3, runs matching ^sweep" */
export function ruleInWords({ event, condition }: Pick<NotificationRule, "event" | "condition">): string {
  const parts = [
    ...(condition.tag ? [thresholdInWords(condition)] : []),
    ...(condition.minutes ? [`for ${counted(condition.minutes, "minute")}`] : []),
    ...(condition.runs ? [`runs matching ${condition.runs}`] : []),
  ];
  return parts.length === 0 ? EVENT_TITLES[event] : `${EVENT_TITLES[event]}: ${parts.join(", ")}`;
}

function thresholdInWords({ tag, above, below }: Condition): string {
  const sides = [...(above == null ? [] : [`above ${above}`]), ...(below == null ? [] : [`below ${below}`])];
  return `${tag} ${sides.join(" or ")}`;
}

export const fetchRules = async (project: ProjectPath, signal?: AbortSignal): Promise<readonly NotificationRule[]> =>
  (await projectRequest<{ rules: readonly NotificationRule[] }>(project, "notification_rules", { signal })).rules;

export const addRule = (project: ProjectPath, draft: RuleDraft): Promise<unknown> =>
  projectRequest(project, "notification_rules", { body: ruleBody(draft) });

export const deleteRule = (project: ProjectPath, id: string): Promise<unknown> =>
  projectRequest(project, "notification_rules/delete", { body: { id } });

export const testRule = (project: ProjectPath, id: string): Promise<unknown> =>
  projectRequest(project, "notification_rules/test", { body: { id } });
