"""Explore of What-If: points, facets, brush, keys, filters, worst slices, table, address, schema, drop and narrow pages."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage, pick
from tests.e2e.links import link_of
from tools.in_process import served_in_process

ROWS = 600


def write_census(path: Path) -> None:
    """An adult-like set; the model fails for women with a master's degree."""
    chance = np.random.default_rng(3)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["age", "sex", "education", "hours", "note", "label", "score", "score:second"])
        for row in range(ROWS):
            sex = "Female" if row % 3 == 0 else "Male"
            education = ("HS-grad", "Bachelors", "Masters")[int(chance.integers(3))]
            is_rich = bool(chance.random() < 0.5)
            is_wrong = chance.random() < (0.8 if sex == "Female" and education == "Masters" else 0.05)
            score = 0.5 + (0.2 if is_rich != is_wrong else -0.2) + float(chance.uniform(-0.15, 0.15))
            label = "> 50k" if is_rich else "≤ 50k"
            values = [20 + row % 50, sex, education, 20 + row % 40, f"<b>note</b> {row}", label]
            writer.writerow([*values, f"{score:.4f}", f"{1 - score:.4f}"])


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("explore")
    with seamark.SummaryWriter(str(logdir / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    write_census(logdir / "run" / "census.examples.csv")
    with served_in_process(logdir) as address:
        yield address


def open_explore(open_page: OpenPage, address: str, parameters: str = "") -> Page:
    page = open_page(f"{address}#whatif{parameters}")
    page.wait_for_function("() => performance.getEntriesByName('whatif:ready').length === 1")
    return page


def plot_of(page: Page) -> Locator:
    return page.get_by_test_id("explore-plot")


def drag(page: Page, *corners: tuple[float, float], keys: str = "") -> None:
    """Between shares of the plot's width and height."""
    box = plot_of(page).bounding_box()
    assert box is not None
    places = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    page.mouse.move(*places[0])
    if keys:
        page.keyboard.down(keys)
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    if keys:
        page.keyboard.up(keys)


def selected_row(page: Page) -> int:
    found = re.search(r"whatif\.row=(\d+)", page.url)
    assert found, page.url
    return int(found[1])


def test_the_first_picture_says_what_it_shows(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile(r"P\(> 50k\) against age, 600 rows"))
    card = page.get_by_role("region", name="Data and model")
    expect(card).to_contain_text("600 rows")
    expect(card).to_contain_text("Predictions are stored in the data")
    expect(page.get_by_role("region", name="Explore")).to_contain_text("wrong")


def test_facets_and_fields_are_in_the_address(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    pick(page.get_by_role("region", name="Explore"), "Facet", "sex")
    expect(page).to_have_url(re.compile("whatif.facet=sex"))
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile("by sex"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("whatif.facet"))


def test_a_box_selects_rows_and_escape_clears_them(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    explore = page.get_by_role("region", name="Explore")
    drag(page, (0.1, 0.1), (0.5, 0.5))
    expect(explore.get_by_text(re.compile(r"^\d+ selected"))).to_be_visible()
    expect(page).to_have_url(re.compile("whatif.brush="))
    plot_of(page).press("Escape")
    expect(page).not_to_have_url(re.compile("whatif.brush="))
    expect(explore.get_by_text(re.compile("selected"))).to_have_count(0)


def test_a_lasso_selects_fewer_rows_than_its_box(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    chip = page.get_by_role("region", name="Explore").get_by_text(re.compile(r"^\d+ selected"))
    drag(page, (0.1, 0.1), (0.9, 0.85))
    expect(chip).to_be_visible()
    expect(page).to_have_url(re.compile("whatif.brush="))
    in_box = int(chip.inner_text().split()[0])
    box = link_of(page)
    drag(page, (0.1, 0.1), (0.9, 0.1), (0.1, 0.85), keys="Shift")
    expect(page).not_to_have_url(box)  # the address has the brush once the pointer is up
    assert 0 < int(chip.inner_text().split()[0]) < in_box


def test_keys_move_between_points(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    plot_of(page).press("j")
    expect(page).to_have_url(re.compile(r"whatif\.row=0\b"))
    plot_of(page).press("j")
    expect(page).to_have_url(re.compile(r"whatif\.row=1\b"))
    plot_of(page).press("k")
    expect(page).to_have_url(re.compile(r"whatif\.row=0\b"))
    plot_of(page).press("ArrowRight")
    expect(page).not_to_have_url(re.compile(r"whatif\.row=0\b"))
    assert selected_row(page) > 0
    plot_of(page).press("]")
    expect(page).to_have_url(re.compile(r"whatif\.t=0\.51"))
    plot_of(page).press("/")
    expect(page.get_by_role("combobox", name="Filter rows")).to_be_focused()


def test_the_filter_counts_its_rows(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    card = page.get_by_role("region", name="Slice", exact=True)
    field = card.get_by_role("combobox", name="Filter rows")
    field.fill('sex == "Female"')
    expect(card).to_contain_text("200 rows, 33.3%")
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile("200 rows"))


def test_a_filter_that_cannot_be_read_says_where(census: str, open_page: OpenPage) -> None:
    # The browser logs the response 400 by itself.
    page = open_page(f"{census}#whatif&whatif.q=agee%20%3C%205", may_complain=True)
    card = page.get_by_role("region", name="Slice", exact=True)
    expect(card.get_by_role("alert")).to_contain_text("no column 'agee'")
    expect(card.locator("i.wrong")).to_have_text("agee")
    expect(plot_of(page)).to_contain_text("The filter cannot be applied.")


def test_a_worst_slice_filters_everything_and_is_undone_in_slice(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    worst = page.get_by_role("listbox", name="Worst slices")
    expect(worst.get_by_role("option").first).to_contain_text("Masters")
    worst.press("Enter")
    card = page.get_by_role("region", name="Slice", exact=True)
    expect(card.get_by_role("button", name=re.compile("^Remove "))).not_to_have_count(0)
    expect(plot_of(page)).not_to_have_attribute("aria-label", re.compile("600 rows"))
    card.get_by_role("button", name="Clear", exact=True).click()
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile("600 rows"))


def test_the_table_sorts_all_rows_and_shows_texts_as_text(census: str, open_page: OpenPage) -> None:
    page = open_page(f"{census}#whatif&whatif.view=table")
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(ROWS + 1))
    expect(grid).to_contain_text("<b>note</b> 0")
    grid.get_by_role("columnheader", name="age").click()
    expect(page).to_have_url(re.compile("whatif.sort=age"))
    expect(grid.get_by_role("row").nth(1)).to_contain_text("20")
    grid.get_by_role("row").nth(2).click()
    expect(page).to_have_url(re.compile(r"whatif\.row=50\b"))


def test_a_histogram_and_a_strip_are_drawn(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    page.get_by_role("button", name="Histogram").click()
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile("^Rows against age"))
    page.get_by_role("button", name="Strip").click()
    page.get_by_role("button", name="x age").click()
    page.get_by_role("option", name="education", exact=True).click()
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile("against education"))


def test_a_second_model_is_drawn_hollow(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    pick(page.get_by_role("region", name="Data and model"), "Model B", "second")
    expect(page.get_by_role("region", name="Explore")).to_contain_text("model B")
    plot_of(page).press("j")
    expect(page).to_have_url(re.compile(r"whatif\.row=0\b"))
    shown = page.get_by_role("region", name="Edit point").locator(".values .now")
    expect(shown).to_have_count(2)
    first, second = (float(one.inner_text()) for one in shown.all())
    assert first + second == pytest.approx(1, abs=0.011)  # so they were written


def test_the_schema_is_corrected_and_reset(census: str, open_page: OpenPage) -> None:
    page = open_explore(open_page, census)
    page.get_by_role("button", name="Schema").click()
    dialog = page.get_by_role("dialog", name="Schema")
    dialog.get_by_label("Role of hours").select_option("ignored")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    explore = page.get_by_role("region", name="Explore")
    explore.get_by_role("button", name="Facet").click()
    page.get_by_role("combobox", name="Facet").fill("hours")
    expect(page.get_by_text("No matches")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Schema").click()
    dialog.get_by_role("button", name="Reset").click()
    expect(dialog).to_have_count(0)
    explore.get_by_role("button", name="Facet").click()
    page.get_by_role("combobox", name="Facet").fill("hours")
    expect(page.get_by_role("option", name="hours")).to_be_visible()


def test_files_are_exported_and_dropped(census: str, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_explore(open_page, census, "&whatif.q=sex%20%3D%3D%20%22Female%22")
    saved = []
    for name in ("Picture (PNG)", "Rows of the slice (CSV)"):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=name).click()
        saved.append(Path(download.value.path()).read_bytes())
    assert saved[0].startswith(b"\x89PNG")
    assert len(saved[1].decode().strip().splitlines()) == 201
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n3,4\n")
    page.get_by_label("File with examples").set_input_files(other)
    expect(page.get_by_role("region", name="Data and model")).to_contain_text("2 rows")


def test_a_set_without_truth_and_predictions_says_what_is_missing(
    logdir: Path, address: str, open_page: OpenPage
) -> None:
    (logdir / "run").mkdir()
    with seamark.SummaryWriter(str(logdir / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    (logdir / "run" / "plain.examples.csv").write_text("width,height\n1.5,2\n2.5,4\n3.5,6\n")
    page = open_explore(open_page, address)
    expect(page.get_by_role("region", name="Data and model")).to_contain_text("There are no predictions.")
    expect(page.get_by_role("region", name="Worst slices")).to_contain_text("Choose a target")
    expect(plot_of(page)).to_have_attribute("aria-label", re.compile("height against width"))


@pytest.mark.parametrize("width", [900, 400])
def test_nothing_is_wider_than_a_narrow_page(census: str, open_page: OpenPage, width: int) -> None:
    page = open_page(f"{census}#whatif&whatif.facet=sex", width=width, height=800)
    page.wait_for_function("() => performance.getEntriesByName('whatif:ready').length === 1")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    explore = page.get_by_role("region", name="Explore").bounding_box()
    data = page.get_by_role("region", name="Data and model").bounding_box()
    assert explore and data and explore["y"] < data["y"]


def test_the_table_has_rows_on_a_narrow_page(census: str, open_page: OpenPage) -> None:
    page = open_page(f"{census}#whatif&whatif.view=table", width=900, height=800)
    row = page.locator("[role=row][aria-rowindex='8']").first
    expect(row).to_be_visible()
    table = page.get_by_role("region", name="Explore").bounding_box()
    assert table and table["height"] > 300
