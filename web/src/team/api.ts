/** What the team server answers below /team/api, typed. */

import { requestJson, type RequestOptions } from "../data/request";
import { TEAM_ROOT } from "./root";
import { pathOf, type ProjectPath } from "./routes";

export type Role = "viewer" | "writer" | "admin";
export const ROLES: readonly Role[] = ["viewer", "writer", "admin"];
export const ROLE_TITLES: Readonly<Record<Role, string>> = { viewer: "Viewer", writer: "Writer", admin: "Admin" };

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly is_server_admin: boolean;
}

export interface SessionAnswer {
  readonly user: User | null;
  readonly needs_setup: boolean;
  readonly oidc: readonly { readonly name: string; readonly label: string; readonly address: string }[];
  readonly version: string;
}

export interface ProjectItem {
  readonly organisation: string;
  readonly name: string;
  readonly role: Role;
  readonly is_public: boolean;
  readonly created_at: number;
  readonly runs: number;
  /** When bytes of a run arrived last. */
  readonly uploaded_at: number | null;
}

export interface ProjectAnswer {
  readonly organisation: string;
  readonly name: string;
  readonly role: Role;
  readonly is_public: boolean;
  readonly quota_bytes: number | null;
  /** Runs in the trash count as well. */
  readonly bytes: number;
  readonly counts: { readonly runs: number; readonly runs_in_trash: number; readonly members: number };
}

/** `teamRequest("session")`; a body makes it a POST. */
export const teamRequest = <T>(path: string, options?: RequestOptions): Promise<T> =>
  requestJson<T>(`${TEAM_ROOT}team/api/${path}`, options);

/** The same below one project. */
export const projectRequest = <T>(project: ProjectPath, path: string, options?: RequestOptions): Promise<T> =>
  teamRequest<T>(`projects/${pathOf(project)}${path === "" ? "" : `/${path}`}`, options);

export const hasRole = (role: Role | null | undefined, wanted: Role): boolean =>
  role != null && ROLES.indexOf(role) >= ROLES.indexOf(wanted);
