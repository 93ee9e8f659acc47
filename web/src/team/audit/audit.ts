/** The audit log: who saw, changed and deleted what. */

import { teamRequest } from "../api";
import { TEAM_ROOT } from "../root";
import { pathOf, type ProjectPath } from "../routes";
import { formatTime } from "../time";

export interface AuditEntry {
  readonly id: string;
  readonly happened_at: number;
  readonly action: string;
  readonly user_email: string;
  readonly via: string;
  readonly address: string;
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Give it as `before` to read on; null at the end. */
  readonly next: string | null;
}

export interface AuditFilter {
  readonly action: string;
  readonly user: string;
}

/** Without a project: of the whole server. */
export function auditPath(project: ProjectPath | null, filter: AuditFilter, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  if (filter.action) query.set("action", filter.action);
  if (filter.user) query.set("user", filter.user);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  const path = project ? `projects/${pathOf(project)}/audit` : "audit";
  return query.size === 0 ? path : `${path}?${query}`;
}

export const fetchAudit = (
  project: ProjectPath | null,
  filter: AuditFilter,
  before: string | null,
  signal?: AbortSignal,
): Promise<AuditPage> => teamRequest(auditPath(project, filter, before ? { before } : {}), { signal });

/** The address of the whole log as a file. */
export const auditExport = (project: ProjectPath | null, filter: AuditFilter, format: "csv" | "jsonl"): string =>
  `${TEAM_ROOT}team/api/${auditPath(project, filter, { format })}`;

/** "runs: a, b; role: writer" */
export function detailsInWords(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(
      ([name, value]) =>
        `${name.replaceAll("_", " ")}: ${name.endsWith("_at") && typeof value === "number" ? formatTime(value) : valueInWords(value)}`,
    )
    .join("; ");
}

function valueInWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueInWords).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
