"""The inspector of the Projector: a point and its neighbours, clusters, findings, two panes; and the card of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

ROWS = 240
CLASSES = ("trees", "fish", "<b>birds</b>")
HOSTILE = "<img src=x onerror=alert(1)>"


def log_embedding(folder: Path, *, seed: int, rows: int = ROWS) -> None:
    """Three groups of rows; rows 3 and 6 are equal, row 5 is far from all."""
    groups = np.arange(rows) % len(CLASSES)
    random = np.random.default_rng(seed)
    vectors = np.eye(8)[groups] * 4 + random.normal(size=(rows, 8)) * 0.5
    vectors[6] = vectors[3]
    vectors[5] *= 10
    folder.mkdir(parents=True)
    np.savetxt(folder / "vectors.tsv", vectors, delimiter="\t")
    lines = [f"point {row}\t{CLASSES[group]}\t{HOSTILE} {row}" for row, group in enumerate(groups)]
    (folder / "metadata.tsv").write_text("\n".join(["label\tclass\tcaption", *lines]) + "\n")
    (folder / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "pool" tensor_path: "vectors.tsv" metadata_path: "metadata.tsv" }\n'
    )
    with seamark.SummaryWriter(folder) as writer:
        writer.add_scalar("loss", 1.0, 0)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("inspector") / "runs"
    log_embedding(root / "first", seed=1)
    log_embedding(root / "second", seed=2)
    log_embedding(root / "short", seed=3, rows=90)
    with seamark.SummaryWriter(root / "plain") as writer:
        writer.add_scalar("loss", 1.0, 0)
    with served_in_process(root) as address:
        yield address


def projector(site: str, **parameters: str) -> str:
    return f"{site}#projector" + "".join(f"&projector.{name}={value}" for name, value in parameters.items())


def part(page: Page, title: str) -> Locator:
    return page.get_by_role("complementary", name="Inspector").get_by_role("region", name=title, exact=True)


def test_a_point_has_its_metadata_and_its_neighbours(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first", point="3"))
    point = part(page, "point 3")
    expect(point).to_contain_text("row 3")
    expect(point).to_contain_text(f"{HOSTILE} 3")  # as text
    neighbours = part(page, "Neighbours")
    expect(neighbours).to_contain_text(f"exact, all {ROWS - 1} rows")
    expect(neighbours).to_contain_text("of 10 kept here")
    expect(neighbours.get_by_role("listitem")).to_have_count(10)
    expect(neighbours.get_by_role("listitem").first).to_contain_text("point 6")  # the duplicate
    neighbours.get_by_label("Number of neighbours").select_option("25")
    expect(neighbours.get_by_role("listitem")).to_have_count(25)
    neighbours.get_by_role("button", name="L2").click()
    expect(page).to_have_url(re.compile("projector.distance=euclidean"))
    neighbours.get_by_role("button", name="Select these").click()
    expect(page.get_by_text("25 points", exact=True)).to_be_visible()


def test_neighbours_are_walked_and_left_again(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first", point="3"))
    neighbours = part(page, "Neighbours")
    second = neighbours.get_by_role("listitem").nth(1)
    expect(second).to_be_visible()
    neighbours.get_by_role("button", name="Cosine").focus()
    page.mouse.move(0, 0)
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(second.get_by_role("button")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Shift+N")
    expect(neighbours.get_by_role("listitem").first.get_by_role("button")).to_have_attribute("aria-current", "true")
    neighbours.get_by_role("listitem").first.click()
    expect(part(page, "point 6")).to_be_visible()
    page.keyboard.press("Backspace")
    expect(part(page, "point 3")).to_be_visible()


def test_a_neighbour_out_of_sight_is_brought_into_the_picture(site: str, open_page: OpenPage) -> None:
    away = "9000,9000,0,1,0,0"
    page = open_page(projector(site, run="first", point="3", camera=away))
    neighbours = part(page, "Neighbours")
    expect(neighbours).to_contain_text("of 10 kept here")
    expect(page).to_have_url(re.compile(re.escape(away)))
    neighbours.get_by_role("listitem").first.click()
    expect(page).not_to_have_url(re.compile(re.escape(away)))
    expect(page).to_have_url(re.compile(r"camera="))


def test_a_row_that_is_not_there_is_said(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first", point="5000"))
    expect(part(page, "row 5,000")).to_contain_text(f"There is no such row: the embedding has {ROWS} rows.")


def test_clusters_are_the_legend(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first", colour="class"))
    expect(page.get_by_text("Click a point to see its neighbours.")).to_be_visible()
    clusters = part(page, "Clusters")
    expect(clusters).to_contain_text("3 by class")
    expect(clusters.get_by_role("listitem")).to_have_count(3)
    fish = clusters.get_by_role("listitem").filter(has_text="fish")
    expect(fish).to_contain_text(re.compile(r"80\s*[01]\.\d\d"))  # points and trust
    box = fish.get_by_role("checkbox")
    box.click()
    expect(box).not_to_be_checked()
    box.click()
    expect(box).to_be_checked()
    fish.get_by_role("button", name="fish").click()
    expect(page.get_by_text("80 points", exact=True)).to_be_visible()
    clusters.get_by_role("button", name="Name").click()
    expect(clusters.get_by_role("listitem").first).to_contain_text(CLASSES[2])


def test_computed_clusters_colour_the_points(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first", clusters="kmeans", cluster_count="4"))
    clusters = part(page, "Clusters")
    expect(clusters).to_contain_text("4 by k-means")
    clusters.get_by_role("button", name="Colour by cluster").click()
    expect(page).to_have_url(re.compile("projector.colour=computed"))


def test_neighbours_lost_colour_the_points(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first"))
    part(page, "Neighbourhoods kept").get_by_role("button", name="Colour by neighbours lost").click()
    expect(part(page, "Colour")).to_contain_text("neighbours lost")
    expect(part(page, "Colour")).to_contain_text("median")
    part(page, "Neighbourhoods kept").get_by_role("button", name="Show it").click()
    expect(page).to_have_url(re.compile("projector.method=.*umap"))


def test_outliers_and_duplicates_are_found_on_request(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first"))
    findings = part(page, "Findings")
    findings.get_by_role("button", name="Look for outliers and duplicates").click()
    expect(findings.get_by_role("list", name="Outliers").get_by_role("listitem").first).to_contain_text("point 5")
    expect(findings.get_by_role("list", name="Duplicates")).to_contain_text("rows 3 · 6")
    findings.get_by_role("list", name="Outliers").get_by_role("button").first.click()
    expect(part(page, "point 5")).to_be_visible()


def test_two_panes_share_neighbours(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first"))
    page.get_by_role("button", name="Side by side").click()
    # The same embedding of another run.
    expect(page.get_by_role("button", name="Embedding of B")).to_contain_text("second")
    shared = part(page, "Shared neighbours")
    expect(shared).to_contain_text(re.compile(r"\d+% of neighbours shared"))
    shared.get_by_role("button", name="Colour by shared neighbourhood").click()
    expect(part(page, "Colour")).to_contain_text("neighbours shared")
    page.get_by_role("button", name="Swap A and B").click()
    expect(page.get_by_role("button", name="Embedding of A")).to_contain_text("second")
    shared.get_by_role("list", name="Rows that share least").get_by_role("button").first.click()
    expect(part(page, "Neighbours").get_by_role("listitem")).to_have_count(10)


def test_panes_with_other_rows_are_not_linked(site: str, open_page: OpenPage) -> None:
    page = open_page(projector(site, run="first", pair="1", b_run="short", b_name="config:pool"))
    expect(part(page, "Shared neighbours")).to_contain_text(f"Rows cannot be linked: A has {ROWS}, B has 90.")


def test_the_page_of_a_run_shows_its_embedding(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/second")
    card = page.get_by_role("region", name="Embeddings")
    expect(card).to_contain_text(f"pool, {ROWS} points")
    card.get_by_role("link", name="Open in Projector").click()
    expect(page.get_by_role("button", name="Embedding:")).to_contain_text("second")
    page.goto(f"{site}run/plain")
    expect(page.get_by_role("region", name="Logged")).to_be_visible()
    expect(card).to_have_count(0)
