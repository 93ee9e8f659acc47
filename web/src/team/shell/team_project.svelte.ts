/** The project whose page is open, and what the person in front of it may do. */

import { Resource } from "../../data/resource.svelte";
import type { Session } from "../../data/session.svelte";
import type { ShellExtension } from "../../shell/extension";
import { useShell } from "../../shell/shell_context";
import { hasRole, projectRequest, ROLE_TITLES, type ProjectAnswer, type Role } from "../api";
import { CommentStore } from "../comments/comment_store.svelte";
import { projectOfPath, type ProjectPath } from "../routes";
import { TeamSession } from "../team_session.svelte";

export class TeamProject {
  readonly session = new TeamSession();
  /** Null for an opened link, whose address does not name the project. */
  readonly path: ProjectPath | null;
  readonly comments: CommentStore | null;
  /** The dialog is open. */
  isSharing = $state(false);
  readonly #answer = new Resource<ProjectPath, ProjectAnswer>((path, signal) => projectRequest(path, "", { signal }));

  readonly role: Role | null = $derived(this.#answer.value?.role ?? null);
  readonly canWrite = $derived(hasRole(this.role, "writer"));
  readonly isAdmin = $derived(hasRole(this.role, "admin"));
  /** Every member; visitors of a public project get no comments. */
  readonly canComment = $derived.by(() => this.comments?.isLoaded ?? false);
  readonly readOnlyReason: string = $derived.by(() => {
    if (!this.path) return "You opened a link: its runs can be looked at, not changed.";
    if (this.role === null || this.canWrite) return "";
    return `Your role is ${ROLE_TITLES[this.role].toLowerCase()}: you may look at everything, but change nothing.`;
  });

  /** `path` is of the address, below the team's root. `notices` says what others changed. */
  constructor(
    path: string,
    readonly notices: Pick<Session, "onNotice">,
  ) {
    this.path = projectOfPath(path);
    this.comments = this.path ? new CommentStore(this.path) : null;
    this.session.load();
    if (this.path) this.#answer.load(this.path);
  }

  /** Keeps the comments up to date until the returned function is called. Visitors of a public project get none. */
  follow(): () => void {
    if (this.session.user) this.comments?.load();
    return this.notices.onNotice("comments", (version) => {
      if (this.session.user) this.comments?.loadVersion(version);
    });
  }
}

interface TeamShellExtension extends ShellExtension {
  readonly project: TeamProject;
}

export const useTeamProject = (): TeamProject => (useShell().extension as TeamShellExtension).project;
