"""The toolbar of the Projector, its selection with the table, and bookmarks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

import seamark
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

ROWS = 300
SEARCH = re.compile(r"/projector/search\?")
CLASSES = ("fish", "insects", "trees")
BOOKMARK = {
    "label": "Logged trees",
    "isSelected": False,
    "tSNEIteration": 0,
    "tSNEPerplexity": 0,
    "tSNELearningRate": 0,
    "tSNEis3d": False,
    "pcaComponentDimensions": [0, 2],
    "projections": [],
    "selectedPoints": [2, 5, 8],
    "selectedProjection": "pca",
    "dataSetDimensions": [ROWS, 8],
    "cameraDef": {"orthographic": True, "position": [0, 0, 4], "target": [0, 0, 0], "zoom": 1},
    "selectedColorOptionName": "class",
    "selectedLabelOption": "name",
}


def write_embedding(run: Path) -> None:
    """Three groups of points; row i is in class i % 3."""
    with seamark.SummaryWriter(str(run)) as writer:
        writer.add_scalar("loss", 1.0, 1)
    rng = np.random.default_rng(0)
    codes = np.arange(ROWS) % 3
    values = rng.normal(size=(3, 8))[codes] * 6 + rng.normal(size=(ROWS, 8))
    np.savetxt(run / "vectors.tsv", values, delimiter="\t", fmt="%.5f")
    lines = ["name\tclass\tconf", *(f"{CLASSES[c]}_{i:03d}\t{CLASSES[c]}\t{i / ROWS:.4f}" for i, c in enumerate(codes))]
    (run / "metadata.tsv").write_text("\n".join(lines) + "\n")
    (run / "bookmarks.txt").write_text(json.dumps([BOOKMARK]))
    (run / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "pool" tensor_path: "vectors.tsv" metadata_path: "metadata.tsv" '
        'bookmarks_path: "bookmarks.txt" }'
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("projector")
    write_embedding(logdir / "vit")
    with served_in_process(logdir) as address:
        yield f"{address}#projector"


def find(page: Page) -> Locator:
    return page.get_by_label("Find points")


def selection(page: Page) -> Locator:
    return page.get_by_role("group", name="Selection")


def rows(page: Page) -> Locator:
    return page.get_by_role("grid", name="Points").locator("[role=row][aria-rowindex]:not([aria-rowindex='1'])")


def picture(page: Page) -> Locator:
    return page.locator(".pictures [tabindex='0']").first


def shown(page: Page, count: int) -> None:
    expect(page.get_by_role("toolbar", name="Projector")).to_contain_text(f"{count} of {ROWS} points")


def test_points_are_found_by_text_regex_and_column(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    shown(page, ROWS)
    # Before anything has the focus.
    page.keyboard.press("/")
    expect(find(page)).to_be_focused()
    find(page).fill("fish_0")
    expect(page.get_by_role("option")).to_have_count(34)
    find(page).fill("/_00[0-4]$/")
    expect(page.get_by_role("option")).to_have_text(
        ["fish_000 0", "insects_001 1", "trees_002 2", "fish_003 3", "insects_004 4"]
    )
    find(page).fill("class:trees")
    expect(page.get_by_role("button", name="Select all 100")).to_be_visible()
    find(page).press("ArrowDown")
    find(page).press("Enter")
    expect(page.get_by_role("complementary", name="Inspector")).to_contain_text("trees_005")
    find(page).fill("/(/")
    expect(page.get_by_role("alert")).to_be_visible()
    find(page).fill("nothing like this")
    expect(page.get_by_text("No matches")).to_be_visible()


def test_the_matches_of_the_previous_search_cannot_be_selected(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    shown(page, ROWS)
    find(page).fill("/_0[01]/")
    expect(page.get_by_role("button", name="Select all 20")).to_be_enabled()
    held: list[Route] = []
    page.route(SEARCH, lambda route: held.append(route))
    with page.expect_request(SEARCH):
        find(page).fill("class:fish")
    expect(page.get_by_role("button", name="Select all 20")).to_be_disabled()
    find(page).press("Control+Enter")
    expect(selection(page)).not_to_contain_text("found")
    held.pop().continue_()
    page.get_by_role("button", name="Select all 100").click()
    expect(selection(page)).to_contain_text("100 points found")


def test_a_selection_says_what_it_consists_of_and_can_be_isolated_and_hidden(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    shown(page, ROWS)
    find(page).fill("/_0[01]/")
    page.get_by_role("button", name="Select all 20").click()
    expect(selection(page)).to_contain_text("20 points found")
    expect(selection(page)).to_contain_text("fish: 7 · insects: 7 · 1 more")
    selection(page).get_by_role("button", name="Isolate").click()
    shown(page, 20)
    expect(selection(page)).to_contain_text("lasso")
    find(page).fill("class:fish")
    page.get_by_role("button", name=re.compile("Select all")).click()
    selection(page).get_by_role("button", name="Hide").click()
    shown(page, 13)
    expect(page).to_have_url(re.compile(r"filters=isolate:[\d,-]+;hide:[\d,-]+"))
    page.reload()
    shown(page, 13)
    picture(page).press("Control+z")
    shown(page, 20)
    # What was hidden is selected again, and stays so when what was isolated before is shown.
    expect(selection(page)).to_contain_text("100 points selected")
    picture(page).press("Escape")
    picture(page).press("Control+z")
    shown(page, ROWS)
    expect(selection(page)).to_contain_text("20 points selected")
    picture(page).press("i")
    shown(page, 20)
    picture(page).press("a")
    shown(page, ROWS)


def test_keys_work_while_the_picture_has_the_focus(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    shown(page, ROWS)
    tools = page.get_by_role("group", name="Tool")
    picture(page).press("s")
    expect(tools.get_by_role("button", name="Lasso")).to_have_attribute("aria-pressed", "true")
    picture(page).press("3")
    expect(page.get_by_role("button", name="3-D")).to_have_attribute("aria-pressed", "true")
    expect(tools.get_by_role("button", name="Turn")).to_be_visible()
    picture(page).press("/")
    expect(find(page)).to_be_focused()
    # A field takes letters as letters.
    find(page).press("v")
    expect(tools.get_by_role("button", name="Lasso")).to_have_attribute("aria-pressed", "true")


def test_escape_clears_the_point_then_the_selection_then_the_search(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&projector.selected=2,5&projector.point=5&projector.find=fish")
    shown(page, ROWS)
    for cleared in ("point", "selected", "find"):
        expect(page).to_have_url(re.compile(f"projector.{cleared}="))
        picture(page).press("Escape")
        expect(page).not_to_have_url(re.compile(f"projector.{cleared}="))


def test_the_table_sorts_inspects_and_exports(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&projector.selected=2,5,8&projector.point=5")
    page.get_by_role("button", name="Table").click()
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first).to_contain_text("trees_002")
    grid = page.get_by_role("grid", name="Points")
    grid.get_by_role("columnheader", name="conf").click()
    grid.get_by_role("columnheader", name="conf").click()
    expect(rows(page).first).to_contain_text("trees_008")
    grid.get_by_role("columnheader", name="Distance").click()
    expect(rows(page).first).to_contain_text("trees_005")
    rows(page).nth(1).click()
    expect(page.get_by_role("complementary", name="Inspector")).to_contain_text(re.compile("trees_00[28]"))
    table = page.get_by_role("region", name="Table of points")
    table.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="These rows as .npy").click()
    assert np.load(download.value.path()).shape == (3, 8)
    table.get_by_role("button", name=f"All shown {ROWS}").click()
    expect(grid).to_have_attribute("aria-rowcount", str(ROWS + 1))


def test_bookmarks_are_saved_logged_and_exchanged_with_tensorboard(
    address: str, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(f"{address}&projector.selected=4,7")
    expect(selection(page)).to_contain_text("2 points")
    bookmarks = page.get_by_role("button", name=re.compile("^Bookmarks"))
    bookmarks.click()
    page.get_by_label("Name of the bookmark").fill("Two insects")
    page.get_by_role("button", name="Save", exact=True).click()
    panel = page.get_by_role("dialog", name="Bookmarks")
    expect(panel).to_contain_text("Two insects")
    panel.get_by_role("button", name="Logged trees").click()
    expect(selection(page)).to_contain_text("3 points in the bookmark")
    expect(page).to_have_url(re.compile("components"))
    bookmarks.click()
    with page.expect_download() as download:
        panel.get_by_role("button", name="For TensorBoard").click()
    path = tmp_path / "bookmarks.txt"
    download.value.save_as(path)
    (state,) = json.loads(path.read_text())
    assert state["selectedProjection"] == "pca"
    assert state["dataSetDimensions"] == [ROWS, 8]
    assert len(state["projections"]) == ROWS and set(state["projections"][0]) == {"pca-0", "pca-1"}
    assert state["selectedPoints"] == [4, 7]
    panel.get_by_label("File with bookmarks").set_input_files(path)
    expect(selection(page)).to_contain_text("2 points in the bookmark")
    page.reload()
    expect(bookmarks).to_contain_text("2")
    bookmarks.click()
    panel.get_by_role("button", name="Remove Two insects").click()
    expect(panel).not_to_contain_text("Two insects")


def test_a_narrow_toolbar_has_the_rest_in_a_menu(address: str, open_page: OpenPage) -> None:
    page = open_page(address, width=400, height=800)
    more = page.get_by_role("button", name=re.compile("^More: "))
    more.click()
    menu = page.get_by_role("menu", name="More")
    expect(menu.get_by_role("menuitem", name="Controls")).to_be_visible()
    menu.get_by_role("menuitemcheckbox", name="Labels").click()
    expect(page).to_have_url(re.compile("projector.labels=0"))
    more.click()
    menu.get_by_role("menuitem", name=re.compile("Bookmarks")).click()
    expect(page.get_by_role("dialog", name="Bookmarks")).to_contain_text("Logged trees")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Tool: Pan").click()
    page.get_by_role("menuitemcheckbox", name="Lasso").click()
    expect(page.get_by_role("button", name="Tool: Lasso")).to_be_visible()
