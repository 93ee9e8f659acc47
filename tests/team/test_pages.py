"""The documents of a team server: its pages, the page of a project, and errors that a browser shows."""

from __future__ import annotations

import pytest

from tools.in_process_team import InProcessTeam

HTML = {"accept": "text/html"}


@pytest.mark.parametrize("path", ["/", "/sign-in", "/settings/tokens", "/projects/lab/vision/members", "/invite/code"])
def test_pages_of_the_team_request_nothing_of_a_project(team: InProcessTeam, path: str) -> None:
    page = team.visitor().get(path, headers=HTML)
    assert page.status_code == 200 and 'name="seamark-team"' in page.text
    assert "preload" not in page.text and "./api/" not in page.text


def test_reports_have_the_page_of_their_project(team: InProcessTeam) -> None:
    page = team.person("viewer").get("/p/lab/vision/reports/some-id", headers=HTML)
    assert page.status_code == 200 and '<base href="../"' in page.text


@pytest.mark.parametrize("path", ["/p/lab/nothing/", "/s/unknown/", "/s/unknown"])
def test_a_browser_gets_errors_as_a_page_and_a_program_as_json(team: InProcessTeam, path: str) -> None:
    person = team.person("viewer")
    page = person.get(path, headers=HTML)
    assert page.status_code == 404 and 'name="seamark-error" content="' in page.text
    assert page.headers["content-type"].startswith("text/html") and '<base href="/"' in page.text
    assert person.get(path).json()["code"] == "not_found"


def test_the_sentence_of_an_error_is_never_html(team: InProcessTeam) -> None:
    page = team.person("viewer").get('/p/lab/"><script>alert(1)</script>/', headers=HTML)
    assert "<script>alert" not in page.text


def test_the_list_of_projects_counts_runs(team: InProcessTeam) -> None:
    project = team.project
    team.team.write(
        lambda transaction: [
            transaction.execute(
                "INSERT INTO runs (id, project_id, name, created_at, uploaded_at, deleted_at) VALUES (?, ?, ?, 1, ?, ?)",
                *(name, project.id, name, uploaded_at, deleted_at),
            )
            for name, uploaded_at, deleted_at in (("a", 5.0, None), ("b", 7.0, None), ("c", 9.0, 10.0))
        ]
    )
    (found,) = team.person("viewer").get("/team/api/projects").json()["projects"]
    assert (found["runs"], found["uploaded_at"]) == (2, 7.0)


def test_a_report_is_previewed_for_members_and_not_saved(team: InProcessTeam) -> None:
    address = "/team/api/projects/lab/vision/reports"
    body = {"body": "# Title\n\n```chart\nruns: [nothing]\ntags: loss\n```\n"}
    text, chart = team.person("viewer").post(f"{address}/preview", body).json()["parts"]
    assert "Title</h1>" in text["html"] and chart["block"]["problem"] == "the project has none of these runs"
    assert team.person("viewer").get(address).json() == {"reports": []}
    assert team.person("outsider").post(f"{address}/preview", body).status_code == 404
    assert team.visitor().post(f"{address}/preview", body).status_code == 401
