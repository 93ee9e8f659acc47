"""Setting up a team server, signing in, invitations, roles and tokens, in the page of a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.team_process import ADMIN, PASSWORD, TeamProcess, expect_chart


@pytest.fixture(scope="module")
def admin(team: TeamProcess, chromium: Browser) -> Iterator[BrowserContext]:
    """Sets the server up through its page."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(team.address)
    expect(page.get_by_role("heading", name="Set up this server")).to_be_visible()
    page.get_by_label("One-time code").fill("wrong")
    page.get_by_label("E-mail").fill(ADMIN)
    page.get_by_label("Name").fill("Ada Lovelace")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Create the first account").click()
    expect(page.get_by_role("alert")).to_contain_text("This code is wrong")
    page.get_by_label("One-time code").fill(team.code)
    page.get_by_role("button", name="Create the first account").click()
    expect(page.get_by_role("heading", name="No projects yet")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("seamark push --logdir runs")
    page.close()
    team.add_project(context.request, "vision")
    team.write_runs("vision")
    yield context
    context.close()


def test_a_new_project_opens_and_the_switcher_leads_back(
    team: TeamProcess, admin: BrowserContext, logged: list[str]
) -> None:
    page = team.open(admin, "/", logged)
    page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog", name="New project")
    dialog.get_by_label("Project", exact=True).fill("Speech")
    expect(dialog.get_by_text("begins and ends with a letter or digit")).to_be_visible()
    dialog.get_by_label("Project", exact=True).fill("speech")
    dialog.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", name="No runs in lab/speech yet")).to_be_visible()
    page.get_by_role("button", name="lab/speech").click()
    page.get_by_role("option", name="lab/vision").click()
    page.wait_for_url("**/p/lab/vision/**")
    expect_chart(page, "train/loss")
    page.close()


def test_signing_in_leads_where_one_wanted_to_go(team: TeamProcess, admin: BrowserContext, browser: Browser) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{team.address}/p/lab/vision/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("E-mail").fill(ADMIN)
    page.get_by_label("Password").fill("a wrong password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("The email or the password is wrong.")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/p/lab/vision/**")
    page.get_by_role("button", name="Profile: Ada Lovelace").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_an_invited_viewer_joins_looks_and_changes_nothing(
    team: TeamProcess, admin: BrowserContext, browser: Browser, logged: list[str]
) -> None:
    settings = team.open(admin, "/projects/lab/vision", logged)
    settings.get_by_role("button", name="Invite").click()
    settings.get_by_label("Role", exact=True).select_option("viewer")
    settings.get_by_role("button", name="Create the link").click()
    link = settings.get_by_label("The invitation link").input_value()

    page = team.open(browser.new_context(), link.removeprefix(team.address), logged)
    expect(page.get_by_text("You are invited as viewer")).to_be_visible()
    page.get_by_label("E-mail").fill("grace@navy.example")
    page.get_by_label("Name").fill("Grace Hopper")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Create an account and join").click()
    page.wait_for_url("**/p/lab/vision/**")
    expect_chart(page, "train/loss")
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("button", name="Share")).to_have_count(0)

    page.goto(f"{team.address}/p/lab/vision/run/wide")
    expect(page.get_by_role("heading", name="wide")).to_be_visible()
    expect(page.get_by_role("button", name="Pin")).to_have_count(0)
    refused = page.request.patch(
        f"{team.address}/p/lab/vision/api/state",
        data={"version": 0, "runs": {"wide": {"star": True}}},
        headers={"origin": team.address},
    )
    assert refused.status == 403

    settings.reload()
    expect(settings.get_by_role("cell", name="Grace Hopper")).to_be_visible()
    settings.close()


def test_a_token_is_shown_once_and_revoked(team: TeamProcess, admin: BrowserContext, logged: list[str]) -> None:
    page = team.open(admin, "/settings/tokens", logged)
    page.get_by_role("button", name="New token").click()
    page.get_by_label("Name").fill("training cluster")
    page.get_by_role("button", name="Create the token").click()
    token = page.get_by_label("The new token").input_value()
    assert uses_token(page, team, token) == 200
    page.get_by_role("button", name="Done").click()
    row = page.get_by_role("row", name=re.compile("training cluster"))
    expect(row).to_contain_text("Writer")
    assert token not in page.content()
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert uses_token(page, team, token) == 401
    page.close()


def uses_token(page: Page, team: TeamProcess, token: str) -> int:
    address = f"{team.address}/team/api/projects"
    return page.request.get(address, headers={"authorization": f"Bearer {token}", "cookie": ""}).status


def test_the_audit_log_names_what_happened(team: TeamProcess, admin: BrowserContext, logged: list[str]) -> None:
    page = team.open(admin, "/settings/server/audit", logged)
    expect(page.get_by_role("cell", name="server.setup")).to_be_visible()
    page.get_by_label("Action").fill("project.create")
    expect(page.get_by_role("cell", name="server.setup")).to_have_count(0)
    expect(page.get_by_role("cell", name="lab/vision").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "project.create" in download.value.path().read_text()
    page.close()
