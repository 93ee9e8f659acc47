/** Who is signed in, for all pages of the team. */

import { createContext } from "svelte";
import { Resource } from "../data/resource.svelte";
import { teamRequest, type SessionAnswer, type User } from "./api";

export class TeamSession {
  readonly #answer = new Resource<null, SessionAnswer>((_, signal) => teamRequest("session", { signal }));
  #version = 0;

  readonly answer = $derived(this.#answer.value);
  readonly user: User | null = $derived(this.answer?.user ?? null);
  readonly error = $derived(this.#answer.error);

  /** After something of the account was changed, too. */
  load(): void {
    this.#version += 1;
    this.#answer.load(null, this.#version);
  }

  retry(): void {
    this.#answer.retry();
  }

  async signOut(): Promise<void> {
    await teamRequest("session/end", { body: {} });
  }
}

export const [useTeamSession, provideTeamSession] = createContext<TeamSession>();
