/** The people of a project. */

import { projectRequest, type Role } from "../api";
import type { ProjectPath } from "../routes";

export interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface Invitation {
  readonly id: string;
  readonly role: Role;
  readonly created_by?: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export interface MembersAnswer {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

export const fetchMembers = (project: ProjectPath, signal?: AbortSignal): Promise<MembersAnswer> =>
  projectRequest(project, "members", { signal });

export const shownName = ({ name, email }: Pick<Member, "name" | "email">): string => name || email;
