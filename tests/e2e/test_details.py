"""The details panel: what is selected, in one place for all dashboards, and in the address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import card, write_run
from tools.in_process import served_in_process


@pytest.fixture
def address(logdir: Path) -> Iterator[str]:
    for number, run in enumerate(("alpha", "beta")):
        write_run(logdir / run, {"train/loss": [number + step / 10 for step in range(10)]})
        (logdir / run / "config.yaml").write_text(f"lr: 0.{number + 1}\n")
    with served_in_process(logdir) as address:
        yield address


def panel(page: Page, title: str) -> Locator:
    return page.get_by_role("complementary", name=title)


def value_of(panel: Locator, name: str) -> Locator:
    return panel.locator("dt", has_text=name).locator("xpath=following-sibling::dd[1]").first


def row(page: Page, run: str) -> Locator:
    return page.get_by_role("row").filter(has_text=run)


def test_a_run_in_the_table_shows_its_details(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars")
    row(page, "beta").get_by_text("beta").click()
    details = panel(page, "beta")
    expect(value_of(details, "Points")).to_have_text("10")
    expect(value_of(details, "lr")).to_have_text("0.2")
    # The link shows the same, and a second click selects nothing.
    page.wait_for_url(re.compile("selected="))
    copy = open_page(page.url)
    expect(value_of(panel(copy, "beta"), "lr")).to_have_text("0.2")
    row(page, "beta").get_by_text("beta").click()
    expect(details).to_have_count(0)


def test_a_point_of_a_curve_shows_its_value_and_its_run(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars&smoothing=0.9")
    chart = card(page, "train/loss").locator(".chart")
    expect(chart).not_to_have_attribute("data-drawn", "0")
    box = chart.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + box["height"] / 3)
    page.mouse.down()
    page.mouse.up()
    details = page.get_by_role("complementary", name="train/loss")
    expect(value_of(details, "Tag")).to_have_text("train/loss")
    # As logged, whatever the smoothing.
    step = int(value_of(details, "Step").inner_text())
    run = 1 if "beta" in (details.get_attribute("aria-label") or "") else 0
    expect(value_of(details, "Value")).to_have_text(f"{run + step / 10:.4f}")
    expect(value_of(details, "lr")).to_have_text(f"0.{run + 1}")
    page.keyboard.press("Escape")
    expect(details).to_have_count(0)
    expect(page).not_to_have_url(re.compile("selected"))


def test_the_panel_is_resized_and_collapsed_and_stays_so(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars&selected=run,run:alpha")
    details = panel(page, "alpha")
    handle = details.get_by_role("separator")
    before = int(handle.get_attribute("aria-valuenow") or "0")
    handle.press("ArrowLeft")
    expect(handle).to_have_attribute("aria-valuenow", str(before + 20))
    details.get_by_role("button", name="Collapse").click()
    expect(value_of(details, "Points")).to_have_count(0)
    page.wait_for_url(re.compile("selected="))
    page.reload()
    details.get_by_role("button", name="Details").click()
    expect(value_of(details, "Points")).to_have_text("10")
    expect(handle).to_have_attribute("aria-valuenow", str(before + 20))


def test_on_a_phone_the_details_are_a_sheet_at_the_bottom(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars&selected=run,run:alpha", width=400, height=800)
    details = panel(page, "alpha")
    expect(value_of(details, "Points")).to_have_text("10")
    box = details.bounding_box()
    assert box and box["x"] == 0 and box["width"] == 400 and box["y"] + box["height"] == 800
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    details.get_by_role("button", name="Close").click()
    expect(details).to_have_count(0)


def test_an_item_of_a_dashboard_is_shown_on_its_tab_only(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#hparams&selected=trial,run:beta")
    trial = panel(page, "Trial beta")
    expect(trial).to_contain_text("Parameters")
    tabs = page.get_by_role("navigation", name="Dashboards")
    tabs.get_by_role("link", name="Scalars", exact=True).click()
    expect(card(page, "train/loss")).to_be_visible()
    expect(trial).to_have_count(0)
    tabs.get_by_role("link", name="HParams", exact=True).click()
    expect(trial).to_contain_text("Parameters")


def test_the_toolbar_has_a_second_line_beside_the_details(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars")
    toolbar = page.get_by_role("toolbar", name="Charts")
    expect(toolbar).to_be_visible()
    before = toolbar.bounding_box()
    row(page, "beta").get_by_text("beta").click()
    expect(panel(page, "beta")).to_be_visible()
    assert before
    for control in toolbar.get_by_role("button").all():
        expect(control).to_be_in_viewport(ratio=1)
    assert toolbar.evaluate("element => element.scrollWidth <= element.clientWidth")
    after = toolbar.bounding_box()
    assert after
    assert after["height"] > before["height"]
    page.get_by_role("button", name="Columns: ").click()
    expect(page.get_by_role("menu", name="Columns")).to_be_in_viewport(ratio=1)
