/** Deleted runs, which a server keeps for a while. */

import { projectRequest } from "../api";
import type { ProjectPath } from "../routes";

export interface TrashItem {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly deleted_at: number;
  readonly deleted_by: string;
  readonly purge_at: number;
}

export interface Trash {
  readonly runs: readonly TrashItem[];
}

/** What uses the disk. */
export interface Storage {
  readonly bytes: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** The largest first. */
  readonly runs: readonly { readonly name: string; readonly bytes: number; readonly uploaded_at: number }[];
}

export const fetchStorage = (project: ProjectPath, signal?: AbortSignal): Promise<Storage> =>
  projectRequest(project, "storage", { signal });

export const fetchTrash = (project: ProjectPath, signal?: AbortSignal): Promise<Trash> =>
  projectRequest(project, "trash", { signal });

export const deleteRuns = (project: ProjectPath, runs: readonly string[]): Promise<Trash> =>
  projectRequest(project, "runs/delete", { body: { runs } });

export const restoreRuns = (project: ProjectPath, ids: readonly string[]): Promise<Trash> =>
  projectRequest(project, "trash/restore", { body: { ids } });

/** For good. */
export const purgeRuns = (project: ProjectPath, ids: readonly string[]): Promise<Trash> =>
  projectRequest(project, "trash/empty", { body: { ids } });
