"""Routes of comments."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from msgspec import Meta

from seamark.kinds.markdown.rich_text import rich_html
from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.team.access.principal import Role, User, has_role, principal_of
from seamark.team.database import Transaction
from seamark.team.notify.announce import comments_version
from seamark.team.notify.mentions import notify_mentioned
from seamark.team.projects.project import Project
from seamark.team.projects.run_files import is_run_name
from seamark.team.routes.project_request import PROJECT, member_project
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record
from seamark.team.together.comments import (
    Comment,
    NewComment,
    add_comment,
    delete_comment,
    edit_comment,
    find_comment,
    list_comments,
)

MAX_LISTED = 2000
CommentText = Annotated[str, Meta(min_length=1, max_length=20_000, description="Markdown; @name mentions a member.")]


class CommentParameters(RequestStruct):
    run: Annotated[str | None, Meta(description="Only comments on this run.")] = None
    tag: Annotated[str | None, Meta(description="Only comments on this chart.")] = None


class NewCommentBody(RequestStruct, kw_only=True):
    run: Annotated[str, Meta(max_length=1024)]
    text: CommentText
    tag: Annotated[str, Meta(max_length=10_000)] | None = None
    first_step: Annotated[int | None, Meta(description="A point of the chart, or the start of a range.")] = None
    last_step: int | None = None
    answers: Annotated[str | None, Meta(description="The id of the comment that this one answers.")] = None


class TextBody(RequestStruct):
    text: CommentText


class CommentItem(ResponseStruct):
    """`text` is what was written; `html` is safe to show. A deleted comment has neither."""

    id: str
    run: str
    tag: str | None
    first_step: int | None
    last_step: int | None
    answers: str | None
    text: str
    html: str
    author_id: str
    author: str
    created_at: float
    edited_at: float | None
    is_deleted: bool
    may_edit: bool
    may_delete: bool


class CommentList(ResponseStruct):
    """`version` is that of the event "comments" in the project's /api/events."""

    comments: list[CommentItem]
    version: str


def comment_endpoints(team: Team) -> list[Endpoint]:
    routes = CommentRoutes(team)
    return [
        Endpoint(
            path=f"{PROJECT}/comments",
            summary="Comments on runs and charts, the oldest first",
            handler=routes.list,
        ),
        Endpoint(
            path=f"{PROJECT}/comments",
            method="POST",
            summary="Comments on a run, or on a point or range of a chart",
            handler=routes.add,
        ),
        Endpoint(
            path=f"{PROJECT}/comments/{{id}}",
            method="PATCH",
            summary="Changes the text of your comment",
            handler=routes.edit,
        ),
        Endpoint(
            path=f"{PROJECT}/comments/{{id}}/delete",
            method="POST",
            summary="Deletes a comment of yours or, for admins, of anybody",
            handler=routes.delete,
        ),
    ]


class CommentRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[CommentParameters, None]) -> CommentList:
        wanted = request.parameters

        def read(transaction: Transaction) -> tuple[list[Comment], str, User, Role]:
            project, user, role = member_project(transaction, request.http)
            found = list_comments(transaction, project.id, run=wanted.run, tag=wanted.tag, limit=MAX_LISTED)
            return found, comments_version(transaction, project.id), user, role

        found, version, user, role = self._team.read(read)
        return CommentList([item(comment, user, role) for comment in found], version)

    def add(self, request: ParsedRequest[NoParameters, NewCommentBody]) -> CommentItem:
        body, now = request.body, self._team.clock()
        if not is_run_name(body.run):
            raise RequestError(f"this is not the name of a run: '{body.run[:200]}'", code="invalid_parameter")
        wanted = NewComment(
            run=body.run,
            tag=body.tag,
            first_step=body.first_step,
            last_step=body.last_step,
            answers=body.answers,
            text=body.text,
        )

        def add(transaction: Transaction) -> CommentItem:
            project, user, role = member_project(transaction, request.http, changes=True)
            comment = add_comment(transaction, project.id, wanted, author=user.id, now=now)
            self._mention(transaction, project, user, comment, now)
            return item(comment, user, role)

        return self._team.write(add)

    def edit(self, request: ParsedRequest[NoParameters, TextBody]) -> CommentItem:
        now = self._team.clock()

        def edit(transaction: Transaction) -> CommentItem:
            project, user, role = member_project(transaction, request.http, changes=True)
            comment = find_comment(transaction, project.id, request.http.path_params["id"])
            if comment.author_id != user.id or comment.deleted_at is not None:
                raise RequestError("only its author may change a comment", code="forbidden")
            edit_comment(transaction, comment, request.body.text, now=now)
            changed = find_comment(transaction, project.id, comment.id)
            self._mention(transaction, project, user, changed, now)
            return item(changed, user, role)

        return self._team.write(edit)

    def delete(self, request: ParsedRequest[NoParameters, None]) -> CommentItem:
        def delete(transaction: Transaction) -> CommentItem:
            project, user, role = member_project(transaction, request.http, changes=True)
            comment = find_comment(transaction, project.id, request.http.path_params["id"])
            if comment.author_id != user.id and not has_role(role, "admin"):
                raise RequestError("only its author and admins of the project may delete a comment", code="forbidden")
            delete_comment(transaction, comment, now=self._team.clock())
            principal = principal_of(request.http)
            record(transaction, principal, "comment.delete", project_id=project.id, target=comment.run, id=comment.id)
            return item(find_comment(transaction, project.id, comment.id), user, role)

        return self._team.write(delete)

    def _mention(self, transaction: Transaction, project: Project, user: User, comment: Comment, now: float) -> None:
        link = f"/p/{project.path}/run/{quote(comment.run, safe='')}"
        notify_mentioned(
            transaction,
            project,
            user,
            comment.text,
            what=f"comment {comment.id}",
            link=link,
            run=comment.run,
            now=now,
        )


def item(comment: Comment, user: User, role: Role) -> CommentItem:
    is_deleted = comment.deleted_at is not None
    is_own = comment.author_id == user.id
    return CommentItem(
        id=comment.id,
        run=comment.run,
        tag=comment.tag,
        first_step=comment.first_step,
        last_step=comment.last_step,
        answers=comment.answers,
        text=comment.text,
        html=rich_html(comment.text),
        author_id=comment.author_id,
        author=comment.author,
        created_at=comment.created_at,
        edited_at=comment.edited_at,
        is_deleted=is_deleted,
        may_edit=is_own and not is_deleted,
        may_delete=(is_own or has_role(role, "admin")) and not is_deleted,
    )
