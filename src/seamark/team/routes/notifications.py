"""Routes of notifications: rules of a project, and messages in the page."""

from __future__ import annotations

from typing import Annotated

import msgspec
import re2
from msgspec import Meta

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct, not_found
from seamark.team.access.principal import User, has_role, principal_of
from seamark.team.access.rules import in_session, role_of_user
from seamark.team.database import Transaction
from seamark.team.notify.announce import notifications_version
from seamark.team.notify.email import read_smtp
from seamark.team.notify.rows import Channel, Condition, Event, Rule, add_rule, rules_of
from seamark.team.notify.webhook import DeliveryError, parse
from seamark.team.projects.project import Project, project_with_id
from seamark.team.routes.project_request import PROJECT, member_project
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record
from seamark.team.together.people import people_of

MAX_RULES = 200
MAX_LISTED = 200


class NewRule(RequestStruct, kw_only=True):
    event: Event
    channel: Channel
    condition: Condition = msgspec.field(default_factory=Condition)
    target: Annotated[str, Meta(description="A URL, or the mail address of a member; none for the page.")] = ""


class RuleItem(ResponseStruct):
    id: str
    event: Event
    condition: Condition
    channel: Channel
    target: str
    created_by: str
    created_at: float


class RuleList(ResponseStruct):
    rules: list[RuleItem]


class RuleId(RequestStruct):
    id: str


class NotificationItem(ResponseStruct):
    """`text` is plain text."""

    id: str
    organisation: str
    project: str
    run: str
    text: str
    link: str
    created_at: float
    seen_at: float | None


class NotificationList(ResponseStruct):
    """`version` is that of the event "notifications" in the /api/events of a project."""

    notifications: list[NotificationItem]
    unseen: int
    version: str


class SeenBody(RequestStruct):
    ids: Annotated[list[str] | None, Meta(description="Without it: all.")] = None


class Nothing(ResponseStruct):
    pass


def notification_endpoints(team: Team) -> list[Endpoint]:
    routes = NotificationRoutes(team)
    rules = f"{PROJECT}/notification_rules"
    return [
        Endpoint(path=rules, summary="Your rules; for admins those of all", handler=routes.rules),
        Endpoint(
            path=rules,
            method="POST",
            summary="Adds a rule: what to be told, and where",
            handler=routes.add_rule,
        ),
        Endpoint(
            path=f"{rules}/delete",
            method="POST",
            summary="Deletes a rule",
            handler=routes.delete_rule,
        ),
        Endpoint(
            path=f"{rules}/test",
            method="POST",
            summary="Sends a message by a rule, to see that it arrives",
            handler=routes.test_rule,
        ),
        Endpoint(
            path="/notifications",
            summary="Your messages, the last one first",
            handler=routes.list,
        ),
        Endpoint(
            path="/notifications/seen",
            method="POST",
            summary="Marks messages as seen",
            handler=routes.mark_seen,
        ),
    ]


class NotificationRoutes(TeamRoutes):
    def rules(self, request: ParsedRequest[NoParameters, None]) -> RuleList:
        def read(transaction: Transaction) -> list[RuleItem]:
            project, user, role = member_project(transaction, request.http)
            found = rules_of(transaction, project.id)
            return [item(rule) for rule in found if rule.created_by == user.id or has_role(role, "admin")]

        return RuleList(self._team.read(read))

    def add_rule(self, request: ParsedRequest[NoParameters, NewRule]) -> RuleItem:
        wanted = request.body
        check_condition(wanted)

        def add(transaction: Transaction) -> RuleItem:
            project, user, _ = member_project(transaction, request.http, changes=True)
            if len(rules_of(transaction, project.id)) >= MAX_RULES:
                raise RequestError(f"a project has at most {MAX_RULES} rules", code="too_large")
            rule = add_rule(
                transaction,
                project.id,
                event=wanted.event,
                condition=wanted.condition,
                channel=wanted.channel,
                target=checked_target(transaction, project, user, wanted),
                created_by=user.id,
                now=self._team.clock(),
            )
            details = {"event": rule.event, "channel": rule.channel}
            principal = principal_of(request.http)
            record(transaction, principal, "notification.add", project_id=project.id, target=rule.id, **details)
            return item(rule)

        return self._team.write(add)

    def delete_rule(self, request: ParsedRequest[NoParameters, RuleId]) -> Nothing:
        def delete(transaction: Transaction) -> None:
            rule, _ = self._own_rule(transaction, request)
            # What waits to be sent by it goes as well.
            transaction.execute("DELETE FROM notifications WHERE rule_id = ? AND sent_at IS NULL", rule.id)
            transaction.execute("DELETE FROM notification_rules WHERE id = ?", rule.id)
            principal = principal_of(request.http)
            record(transaction, principal, "notification.delete", project_id=rule.project_id, target=rule.id)

        self._team.write(delete)
        return Nothing()

    def test_rule(self, request: ParsedRequest[NoParameters, RuleId]) -> Nothing:
        (rule, project), smtp = self._team.read(
            lambda transaction: (self._own_rule(transaction, request), read_smtp(transaction))
        )
        text = f"{project.path}: this is a test of a notification"
        try:
            self._team.delivery.send(rule.channel, rule.target, text, f"/p/{project.path}/", smtp)
        except DeliveryError as error:
            raise RequestError(str(error), code="bad_request") from None
        return Nothing()

    def list(self, request: ParsedRequest[NoParameters, None]) -> NotificationList:
        user = in_session(principal_of(request.http))
        return self._team.read(lambda transaction: notifications_of(transaction, user))

    def mark_seen(self, request: ParsedRequest[NoParameters, SeenBody]) -> NotificationList:
        user, ids = in_session(principal_of(request.http)), request.body.ids
        now = self._team.clock()

        def mark(transaction: Transaction) -> NotificationList:
            if ids is None:
                transaction.execute(
                    "UPDATE notifications SET seen_at = ? WHERE user_id = ? AND seen_at IS NULL", now, user.id
                )
            for notification_id in ids or ():
                transaction.execute(
                    "UPDATE notifications SET seen_at = ? WHERE user_id = ? AND id = ? AND seen_at IS NULL",
                    *(now, user.id, notification_id),
                )
            return notifications_of(transaction, user)

        return self._team.write(mark)

    def _own_rule(self, transaction: Transaction, request: ParsedRequest[NoParameters, RuleId]) -> tuple[Rule, Project]:
        project, user, role = member_project(transaction, request.http, changes=True)
        for rule in rules_of(transaction, project.id):
            if rule.id == request.body.id and (rule.created_by == user.id or has_role(role, "admin")):
                return rule, project
        raise not_found(f"the project has no rule '{request.body.id[:100]}' of yours")


def check_condition(wanted: NewRule) -> None:
    """Raises RequestError."""
    condition = wanted.condition
    has_limit = condition.above is not None or condition.below is not None
    if wanted.event == "threshold" and not (condition.tag and has_limit):
        raise RequestError("a threshold needs a tag, and above or below", code="invalid_parameter")
    if wanted.event == "no_progress" and (condition.minutes is None or condition.minutes < 1):
        raise RequestError("no_progress needs minutes, at least 1", code="invalid_parameter")
    try:
        re2.compile(condition.runs)
    except re2.error as error:
        raise RequestError(
            f"this is not a regular expression ({error}): '{condition.runs[:200]}'", code="invalid_parameter"
        ) from None


def checked_target(transaction: Transaction, project: Project, user: User, wanted: NewRule) -> str:
    """Mail goes to members only, or the server could be used to send it to anybody. Raises RequestError."""
    if wanted.channel == "page":
        return ""
    if wanted.channel == "webhook":
        try:
            parse(wanted.target)
        except DeliveryError as error:
            raise RequestError(str(error), code="invalid_parameter") from None
        return wanted.target
    target = (wanted.target or user.email).lower()
    if target not in {person.email for person in people_of(transaction, project)} | {user.email}:
        raise RequestError(f"'{target[:200]}' is not a member of '{project.path}'", code="invalid_parameter")
    return target


def notifications_of(transaction: Transaction, user: User) -> NotificationList:
    """Of the projects that they may still see."""
    rows = transaction.rows(
        "SELECT id, project_id, run, text, link, created_at, seen_at FROM notifications WHERE user_id = ? "
        "ORDER BY id DESC LIMIT ?",
        user.id,
        MAX_LISTED,
    )
    projects = {project_id: project_with_id(transaction, project_id) for project_id in {row[1] for row in rows}}
    seen = {
        project_id: project
        for project_id, project in projects.items()
        if project is not None and role_of_user(transaction, user, project) is not None
    }
    found = [
        NotificationItem(notification_id, seen[project_id].organisation, seen[project_id].name, *rest)
        for notification_id, project_id, *rest in rows
        if project_id in seen
    ]
    unseen = sum(each.seen_at is None for each in found)
    return NotificationList(found, unseen, notifications_version(transaction, user.id))


def item(rule: Rule) -> RuleItem:
    return RuleItem(rule.id, rule.event, rule.condition, rule.channel, rule.target, rule.created_by, rule.created_at)
