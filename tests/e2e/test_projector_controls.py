"""The controls of the Projector: data, steps, methods, appearance and filter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage, pick, press
from tools.in_process import served_in_process

ROWS, STEPS = 300, 6


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("embeddings")
    write_embeddings(logdir / "vit")
    with served_in_process(logdir) as address:
        yield address


def write_embeddings(folder: Path) -> None:
    """An embedding at six steps with one row that is not finite, and another without metadata."""
    random = np.random.default_rng(0)
    classes, base = random.integers(0, 5, ROWS), random.normal(size=(ROWS, 16))
    centres = random.normal(size=(5, 16)) * 4
    labels = [[f"row{row}", f"class{code}", str(code / 2)] for row, code in enumerate(classes)]
    with seamark.SummaryWriter(str(folder)) as writer:
        writer.add_scalar("loss", 1.0, 0)
        for step in range(1, STEPS + 1):
            vectors = (base + centres[classes] * step / STEPS).astype(np.float32)
            vectors[7] = np.nan
            writer.add_embedding(
                vectors,
                metadata=labels,
                metadata_header=["label", "class", "conf"],
                global_step=step * 1000,
                tag="pool",
            )
    np.save(folder / "words.npy", base.astype(np.float32))


def open_controls(open_page: OpenPage, address: str, hash: str = "", **options: object) -> Page:
    page = open_page(f"{address}#projector{hash}", **options)
    expect(section(page, "Data")).to_contain_text("×")
    return page


def section(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def test_an_embedding_is_picked_and_prepared(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    data = section(page, "Data")
    expect(data).to_contain_text("300 × 16")
    center = data.get_by_role("button", name="Center")
    expect(center).to_have_attribute("aria-pressed", "true")
    center.click()
    data.get_by_role("button", name="Sphereize").click()
    expect(page).to_have_url(re.compile("projector.prepare=sphereize"))
    pick(data, "Embedding", "vit · words.npy")
    expect(page).to_have_url(re.compile("projector.name=file:words.npy"))
    expect(section(page, "Step")).to_have_count(0)


def test_steps_are_played_and_walked_through(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    steps = section(page, "Step")
    expect(steps).to_contain_text("6 of 6 · aligned")
    page.keyboard.press(",")
    expect(steps).to_contain_text("5 of 6")
    expect(steps).to_contain_text("5,000")
    page.keyboard.press(".")
    expect(steps).to_contain_text("6 of 6")
    # Each step is shown for less than a second: the page notes them down.
    steps.evaluate(
        """section => { window.shown = [];
            const note = () => shown.push(`${section.textContent} ${section.querySelector('.play').ariaLabel}`);
            new MutationObserver(note).observe(section, { subtree: true, childList: true, characterData: true }) }"""
    )
    steps.get_by_role("button", name="Play").click()
    for at in range(1, STEPS):
        page.wait_for_function(
            "at => shown.some(text => text.includes(at) && text.endsWith('Pause'))", arg=f"{at} of 6"
        )
    expect(steps).to_contain_text("6 of 6")
    expect(steps.get_by_role("button", name="Play")).to_be_visible()


def test_reduced_motion_shows_one_step_for_each_press(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    page.emulate_media(reduced_motion="reduce")
    play = section(page, "Step").get_by_role("button", name="Play")
    play.click()
    expect(section(page, "Step")).to_contain_text("1 of 6")
    play.click()
    expect(section(page, "Step")).to_contain_text("2 of 6")
    expect(play).to_be_visible()


def test_points_that_moved_most_are_selected_and_leave_trails(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    steps = section(page, "Step")
    bars = steps.get_by_role("group", name="Mean movement of points per step").get_by_role("button")
    expect(bars).to_have_count(STEPS)
    bars.nth(2).click()
    expect(steps).to_contain_text("3 of 6")
    steps.get_by_role("button", name="Moved most").click()
    expect(page.get_by_text("50 points")).to_be_visible()
    trails = steps.get_by_role("button", name="Trails")
    trails.click()
    expect(trails).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("projector.trails=1"))


def test_components_are_chosen_by_axis(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    method = section(page, "Method")
    expect(method).to_contain_text("of the variance")
    method.get_by_role("button", name="PC3 along x").click()
    expect(page).to_have_url(re.compile(r"components.*2.*1"))
    expect(method.get_by_role("button", name="PC3 along x")).to_have_attribute("aria-pressed", "true")
    method.get_by_role("button", name="t-SNE").click()
    method.get_by_role("button", name="PCA").click()
    expect(method.get_by_role("button", name="PC1 along x")).to_have_attribute("aria-pressed", "true")
    # The browser's button Back leads to the picture before.
    page.go_back()
    expect(method.get_by_role("button", name="t-SNE")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(method.get_by_role("button", name="PC3 along x")).to_have_attribute("aria-pressed", "true")


def test_parameters_are_dragged_and_typed(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    method = section(page, "Method")
    method.get_by_role("button", name="UMAP").click()
    press(method.get_by_role("slider", name="Neighbours"), "ArrowRight", "ArrowRight")
    expect(page).to_have_url(re.compile(r"neighbours[^&]*17"))
    typed = method.get_by_role("textbox", name="Neighbours, typed")
    typed.fill("150")
    typed.press("Enter")
    expect(page).to_have_url(re.compile(r"neighbours[^&]*150"))
    typed.fill("nonsense")
    typed.press("Enter")
    expect(typed).to_have_value("150")


def test_custom_axes_wait_for_their_texts(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    method = section(page, "Method")
    method.get_by_role("button", name="UMAP").click()
    expect(method.get_by_role("button", name="Restart")).to_be_visible()
    method.get_by_role("button", name="Custom").click()
    expect(method.get_by_text("Type a text at both ends of an axis.")).to_be_visible()
    expect(method.get_by_role("button", name="Restart")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    # Nothing is projected yet after a link, either.
    page.reload()
    expect(page.get_by_text("Type a text at both ends of an axis", exact=True)).to_be_visible()
    # One axis is enough: the other one has the largest variance of the rest.
    method.get_by_role("textbox", name="x from").fill("class0")
    expect(page).to_have_url(re.compile("class0"))
    expect(page.get_by_text("Type a text at both ends of an axis", exact=True)).to_be_visible()
    method.get_by_role("textbox", name="x to").fill("class1")
    expect(page.get_by_text("class0 → class1")).to_be_visible()
    expect(page.get_by_text("largest variance of the rest")).to_be_visible()


def test_custom_axes_say_how_many_rows_match(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address, may_complain=True)
    method = section(page, "Method")
    method.get_by_role("button", name="Custom").click()
    texts = {"x from": "class0", "x to": "class1", "y from": "class2", "y to": "nobody"}
    for label, text in texts.items():
        method.get_by_role("textbox", name=label).fill(text)
        expect(page).to_have_url(re.compile(text))
    expect(method.get_by_text("no row", exact=True)).to_be_visible()
    # The numbers of the last picture are not those of the one that cannot be made.
    expect(page.get_by_test_id("scatter").get_by_role("alert")).to_be_visible()
    expect(method.get_by_text("Trustworthiness")).to_have_count(0)
    expect(page.get_by_role("application", name=re.compile("^0 points"))).to_be_visible()
    expect(method.get_by_text(re.compile(r"^\d+ rows$"))).to_have_count(3)
    method.get_by_role("textbox", name="y to").fill("class[34]")
    method.get_by_role("button", name="y to: regular expression").click()
    expect(method.get_by_text(re.compile(r"^\d+ rows$"))).to_have_count(4)
    expect(method.get_by_role("alert")).to_have_count(0)


def test_rows_are_filtered_and_left_out_ones_listed(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address, may_complain=True)
    # The row that is left out makes no random sample of the others.
    expect(section(page, "Neighbourhoods kept")).to_contain_text("of the 10 nearest neighbours")
    expect(page.get_by_text("random rows")).to_have_count(0)
    filter = section(page, "Filter")
    field = filter.get_by_role("combobox", name="Filter points")
    field.fill('label == "row3" or label == "row4"')
    expect(filter).to_contain_text("2 match")
    section(page, "Method").get_by_role("checkbox", name="Only the filtered points").check()
    expect(page).to_have_url(re.compile("projector.scope=1"))
    field.fill("nobody > 3")
    expect(filter.get_by_role("alert")).to_contain_text("no column 'nobody'")
    field.fill("")
    data = section(page, "Data")
    expect(data).to_contain_text("1 row with NaN or infinite numbers is left out")
    data.get_by_role("button", name="Show them").click()
    expect(page.get_by_role("dialog", name="Rows that are left out")).to_contain_text("row7")


def test_a_filter_that_fails_or_is_of_another_embedding_hides_no_point(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address, may_complain=True)
    filter = section(page, "Filter")
    toolbar = page.get_by_role("toolbar").filter(has_text="points").first
    field = filter.get_by_role("combobox", name="Filter points")
    field.fill('label == "row3"')
    expect(filter).to_contain_text("1 match")
    expect(toolbar).to_contain_text("1 of 300 points")
    field.fill("nobody > 3")
    expect(filter.get_by_role("alert")).to_contain_text("no column 'nobody'")
    expect(toolbar).not_to_contain_text("1 of 300 points")
    expect(filter).not_to_contain_text("match")
    field.fill('label == "row3"')
    expect(toolbar).to_contain_text("1 of 300 points")
    pick(section(page, "Data"), "Embedding", "vit · words.npy")
    expect(filter.get_by_role("alert")).to_contain_text("no column 'label'")
    expect(toolbar).not_to_contain_text("1 of 300 points")


def test_columns_colour_label_and_cluster_points(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address)
    appearance = section(page, "Appearance")
    expect(appearance).to_contain_text("class, 5 values")
    pick(appearance, "Colour by", "conf, numbers")
    expect(page).to_have_url(re.compile("projector.colour=conf"))
    pick(appearance, "Size by", "conf")
    pick(appearance, "Clusters", "k-means")
    expect(page).to_have_url(re.compile("projector.clusters=kmeans"))
    count = appearance.get_by_role("textbox", name="How many, typed")
    count.fill("5")
    count.press("Enter")
    expect(page).to_have_url(re.compile("projector.cluster_count=5"))
    # The list of clusters does not explain the colours of another column.
    legend = page.get_by_role("figure", name="Colours of class")
    expect(legend).to_have_count(0)
    pick(appearance, "Colour by", "class, 5 values")
    expect(legend.get_by_role("listitem")).to_have_text([f"class{code}" for code in range(5)])
    pick(appearance, "Clusters", "off")
    expect(page.get_by_role("region", name="Clusters")).to_have_count(0)


def test_the_controls_are_a_drawer_on_a_narrow_page(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#projector", width=900)
    expect(section(page, "Data")).to_be_hidden()
    data = section(page, "Data")
    for close in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_test_id("scatter").click(position={"x": 600, "y": 30}),
        lambda: page.get_by_role("button", name="Close the controls").click(),
    ):
        page.get_by_role("button", name="Controls", exact=True).click()
        expect(data).to_be_visible()
        close()
        expect(data).to_be_hidden()
