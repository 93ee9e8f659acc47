/** What the shell shows of a team, in the page of a project or of an opened link. */

import { explainReadOnly } from "../../data/saved_state";
import type { ShellExtension } from "../../shell/extension";
import type { Shell } from "../../shell/shell.svelte";
import Comments from "../comments/Comments.svelte";
import ReportsPage from "../reports/ReportsPage.svelte";
import DeleteRunsDialog from "../storage/DeleteRunsDialog.svelte";
import NoRuns from "./NoRuns.svelte";
import ProjectBarEnd from "./ProjectBarEnd.svelte";
import ProjectBarStart from "./ProjectBarStart.svelte";
import ProjectDialogs from "./ProjectDialogs.svelte";
import { TeamAnnotations } from "./team_annotations";
import { TeamProject } from "./team_project.svelte";

export class TeamExtension implements ShellExtension {
  readonly project: TeamProject;
  readonly annotations: TeamAnnotations | null;
  readonly TopBarStart = ProjectBarStart;
  readonly TopBarEnd = ProjectBarEnd;
  readonly Dialogs = ProjectDialogs;
  readonly EmptyState = NoRuns;
  readonly Comments = Comments;
  readonly RemoveDialog = DeleteRunsDialog;
  readonly Reports = ReportsPage;

  /** `path` is of the address, below the team's root. */
  constructor(shell: Shell, path: string) {
    this.project = new TeamProject(path, shell.session);
    const { comments } = this.project;
    this.annotations = comments ? new TeamAnnotations(shell, this.project, comments) : null;
    explainReadOnly(() => this.readOnlyReason);
  }

  get readOnlyReason(): string {
    return this.project.readOnlyReason;
  }
}
