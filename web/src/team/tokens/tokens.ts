/** Tokens of a person or of a project: for programs, which cannot sign in. */

import type { RequestOptions } from "../../data/request";
import { projectRequest, teamRequest, type Role } from "../api";
import type { ProjectPath } from "../routes";

export interface TokenItem {
  readonly id: string;
  readonly name: string;
  readonly scope: Role;
  readonly project?: string | null;
  readonly created_at: number;
  readonly created_by?: string;
  readonly expires_at: number | null;
  readonly used_at: number | null;
}

export interface NewToken {
  readonly name: string;
  readonly scope: Role;
  readonly project?: string;
  readonly expires_days?: number;
}

/** The tokens of the person who is signed in, or the service tokens of a project. */
export class TokenStore {
  constructor(readonly project: ProjectPath | null) {}

  list(signal?: AbortSignal): Promise<{ readonly tokens: readonly TokenItem[] }> {
    return this.#request("tokens", { signal });
  }

  create(body: NewToken): Promise<{ readonly token: string }> {
    return this.#request("tokens", { body });
  }

  revoke(id: string): Promise<unknown> {
    return this.#request("tokens/revoke", { body: { id } });
  }

  #request<T>(path: string, options: RequestOptions): Promise<T> {
    return this.project ? projectRequest(this.project, path, options) : teamRequest(`me/${path}`, options);
  }
}
