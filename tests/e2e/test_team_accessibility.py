"""The pages of a team server break no rule that axe-core knows, in either theme, and fit a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.team_process import TeamProcess
from tests.e2e.test_accessibility import check, load

PROJECT = "/projects/lab/vision"
PAGES = {
    "/": "Projects",
    "/settings": "Your settings",
    "/settings/sessions": "Your settings",
    "/settings/tokens": "Your settings",
    "/settings/server": "Server settings",
    "/settings/server/oidc": "Server settings",
    "/settings/server/mail": "Server settings",
    "/settings/server/audit": "Server settings",
    PROJECT: "lab/vision",
    f"{PROJECT}/tokens": "lab/vision",
    f"{PROJECT}/shares": "lab/vision",
    f"{PROJECT}/storage": "lab/vision",
    f"{PROJECT}/retention": "lab/vision",
    f"{PROJECT}/notifications": "lab/vision",
    f"{PROJECT}/general": "lab/vision",
    "/p/lab/vision/reports": "Reports",
    "/p/lab/vision/run/wide": "wide",
    "/p/lab/nothing/": "This cannot be shown",
}


@pytest.fixture(scope="module")
def admin(team: TeamProcess, chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, bypass_csp=True, reduced_motion="reduce")
    team.set_up(context.request)
    team.add_project(context.request, "vision")
    team.write_runs("vision")
    team.invite(context.request, "vision", "viewer")
    team.post(context.request, "me/tokens", {"name": "cluster", "scope": "writer"})
    team.post(context.request, "projects/lab/vision/comments", {"run": "wide", "text": "Look"})
    rule = {"event": "finished", "channel": "page"}
    team.post(context.request, "projects/lab/vision/notification_rules", rule)
    yield context
    context.close()


@pytest.fixture(scope="module")
def page(admin: BrowserContext) -> Page:
    page = admin.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    return page


@pytest.mark.parametrize("path", PAGES)
def test_a_page(team: TeamProcess, page: Page, path: str) -> None:
    load(page, team.address + path)
    expect(page.get_by_role("heading", name=PAGES[path], level=1).first).to_be_visible()
    check(page)


@pytest.mark.parametrize("button", ["Share", "New token", "Invite", "New notification", "New project"])
def test_a_dialog(team: TeamProcess, page: Page, button: str) -> None:
    paths = {
        "Share": "/p/lab/vision/",
        "New token": "/settings/tokens",
        "Invite": PROJECT,
        "New notification": f"{PROJECT}/notifications",
        "New project": "/",
    }
    load(page, team.address + paths[button])
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)


@pytest.mark.parametrize("path", ["/", PROJECT, "/settings/server/audit", "/p/lab/vision/", "/p/lab/vision/reports"])
def test_a_phone_scrolls_nothing_sideways(team: TeamProcess, admin: BrowserContext, path: str) -> None:
    page = admin.new_page()
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(team.address + path)
    expect(page.get_by_role("button", name="Profile: Ada Lovelace")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.close()
