/** Comments as marks in charts. */

import type { Annotation, Annotations } from "../../public/core";
import type { Shell } from "../../shell/shell.svelte";
import { annotationsOf } from "../comments/comments";
import type { CommentStore } from "../comments/comment_store.svelte";
import type { TeamProject } from "./team_project.svelte";

export class TeamAnnotations implements Annotations {
  constructor(
    private readonly shell: Shell,
    private readonly project: TeamProject,
    private readonly store: CommentStore,
  ) {}

  of(tag: string): readonly Annotation[] {
    return annotationsOf(this.store.all, tag);
  }

  get canAdd(): boolean {
    return this.project.canComment;
  }

  /** In the details of the point, where its comments are. */
  add({ run, tag, from, to }: Parameters<Annotations["add"]>[0]): void {
    this.shell.selection.select({ type: "point", run, tag, ...(from === undefined ? {} : { step: from }) });
    this.store.target = {
      run,
      tag,
      ...(from === undefined ? {} : { first_step: from }),
      ...(to === undefined || to === from ? {} : { last_step: to }),
    };
  }

  open(id: string): void {
    const comment = this.store.all.find((each) => each.id === id);
    if (!comment?.tag) return;
    const { run, tag, first_step } = comment;
    this.shell.selection.select({ type: "point", run, tag, ...(first_step === null ? {} : { step: first_step }) });
  }
}
