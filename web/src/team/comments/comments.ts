/** Comments on runs and on points or ranges of charts. */

import type { RequestOptions } from "../../data/request";
import type { Annotation } from "../../public/core";
import type { CommentPlace } from "../../shell/extension";
import { projectRequest } from "../api";
import type { ProjectPath } from "../routes";

export interface Comment {
  readonly id: string;
  readonly run: string;
  readonly tag: string | null;
  readonly first_step: number | null;
  readonly last_step: number | null;
  /** The id of the comment that this one answers. */
  readonly answers: string | null;
  /** As it was written; `html` is safe to show. A deleted comment has neither, and stays for its answers. */
  readonly text: string;
  readonly html: string;
  readonly author_id: string;
  readonly author: string;
  readonly created_at: number;
  readonly edited_at: number | null;
  readonly is_deleted: boolean;
  readonly may_edit: boolean;
  readonly may_delete: boolean;
}

export interface CommentList {
  readonly comments: readonly Comment[];
  /** As the server announces it. */
  readonly version: string;
}

/** What a new comment is about. */
export interface CommentTarget {
  readonly run: string;
  readonly tag?: string | undefined;
  readonly first_step?: number | undefined;
  readonly last_step?: number | undefined;
  readonly answers?: string | undefined;
}

export class CommentRequests {
  constructor(private readonly project: ProjectPath) {}

  list(signal?: AbortSignal): Promise<CommentList> {
    return this.#request("comments", { signal });
  }

  create(target: CommentTarget, text: string): Promise<unknown> {
    return this.#request("comments", { body: { ...target, text } });
  }

  edit(id: string, text: string): Promise<unknown> {
    return this.#request(`comments/${id}`, { method: "PATCH", body: { text } });
  }

  remove(id: string): Promise<unknown> {
    return this.#request(`comments/${id}/delete`, { body: {} });
  }

  #request<T>(path: string, options: RequestOptions): Promise<T> {
    return projectRequest(this.project, path, options);
  }
}

/** A comment and what answers it, also through other answers. */
export interface Thread {
  readonly comment: Comment;
  readonly answers: readonly Comment[];
}

/** Those about a place, oldest first. About a point: all of its metric, as neighbouring steps belong together. */
export function threadsAt(comments: readonly Comment[], { run, tag }: CommentPlace): readonly Thread[] {
  const found = comments
    .filter((comment) => comment.run === run && (tag === undefined || comment.tag === tag))
    .toSorted((a, b) => a.created_at - b.created_at);
  const byId = new Map(found.map((comment) => [comment.id, comment]));
  const roots = found.map((comment) => rootOf(comment, byId));
  return found
    .filter((comment, index) => roots[index] === comment)
    .map((comment) => ({
      comment,
      answers: found.filter((answer, index) => roots[index] === comment && answer !== comment && !answer.is_deleted),
    }))
    .filter(({ comment, answers }) => !comment.is_deleted || answers.length > 0);
}

function rootOf(comment: Comment, byId: ReadonlyMap<string, Comment>): Comment {
  let root = comment;
  for (let next = root; next; next = byId.get(next.answers ?? "")!) root = next;
  return root;
}

const MAX_LABEL = 80;

/** The marks in a chart: comments that name a step. */
export function annotationsOf(comments: readonly Comment[], tag: string): readonly Annotation[] {
  return comments.flatMap(({ id, run, tag: own, first_step, last_step, author, text, is_deleted }) =>
    own !== tag || first_step === null || is_deleted
      ? []
      : [{ id, run, from: first_step, to: last_step ?? first_step, label: `${author}: ${shortened(text)}` }],
  );
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL - 1)}…` : line;
}

/** "train/loss, steps 10 to 20". "" for a comment on the whole run. */
export function targetInWords({
  tag,
  first_step,
  last_step,
}: Pick<Comment, "tag" | "first_step" | "last_step">): string {
  if (tag === null) return "";
  if (first_step === null) return tag;
  if (last_step === null || last_step === first_step) return `${tag}, step ${first_step}`;
  return `${tag}, steps ${first_step} to ${last_step}`;
}
