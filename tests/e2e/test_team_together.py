"""Comments on runs and charts, mentions, and reports with live charts, in the page of a real team server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.scalar_cards import drag
from tests.e2e.team_process import TeamProcess, expect_chart


@pytest.fixture(scope="module")
def viewer(team: TeamProcess, admin: BrowserContext, chromium: Browser) -> Iterator[BrowserContext]:
    link = team.invite(admin.request, "vision", "viewer")
    context = team.join(chromium, link, email="grace@navy.example", name="Grace Hopper")
    yield context
    context.close()


def test_a_mention_reaches_who_was_mentioned(
    team: TeamProcess, admin: BrowserContext, viewer: BrowserContext, logged: list[str]
) -> None:
    page = team.open(admin, "/p/lab/vision/run/wide", logged)
    box = page.get_by_label("Comment on this run")
    box.press_sequentially("**Look** at this <b>one</b>, @gra")
    expect(page.get_by_role("option", name="Grace Hopper")).to_be_visible()
    box.press("Enter")
    expect(box).to_have_value("**Look** at this <b>one</b>, @Grace Hopper ")
    box.press("Control+Enter")
    comment = page.get_by_role("article", name="Comment of Ada Lovelace")
    expect(comment.locator("strong")).to_have_text("Look")
    expect(comment).to_contain_text("<b>one</b>")

    reader = team.open(viewer, "/", logged)
    reader.get_by_role("button", name="Notifications: 1 new").click()
    reader.get_by_role("dialog", name="Notifications").get_by_role("link").click()
    reader.wait_for_url("**/p/lab/vision/**")
    expect(reader.get_by_role("article", name="Comment of Ada Lovelace")).to_be_visible()
    expect(reader.get_by_role("button", name="Edit", exact=True)).to_have_count(0)
    reader.get_by_role("button", name="Answer").click()
    reader.get_by_label("Answer Ada Lovelace").fill("I agree")
    reader.get_by_role("button", name="Answer", exact=True).last.click()
    expect(reader.get_by_role("article", name="Comment of Grace Hopper")).to_contain_text("I agree")
    reader.close()

    comment.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Edit the comment").fill("Never mind")
    page.get_by_role("button", name="Save").click()
    expect(comment).to_contain_text("Never mind")
    expect(comment).to_contain_text("edited")
    page.close()


def test_a_comment_on_a_point_marks_the_chart(team: TeamProcess, admin: BrowserContext, logged: list[str]) -> None:
    page = team.open(admin, "/p/lab/vision/#timeseries&selected=point,run:slow,tag:train/loss,step:20", logged)
    expect_chart(page, "train/loss")
    card = page.get_by_role("article", name="train/loss")
    card.hover()
    card.get_by_role("button", name="Chart settings").click()
    page.get_by_role("button", name="Comment on this point…").click()
    box = page.get_by_label("Comment on train/loss, step 20")
    expect(box).to_be_focused()
    box.fill("A kink?")
    box.press("Control+Enter")
    mark = card.get_by_role("button", name="Comment: Ada Lovelace: A kink?")
    expect(mark).to_be_visible()
    page.get_by_role("button", name="Close").first.click()
    mark.click()
    expect(page.get_by_role("article", name="Comment of Ada Lovelace")).to_contain_text("A kink?")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog", name="Delete this comment?").get_by_role("button", name="Delete").click()
    expect(mark).to_have_count(0)
    page.close()


def test_a_comment_on_a_range_marks_its_steps(
    team: TeamProcess, admin: BrowserContext, viewer: BrowserContext, logged: list[str]
) -> None:
    page = team.open(admin, "/p/lab/vision/#timeseries", logged)
    expect_chart(page, "train/loss")
    page.get_by_role("button", name="Select", exact=True).click()
    drag(page, "train/loss", 0.3, 0.6)
    expect(page).to_have_url(re.compile("select="))
    card = page.get_by_role("article", name="train/loss")
    card.hover()
    card.get_by_role("button", name="Chart settings").click()
    page.get_by_role("button", name="Comment on the selected steps…").click()
    box = page.get_by_label(re.compile(r"Comment on train/loss, steps \d+ to \d+"))
    expect(box).to_be_focused()
    steps = str(box.get_attribute("aria-label")).removeprefix("Comment on ")
    box.fill("Flat here")
    box.press("Control+Enter")
    mark = card.get_by_role("button", name="Comment: Ada Lovelace: Flat here")
    expect(mark).to_be_visible()
    page.get_by_role("button", name="Close").first.click()
    mark.click()
    comment = page.get_by_role("article", name="Comment of Ada Lovelace")
    expect(comment).to_contain_text("Flat here")
    expect(comment).to_contain_text(steps)
    # The address leads others to the same comment.
    reader = team.open(viewer, page.url.removeprefix(team.address), logged)
    expect(reader.get_by_role("article", name="Comment of Ada Lovelace")).to_contain_text(steps)
    expect(reader.get_by_role("button", name="Comment: Ada Lovelace: Flat here")).to_be_visible()
    reader.close()
    page.close()


def test_a_report_has_live_charts_and_versions(
    team: TeamProcess, admin: BrowserContext, viewer: BrowserContext, logged: list[str]
) -> None:
    page = team.open(admin, "/p/lab/vision/reports", logged)
    page.get_by_role("button", name="New report").click()
    page.get_by_label("Title").fill("Width")
    text = page.get_by_label("Text of the report")
    text.fill("## Finding\n\n<script>window.hacked = 1</script>\n\n")
    text.press("Control+End")
    page.get_by_role("button", name="Insert").click()
    page.get_by_role("menuitem", name="Chart of train/loss").click()
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_role("heading", name="Finding")).to_be_visible()
    expect(preview.locator("figure .chart")).to_have_attribute("data-drawn", "1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Width", exact=True)).to_be_visible()
    expect(page.locator("figure .chart")).to_be_visible()
    assert page.evaluate("window.hacked") is None

    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text of the report").fill("Second thoughts")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Second thoughts")).to_be_visible()
    earlier = page.get_by_label("Version").locator("option").nth(1)
    page.get_by_label("Version").select_option(earlier.get_attribute("value"))
    expect(page.locator("figure .chart")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="HTML").click()
    assert "Finding" in download.value.path().read_text()

    reader = team.open(viewer, page.url.removeprefix(team.address), logged)
    expect(reader.get_by_role("heading", name="Width", exact=True)).to_be_visible()
    expect(reader.get_by_role("button", name="Edit")).to_have_count(0)
    reader.close()
    page.close()


def test_each_tag_of_a_report_has_a_chart_of_its_own(
    team: TeamProcess, admin: BrowserContext, logged: list[str]
) -> None:
    """In one chart nobody could tell the tags apart: the colours are those of the runs."""
    page = team.open(admin, "/p/lab/vision/reports", logged)
    page.get_by_role("button", name="New report").click()
    block = "```chart\ntitle: Losses\nruns: [baseline, wide]\ntags: [train/loss, val/loss]\n```\n"
    page.get_by_label("Text of the report").fill(block)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("figcaption b")).to_have_text(["Losses: train/loss", "Losses: val/loss"])
    expect(page.locator("figure .chart").first).to_have_attribute("data-drawn", "1")
    expect(page.locator("figure").nth(1)).to_contain_text("These runs have no values of it yet.")
    page.close()
