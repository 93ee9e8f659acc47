/** Retention rules: which kinds of payloads are dropped after how many days, and what they would drop now. */

import { projectRequest } from "../api";
import type { ProjectPath } from "../routes";

export interface RetentionRule {
  readonly kinds: readonly string[] | "all";
  readonly keep_days: number;
  /** A regular expression; "": every run. */
  readonly runs: string;
}

export interface DryRun {
  readonly runs: readonly string[];
  readonly files: readonly {
    readonly run: string;
    readonly path: string;
    readonly bytes: number;
    readonly dropped: Readonly<Record<string, number>>;
  }[];
  readonly total_files: number;
  readonly dropped_bytes: number;
}

export const fetchRules = async (project: ProjectPath, signal?: AbortSignal): Promise<readonly RetentionRule[]> =>
  (await projectRequest<{ rules: readonly RetentionRule[] }>(project, "retention", { signal })).rules;

export const saveRules = (project: ProjectPath, rules: readonly RetentionRule[]): Promise<unknown> =>
  projectRequest(project, "retention", { method: "PUT", body: { rules } });

export const dryRun = (project: ProjectPath, rules: readonly RetentionRule[]): Promise<DryRun> =>
  projectRequest(project, "retention/dry_run", { body: { rules } });

/** A rule as a form has it: everything is text. */
export interface RuleDraft {
  kinds: string;
  keepDays: string;
  runs: string;
}

export const draftOf = ({ kinds, keep_days, runs }: RetentionRule): RuleDraft => ({
  kinds: kinds === "all" ? "all" : kinds.join(", "),
  keepDays: String(keep_days),
  runs,
});

export function ruleOf({ kinds, keepDays, runs }: RuleDraft): RetentionRule {
  const names = kinds.split(/[\s,]+/).filter((name) => name !== "");
  return { kinds: names.includes("all") ? "all" : names, keep_days: Number(keepDays), runs: runs.trim() };
}

/** What is wrong with it, as a sentence, or "". */
export function ruleProblem({ kinds, keepDays }: RuleDraft): string {
  if (kinds.trim() === "") return "Name the kinds to drop, such as images, or “all”.";
  const days = Number(keepDays);
  return keepDays.trim() !== "" && Number.isFinite(days) && days >= 0 ? "" : "Give a number of days, 0 or more.";
}

/** Bytes by kind over all files, the largest first. */
export function droppedByKind({ files }: DryRun): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { dropped } of files)
    for (const [kind, bytes] of Object.entries(dropped)) sums.set(kind, (sums.get(kind) ?? 0) + bytes);
  return [...sums].toSorted((a, b) => b[1] - a[1]);
}
