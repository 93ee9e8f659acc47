/** Reports of a project: Markdown with live charts, tables and images, in versions. */

import { projectRequest } from "../api";
import { TEAM_ROOT } from "../root";
import { pathOf, type ProjectPath } from "../routes";

export interface ReportItem {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly author: string;
  readonly saved_at: number;
  readonly created_at: number;
}

interface RunsBlock {
  readonly title: string;
}
export interface ChartBlock extends RunsBlock {
  readonly kind: "chart";
  readonly tags: readonly string[];
  readonly axis: "step" | "relative" | "wall";
  /** TensorBoard's weight. */
  readonly smoothing: number;
}
export interface TableBlock extends RunsBlock {
  readonly kind: "table";
  readonly columns: readonly string[];
}
export interface ImagesBlock extends RunsBlock {
  readonly kind: "images";
  readonly tags: readonly string[];
  /** Null: the last one. */
  readonly step: number | null;
}
/** What cannot be read, and why. */
export interface BrokenBlock {
  readonly kind: "broken";
  readonly source: string;
  readonly problem: string;
}

/** Safe HTML of text; or a block, and the names of the runs that it is about now. */
export interface ReportPart {
  readonly html: string | null;
  readonly block: ChartBlock | TableBlock | ImagesBlock | BrokenBlock | null;
  readonly runs: readonly string[];
}

export interface ReportAnswer extends ReportItem {
  readonly body: string;
  readonly parts: readonly ReportPart[];
  readonly may_edit: boolean;
}

export const fetchReports = async (project: ProjectPath, signal?: AbortSignal): Promise<readonly ReportItem[]> =>
  (await projectRequest<{ reports: readonly ReportItem[] }>(project, "reports", { signal })).reports;

/** The newest version, or the one asked for. */
export const fetchReport = (
  project: ProjectPath,
  id: string,
  version: number | null,
  signal?: AbortSignal,
): Promise<ReportAnswer> =>
  projectRequest(project, `reports/${encodeURIComponent(id)}${version === null ? "" : `?version=${version}`}`, {
    signal,
  });

export const fetchVersions = async (
  project: ProjectPath,
  id: string,
  signal?: AbortSignal,
): Promise<readonly ReportItem[]> =>
  (
    await projectRequest<{ versions: readonly ReportItem[] }>(project, `reports/${encodeURIComponent(id)}/versions`, {
      signal,
    })
  ).versions;

export const createReport = (project: ProjectPath, title: string, body: string): Promise<ReportAnswer> =>
  projectRequest(project, "reports", { body: { title, body } });

/** Fails with a conflict if somebody saved another version since `version`. */
export const saveReport = (
  project: ProjectPath,
  id: string,
  change: { readonly title: string; readonly body: string; readonly version: number },
): Promise<ReportAnswer> =>
  projectRequest(project, `reports/${encodeURIComponent(id)}`, { method: "PUT", body: change });

/** The parts of a text that is not saved. */
export const previewReport = async (
  project: ProjectPath,
  body: string,
  signal?: AbortSignal,
): Promise<readonly ReportPart[]> =>
  (await projectRequest<{ parts: readonly ReportPart[] }>(project, "reports/preview", { body: { body }, signal }))
    .parts;

/** One HTML file, without a server. */
export const exportAddress = (project: ProjectPath, id: string, version: number): string =>
  `${TEAM_ROOT}team/api/projects/${pathOf(project)}/reports/${encodeURIComponent(id)}/export?version=${version}`;

export const deleteReport = (project: ProjectPath, id: string): Promise<unknown> =>
  projectRequest(project, `reports/${encodeURIComponent(id)}/delete`, { body: {} });
