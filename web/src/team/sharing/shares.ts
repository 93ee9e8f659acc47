/** Shares of a project, as the server lists them. */

import { projectRequest } from "../api";
import type { ProjectPath } from "../routes";
import type { NewShare } from "./share_form";

export interface ShareItem {
  readonly id: string;
  readonly name: string;
  readonly runs: readonly string[] | null;
  readonly view: string;
  readonly has_password: boolean;
  readonly is_public: boolean;
  readonly members: readonly string[];
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly is_open: boolean;
}

export const fetchShares = async (project: ProjectPath, signal?: AbortSignal): Promise<readonly ShareItem[]> =>
  (await projectRequest<{ shares: readonly ShareItem[] }>(project, "shares", { signal })).shares;

export const createShare = (project: ProjectPath, body: NewShare): Promise<{ id: string; link: string }> =>
  projectRequest(project, "shares", { body });

export const revokeShare = (project: ProjectPath, id: string): Promise<unknown> =>
  projectRequest(project, "shares/revoke", { body: { id } });

/** "2 runs", "train/a", "all runs". */
export function runsInWords(runs: readonly string[] | null): string {
  if (runs === null) return "all runs";
  return runs.length === 1 ? runs[0]! : `${runs.length} runs`;
}

export function audienceInWords({ is_public, members, has_password }: ShareItem): string {
  if (is_public) return "public";
  if (members.length > 0) return members.length === 1 ? "1 person" : `${members.length} people`;
  return has_password ? "link and password" : "link";
}
