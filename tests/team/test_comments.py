"""Comments: who may write what, how it is shown, and who is told."""

from __future__ import annotations

from typing import Any

import pytest

from seamark.team.together.people import Person, mentioned
from tests.team.markup import is_harmless
from tools.in_process_team import InProcessTeam

COMMENTS = "/team/api/projects/lab/vision/comments"


def comment(team: InProcessTeam, who: str = "writer", **body: Any) -> dict[str, Any]:
    response = team.person(who).post(COMMENTS, {"run": "a", "text": "hello", **body})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def listed(team: InProcessTeam, **parameters: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = team.person("viewer").get(COMMENTS, params=parameters).json()["comments"]
    return found


def test_comments_are_on_runs_points_and_ranges(team: InProcessTeam) -> None:
    comment(team, text="of the run")
    comment(team, tag="loss", first_step=7, text="a point")
    first = comment(team, tag="loss", first_step=7, last_step=90, text="a *range*")
    comment(team, "viewer", answers=first["id"], text="an answer")
    comment(team, run="b", text="another run")
    assert [each["text"] for each in listed(team, run="a")] == ["of the run", "a point", "a *range*", "an answer"]
    (point, found) = listed(team, run="a", tag="loss")
    assert (point["first_step"], point["last_step"]) == (7, None)
    assert (found["first_step"], found["last_step"], found["author"]) == (7, 90, "Writer")
    assert found["html"] == "<p>a <em>range</em></p>"
    assert len(listed(team)) == 5


@pytest.mark.parametrize(
    "body",
    [
        {"text": ""},
        {"text": "x" * 20_001},
        {"first_step": 3},
        {"tag": "loss", "last_step": 3},
        {"tag": "loss", "first_step": 5, "last_step": 4},
        {"run": "../x"},
        {"answers": "nothing"},
        {"html": "<b>"},
    ],
)
def test_what_is_no_comment_is_an_error(team: InProcessTeam, body: dict[str, Any]) -> None:
    response = team.person("writer").post(COMMENTS, {"run": "a", "text": "hello", **body})
    assert response.status_code in (400, 404), response.text


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](https://evil.example/pixel.png)",
        "<svg onload=alert(1)>",
        "<iframe srcdoc='<script>alert(1)</script>'>",
        '[x](https://a.example "onmouseover=alert(1)")',
    ],
)
def test_no_comment_becomes_script(team: InProcessTeam, text: str) -> None:
    html = comment(team, text=text)["html"]
    assert is_harmless(html), html


def test_authors_edit_and_authors_and_admins_delete(team: InProcessTeam) -> None:
    found = comment(team)
    address = f"{COMMENTS}/{found['id']}"
    assert team.person("viewer").patch(address, {"text": "mine"}).status_code == 403
    assert team.person("admin").patch(address, {"text": "mine"}).status_code == 403
    changed = team.person("writer").patch(address, {"text": "better"}).json()
    assert (changed["text"], changed["edited_at"] is not None) == ("better", True)
    assert team.person("viewer").post(f"{address}/delete").status_code == 403
    gone = team.person("admin").post(f"{address}/delete").json()
    assert (gone["is_deleted"], gone["text"], gone["html"]) == (True, "", "")
    assert team.person("writer").patch(address, {"text": "again"}).status_code == 403


def test_comments_are_for_members(team: InProcessTeam) -> None:
    found = comment(team)
    assert team.visitor().get(COMMENTS).status_code == 401
    assert team.person("outsider").get(COMMENTS).status_code == 404
    team.team.write(
        lambda transaction: transaction.execute("UPDATE projects SET is_public = 1 WHERE id = ?", team.project.id)
    )
    # Of a public project everybody may see the runs, but not what its people say to each other.
    assert team.visitor().get(COMMENTS).status_code == 401
    assert team.person("outsider").get(COMMENTS).status_code == 403
    assert team.person("outsider").post(f"{COMMENTS}/{found['id']}/delete").status_code == 403
    looking = team.holder(team.token("writer", "viewer"))
    assert looking.get(COMMENTS).status_code == 200
    assert looking.post(COMMENTS, {"run": "a", "text": "x"}).status_code == 403


def test_a_mention_notifies_once(team: InProcessTeam) -> None:
    found = comment(team, text="@viewer@example.org and @Admin, look at this; not @outsider@example.org or @writer")
    viewer = team.person("viewer")
    messages = viewer.get("/team/api/notifications").json()
    assert messages["unseen"] == 1
    (message,) = messages["notifications"]
    assert message["text"].startswith("Writer mentioned you in lab/vision: @viewer@example.org and")
    assert (message["link"], message["run"]) == ("/p/lab/vision/run/a", "a")
    assert len(team.person("admin").get("/team/api/notifications").json()["notifications"]) == 1
    for nobody in ("outsider", "writer", "server"):
        assert team.person(nobody).get("/team/api/notifications").json()["notifications"] == []
    team.person("writer").patch(f"{COMMENTS}/{found['id']}", {"text": "@viewer@example.org again"})
    assert len(viewer.get("/team/api/notifications").json()["notifications"]) == 1
    assert viewer.post("/team/api/notifications/seen", {}).json()["unseen"] == 0


def test_messages_of_a_project_go_with_the_role(team: InProcessTeam) -> None:
    comment(team, text="@viewer@example.org")
    user_id = team.users["viewer"].id
    team.team.write(lambda transaction: transaction.execute("DELETE FROM members WHERE user_id = ?", user_id))
    found = team.person("viewer").get("/team/api/notifications").json()
    assert (found["notifications"], found["unseen"]) == ([], 0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@Ann look", ["ann"]),
        ("@ann Lee look", ["ann-lee"]),
        ("mail ann@example.org", []),
        ("@ann@example.org, @bob", ["ann", "bob"]),
        ("@annette", []),
        ("@ANN @Ann", ["ann"]),
        ("", []),
    ],
)
def test_who_is_mentioned(text: str, found: list[str]) -> None:
    people = [
        Person("ann", "ann@example.org", "Ann"),
        Person("ann-lee", "lee@example.org", "Ann Lee"),
        Person("bob", "bob@example.org", "Bob"),
    ]
    assert [person.id for person in mentioned(text, people)] == found
