"""Who may call which route: the table that the security matrix checks against the server.

A new route fails the tests until it is stated here.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from tools.in_process_team import PASSWORD

PROJECT = "/team/api/projects/{organisation}/{project}"
API = "/team/api"

# anyone: also visitors.               nobody: with the body below it is refused to all, as a wrong code is.
# session: who is signed in.           server: an admin of the server, signed in.
# viewer, writer, admin: that role in the project, by a session or a token; a public project has viewers everywhere.
# person: a member with an account, so no service token. speaker: the same without tokens that only look.
# author: a person with the role writer.
# known: like viewer, but not for visitors of a public project.
# member: like viewer, but a public project does not count.     admin_session: the role admin, signed in.
Access = Literal[
    "anyone",
    "nobody",
    "session",
    "server",
    "viewer",
    "known",
    "member",
    "person",
    "speaker",
    "author",
    "writer",
    "admin",
    "admin_session",
]


class Rule(NamedTuple):
    access: Access
    body: Any = None


SIGN_IN = {"email": "viewer@example.org", "password": PASSWORD}
TOKEN = {"name": "matrix", "scope": "viewer"}
ACCEPTANCE = {"email": "new@example.org", "name": "New", "password": PASSWORD}
SETUP = {"code": "wrong", **ACCEPTANCE}
TEAM_RULES: dict[tuple[str, str], Rule] = {
    ("GET", "/healthz"): Rule("anyone"),
    ("GET", "/readyz"): Rule("anyone"),
    ("GET", f"{API}/openapi.json"): Rule("anyone"),
    ("GET", f"{API}/session"): Rule("anyone"),
    ("POST", f"{API}/session"): Rule("anyone", SIGN_IN),
    ("POST", f"{API}/session/end"): Rule("anyone"),
    ("POST", f"{API}/setup"): Rule("nobody", SETUP),
    ("GET", f"{API}/invitations/{{code}}"): Rule("anyone"),
    ("POST", f"{API}/invitations/{{code}}/accept"): Rule("anyone", ACCEPTANCE),
    ("GET", f"{API}/oidc/start?name=none"): Rule("anyone"),
    ("GET", f"{API}/oidc/callback"): Rule("nobody"),
    ("PATCH", f"{API}/me"): Rule("session", {"name": "Renamed"}),
    ("POST", f"{API}/me/password"): Rule("session", {"old": PASSWORD, "new": PASSWORD}),
    ("GET", f"{API}/me/sessions"): Rule("session"),
    ("POST", f"{API}/me/sessions/end"): Rule("session", {"id": "none"}),
    ("GET", f"{API}/me/tokens"): Rule("session"),
    ("POST", f"{API}/me/tokens"): Rule("session", TOKEN),
    ("POST", f"{API}/me/tokens/revoke"): Rule("session", {"id": "none"}),
    ("GET", f"{API}/audit"): Rule("server"),
    ("GET", f"{API}/users"): Rule("server"),
    ("PATCH", f"{API}/users/{{id}}"): Rule("server", {"disabled": True}),
    ("GET", f"{API}/oidc"): Rule("server"),
    ("PATCH", f"{API}/oidc"): Rule("server", {"name": "none", "remove": True}),
    ("GET", f"{API}/projects"): Rule("anyone"),
    ("POST", f"{API}/projects"): Rule("session", {"organisation": "Not A Name", "name": "x"}),
    ("GET", PROJECT): Rule("viewer"),
    ("PATCH", PROJECT): Rule("admin", {}),
    ("POST", f"{PROJECT}/delete"): Rule("admin_session"),
    ("GET", f"{PROJECT}/audit"): Rule("admin"),
    ("GET", f"{PROJECT}/members"): Rule("member"),
    ("POST", f"{PROJECT}/members"): Rule("admin_session", {"user_id": "none", "role": "viewer"}),
    ("POST", f"{PROJECT}/invitations"): Rule("admin_session", {"role": "viewer"}),
    ("POST", f"{PROJECT}/invitations/revoke"): Rule("admin_session", {"id": "none"}),
    ("GET", f"{PROJECT}/tokens"): Rule("admin"),
    ("POST", f"{PROJECT}/tokens"): Rule("admin_session", TOKEN),
    ("POST", f"{PROJECT}/tokens/revoke"): Rule("admin_session", {"id": "none"}),
    ("GET", f"{API}/shared"): Rule("session"),
    ("GET", f"{API}/public"): Rule("anyone"),
    ("GET", f"{API}/notifications"): Rule("session"),
    ("POST", f"{API}/notifications/seen"): Rule("session", {}),
    ("GET", f"{API}/smtp"): Rule("server"),
    ("PUT", f"{API}/smtp"): Rule("server", {"host": "", "sender": ""}),
    ("POST", f"{PROJECT}/upload"): Rule("writer"),
    ("POST", f"{PROJECT}/upload/lengths"): Rule("known"),
    ("GET", f"{PROJECT}/runs"): Rule("viewer"),
    ("GET", f"{PROJECT}/files?run=none"): Rule("viewer"),
    ("GET", f"{PROJECT}/file?run=none&file=none"): Rule("viewer"),
    ("GET", f"{PROJECT}/shares"): Rule("writer"),
    ("POST", f"{PROJECT}/shares"): Rule("author", {"runs": ["none"]}),
    ("POST", f"{PROJECT}/shares/revoke"): Rule("writer", {"id": "none"}),
    ("POST", f"{PROJECT}/runs/delete"): Rule("writer", {"runs": ["none"]}),
    ("GET", f"{PROJECT}/trash"): Rule("writer"),
    ("POST", f"{PROJECT}/trash/restore"): Rule("writer", {"ids": ["none"]}),
    ("POST", f"{PROJECT}/trash/empty"): Rule("admin", {"ids": ["none"]}),
    ("GET", f"{PROJECT}/storage"): Rule("viewer"),
    ("GET", f"{PROJECT}/retention"): Rule("viewer"),
    ("PUT", f"{PROJECT}/retention"): Rule("admin", {"rules": []}),
    ("POST", f"{PROJECT}/retention/dry_run"): Rule("admin", {"rules": []}),
    ("GET", f"{PROJECT}/comments"): Rule("person"),
    ("POST", f"{PROJECT}/comments"): Rule("speaker", {"run": "a", "text": "x"}),
    ("PATCH", f"{PROJECT}/comments/{{id}}"): Rule("speaker", {"text": "x"}),
    ("POST", f"{PROJECT}/comments/{{id}}/delete"): Rule("speaker"),
    ("GET", f"{PROJECT}/reports"): Rule("person"),
    ("POST", f"{PROJECT}/reports"): Rule("author", {"title": "x"}),
    ("POST", f"{PROJECT}/reports/preview"): Rule("person", {"body": ""}),
    ("GET", f"{PROJECT}/reports/{{id}}"): Rule("person"),
    ("PUT", f"{PROJECT}/reports/{{id}}"): Rule("author", {"version": 1, "title": "x", "body": ""}),
    ("GET", f"{PROJECT}/reports/{{id}}/versions"): Rule("person"),
    ("POST", f"{PROJECT}/reports/{{id}}/delete"): Rule("author"),
    ("GET", f"{PROJECT}/reports/{{id}}/export"): Rule("person"),
    ("GET", f"{PROJECT}/notification_rules"): Rule("person"),
    ("POST", f"{PROJECT}/notification_rules"): Rule("speaker", {"event": "finished", "channel": "page"}),
    ("POST", f"{PROJECT}/notification_rules/delete"): Rule("speaker", {"id": "none"}),
    ("POST", f"{PROJECT}/notification_rules/test"): Rule("speaker", {"id": "none"}),
}
# Routes of a project's own server that change what others see; every other one is for viewers.
PROJECT_CHANGES = {
    ("PATCH", "/api/state"),
    ("POST", "/api/state/texts"),
    ("POST", "/api/runs/delete"),
    ("POST", "/api/runs/trash"),
    ("POST", "/api/dashboards/graphs/upload"),
    ("POST", "/api/dashboards/projector/job"),
    ("POST", "/api/dashboards/projector/upload"),
    ("POST", "/api/dashboards/whatif/schema"),
    ("POST", "/api/dashboards/whatif/stop"),
    ("POST", "/api/dashboards/whatif/upload"),
}
# Deletion goes through the team's trash, so that the route of a single server refuses everybody.
PROJECT_NEVER = {("POST", "/api/runs/delete"), ("POST", "/api/runs/trash")}
# What computes an answer from a long request. A new POST belongs here or above.
PROJECT_COMPUTES = {
    *(f"/api/dashboards/graphs/{name}" for name in ("overlay", "path", "trace", "view")),
    *(f"/api/dashboards/projector/{name}" for name in ("clusters", "distances", "duplicates", "export")),
    *(f"/api/dashboards/projector/{name}" for name in ("movement", "neighbours", "outliers", "projection")),
    *(f"/api/dashboards/projector/{name}" for name in ("quality", "rows", "shared")),
    *(f"/api/dashboards/whatif/{name}" for name in ("attributions", "counterfactual", "export", "features")),
    *(f"/api/dashboards/whatif/{name}" for name in ("filter", "neighbours", "partial_dependence", "performance")),
    *(f"/api/dashboards/whatif/{name}" for name in ("predict", "rows", "training", "worst_slices")),
    *(f"/api/{name}" for name in ("diff", "export", "groups", "importance", "markdown", "objective", "series")),
    *("/api/series/batch", "/api/table", "/api/table/complete", "/api/trials", "/api/trials/columns"),
    *("/api/dashboards/custom_scalars/match", "/api/dashboards/images/zip"),
    *(f"/data/plugin/hparams/{name}" for name in ("download_data", "experiment", "metric_evals", "session_groups")),
    *("/data/plugin/scalars/scalars_multirun", "/data/plugin/timeseries/timeSeries"),
}
# A stream without an end; the matrix asks for it only on behalf of those who get an error.
STREAMS = {"/api/events"}
