"""The rows of comments: on a run, or on a point or range of one of its charts."""

from __future__ import annotations

import msgspec

from seamark.plugin import RequestError, not_found
from seamark.team.database import Transaction
from seamark.team.secret_text import new_id

COLUMNS = (
    "c.id, c.run, c.tag, c.first_step, c.last_step, c.answers, c.text, c.author_id, u.name, c.created_at, "
    "c.edited_at, c.deleted_at"
)
FROM = "FROM comments c JOIN users u ON u.id = c.author_id"


class Comment(msgspec.Struct, frozen=True):
    """`tag` None: about the run as a whole. Without `last_step`, `first_step` is a point."""

    id: str
    run: str
    tag: str | None
    first_step: int | None
    last_step: int | None
    answers: str | None
    text: str
    author_id: str
    author: str
    created_at: float
    edited_at: float | None
    deleted_at: float | None


class NewComment(msgspec.Struct, frozen=True, kw_only=True):
    run: str
    tag: str | None
    first_step: int | None
    last_step: int | None
    answers: str | None
    text: str


def add_comment(transaction: Transaction, project_id: str, wanted: NewComment, *, author: str, now: float) -> Comment:
    """Raises RequestError."""
    check(wanted)
    if wanted.answers is not None and find_comment(transaction, project_id, wanted.answers).run != wanted.run:
        raise RequestError("an answer is about the same run as what it answers", code="invalid_parameter")
    comment_id = new_id()
    transaction.execute(
        "INSERT INTO comments (id, project_id, run, tag, first_step, last_step, answers, text, author_id, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(comment_id, project_id, wanted.run, wanted.tag, wanted.first_step, wanted.last_step, wanted.answers),
        *(wanted.text, author, now),
    )
    return find_comment(transaction, project_id, comment_id)


def check(wanted: NewComment) -> None:
    has_steps = wanted.first_step is not None or wanted.last_step is not None
    if has_steps and (wanted.tag is None or wanted.first_step is None):
        raise RequestError("a comment on steps needs a tag and a first_step", code="invalid_parameter")
    if wanted.first_step is not None and wanted.last_step is not None and wanted.last_step < wanted.first_step:
        raise RequestError(
            f"last_step comes before first_step: {wanted.last_step} < {wanted.first_step}", code="invalid_parameter"
        )


def find_comment(transaction: Transaction, project_id: str, comment_id: str) -> Comment:
    row = transaction.row(f"SELECT {COLUMNS} {FROM} WHERE c.project_id = ? AND c.id = ?", project_id, comment_id)
    if row is None:
        raise not_found(f"the project has no comment '{comment_id[:100]}'")
    return Comment(*row)


def list_comments(
    transaction: Transaction, project_id: str, *, run: str | None, tag: str | None, limit: int
) -> list[Comment]:
    """The oldest first. Of a run all comments, or those of one of its charts."""
    where, parameters = ["c.project_id = ?"], [project_id]
    if run is not None:
        where.append("c.run = ?")
        parameters.append(run)
    if tag is not None:
        where.append("c.tag = ?")
        parameters.append(tag)
    rows = transaction.rows(
        f"SELECT {COLUMNS} {FROM} WHERE {' AND '.join(where)} ORDER BY c.id DESC LIMIT ?", *parameters, limit
    )
    return [Comment(*row) for row in reversed(rows)]


def edit_comment(transaction: Transaction, comment: Comment, text: str, *, now: float) -> None:
    transaction.execute("UPDATE comments SET text = ?, edited_at = ? WHERE id = ?", text, now, comment.id)


def delete_comment(transaction: Transaction, comment: Comment, *, now: float) -> None:
    """Its text is gone; its place stays, since others may have answered."""
    transaction.execute("UPDATE comments SET text = '', deleted_at = ? WHERE id = ?", now, comment.id)
