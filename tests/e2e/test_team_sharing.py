"""Sharing from the page of a project: links for people without an account, until they are revoked."""

from __future__ import annotations

from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.team_process import TeamProcess, expect_chart


def test_a_view_is_shared_with_anybody_who_has_the_link(
    team: TeamProcess, admin: BrowserContext, browser: Browser, logged: list[str]
) -> None:
    page = team.open(admin, "/p/lab/vision/#timeseries&runs=baseline,wide", logged)
    expect_chart(page, "train/loss")
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog", name="Share")
    expect(dialog.get_by_label("This view, with the 2 runs shown")).to_be_checked()
    dialog.get_by_label("Name (optional)").fill("For the review")
    dialog.get_by_role("button", name="Create the link").click()
    link = dialog.get_by_label("The link to share").input_value()

    visitor = team.open(browser.new_context(viewport={"width": 1440, "height": 900}), link[len(team.address) :], logged)
    expect_chart(visitor, "train/loss")
    expect(visitor.get_by_text("View only")).to_be_visible()
    expect(visitor.get_by_role("button", name="Share")).to_have_count(0)
    runs = visitor.get_by_role("treegrid")
    expect(runs.get_by_text("wide")).to_be_visible()
    expect(runs.get_by_text("slow")).to_have_count(0)
    visitor.close()

    dialog.get_by_role("button", name="Revoke For the review").click()
    page.get_by_role("dialog", name="Revoke this share?").get_by_role("button", name="Revoke").click()
    expect(dialog.get_by_role("button", name="Revoke For the review")).to_have_count(0)
    assert page.request.get(link, max_redirects=5).status == 404
    page.close()


def test_a_password_protects_a_link(team: TeamProcess, admin: BrowserContext, browser: Browser) -> None:
    page = team.open(admin, "/p/lab/vision/", [])
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog", name="Share")
    dialog.get_by_label("The whole project").check()
    dialog.get_by_label("Password (optional)").fill("short")
    dialog.get_by_role("button", name="Create the link").click()
    expect(dialog.get_by_role("alert")).to_contain_text("at least 10 characters")
    dialog.get_by_label("Password (optional)").fill("open sesame now")
    dialog.get_by_role("button", name="Create the link").click()
    link = dialog.get_by_label("The link to share").input_value()

    visitor = browser.new_context().new_page()
    visitor.goto(link)
    visitor.locator("input[type=password]").fill("open sesame now")
    visitor.locator("input[type=password]").press("Enter")
    expect_chart(visitor, "train/loss")
    page.close()


def test_deleted_runs_go_to_the_trash_and_come_back(
    team: TeamProcess, admin: BrowserContext, logged: list[str]
) -> None:
    page = team.open(admin, "/p/lab/vision/#timeseries&runTable=open", logged)
    page.get_by_role("grid").get_by_role("checkbox", name="Select slow").click()
    page.get_by_role("button", name="More for the selected runs").click()
    page.get_by_role("menuitem", name="Delete…").click()
    page.get_by_role("button", name="Move to the trash").click()
    expect(page.get_by_role("gridcell", name="slow")).to_have_count(0)

    page.goto(f"{team.address}/projects/lab/vision/storage")
    page.get_by_label("Choose slow").check()
    page.get_by_role("button", name="Restore 1 run").click()
    expect(page.get_by_text("The trash is empty.")).to_be_visible()
    page.close()
