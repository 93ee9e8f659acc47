"""Histograms in a real browser: the numbers on the screen are those in the files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.format.messages import HistogramProto
from seamark.kinds.histogram import bucketize
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tests.e2e.histogram_cards import card, is_drawn
from tests.e2e.histogram_logs import normal, write_legacy, write_like_torch, write_ours
from tests.e2e.links import link_of

NAN = float("nan")


def cells(page: Page, row: int = 0) -> Locator:
    """Run, bin, count, share, step, relative time."""
    return page.get_by_role("tooltip").locator("tbody tr").nth(row).locator("td")


def point_at(page: Page, card: Locator, x: float, y: float) -> None:
    """By shares of the card's plot."""
    box = card.locator(".pointer-overlay").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * x, box["y"] + box["height"] * y)


def drag(page: Page, card: Locator, start: tuple[float, float], stop: tuple[float, float]) -> None:
    point_at(page, card, *start)
    page.mouse.down()
    point_at(page, card, *stop)
    page.mouse.up()


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def edges_of(text: str) -> tuple[float, float]:
    left, right = text.split(" … ")
    return number(left), number(right)


def test_a_bin_under_the_pointer_is_one_that_was_logged(address: str, open_page: OpenPage, logdir: Path) -> None:
    series = [normal(step) for step in range(10)]
    write_ours(logdir / "ours", "layer/weights", series)
    page = open_page(address + "#histograms&clipOutliers=false")
    weights = card(page, "layer/weights", "ours")
    expect(weights).to_contain_text("10 steps")
    is_drawn(weights)
    for x, y in ((0.4, 0.5), (0.55, 0.7), (0.6, 0.9)):
        # The next tooltip is that of the next place.
        page.mouse.move(0, 0)
        expect(page.get_by_role("tooltip")).to_have_count(0)
        point_at(page, weights, x, y)
        expect(cells(page)).to_have_count(6)
        step = int(number(cells(page).nth(4).inner_text()))
        left, right = edges_of(cells(page).nth(1).inner_text())
        buckets = bucketize(series[step])
        found = buckets[np.isclose(buckets[:, 0], left, atol=1e-5) & np.isclose(buckets[:, 1], right, atol=1e-5)]
        assert len(found) == 1
        assert number(cells(page).nth(2).inner_text()) == found[0, 2]
        assert cells(page).nth(3).inner_text() == f"{found[0, 2] / 500:.2%}"


def test_the_keyboard_walks_along_the_steps(address: str, open_page: OpenPage, logdir: Path) -> None:
    series = [normal(step) for step in range(5)]
    write_ours(logdir / "ours", "weights", series)
    page = open_page(address + "#histograms")
    is_drawn(card(page, "weights", "ours"))
    card(page, "weights", "ours").locator(".pointer-overlay").focus()
    for step in range(5):
        page.keyboard.press("ArrowRight")
        buckets = bucketize(series[step])
        fullest = buckets[buckets[:, 2].argmax()]
        expect(cells(page).nth(2)).to_have_text(f"{fullest[2]:g}")
        expect(cells(page).nth(4)).to_have_text(str(step))
        expect(cells(page).nth(5)).to_have_text(f"{step} m" if step else "0 s")


@pytest.mark.parametrize("library", ["torch", "tensorboardX"])
def test_what_other_writers_count_is_read_as_they_counted(
    address: str, open_page: OpenPage, logdir: Path, library: str
) -> None:
    """All 300 values lie in one bucket: [2, 2.x) of theirs, narrowed to the smallest and the largest value."""
    values = np.linspace(2.0, 2.1, 300)
    write_like_torch(logdir / "run", "narrow", [values] * 3, library=library)
    page = open_page(address + "#histograms")
    narrow = card(page, "narrow", "run")
    is_drawn(narrow)
    narrow.locator(".pointer-overlay").focus()
    page.keyboard.press("End")
    expect(cells(page)).to_have_text(["run", "2 … 2.1", "300", "100.00%", "2", "2 m"])


def test_protos_of_tensorflow_1(address: str, open_page: OpenPage, logdir: Path) -> None:
    proto = HistogramProto(min=-1, max=4, num=9, sum=5, sum_squares=9, bucket_limit=[0, 2, 1e308], bucket=[2, 4, 3])
    write_legacy(logdir / "old", "old/weights", [proto, proto])
    page = open_page(address + "#histograms")
    old = card(page, "old/weights", "old")
    is_drawn(old)
    point_at(page, old, 0.5, 0.9)
    expect(cells(page).nth(1)).to_have_text("0 … 2")
    expect(cells(page).nth(2)).to_have_text("4")


def test_a_step_with_nan_says_so_and_the_others_are_drawn(address: str, open_page: OpenPage, logdir: Path) -> None:
    series = [normal(step) for step in range(6)]
    series[3][:7] = NAN
    series[4][0] = np.inf
    write_like_torch(logdir / "run", "grads", series, library="torch")
    write_ours(logdir / "run", "healthy", [normal(1)] * 3)
    page = open_page(address + "#histograms")
    grads = card(page, "grads", "run")
    is_drawn(grads)
    expect(grads.get_by_role("note")).to_contain_text("Step 3: histogram has NaN")
    expect(grads.get_by_role("note")).to_contain_text("7 of its values were NaN or infinite")
    expect(grads).to_contain_text("6 steps · 1 NaN or ∞")
    expect(grads.locator("path.broken")).to_have_count(1)
    grads.locator(".pointer-overlay").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tooltip")).to_contain_text("step 4: 1 values are NaN or ∞ and in no bin")
    expect(grads).to_contain_text("NaN or infinite values in 2 of 6 histograms, first at step 3")
    is_drawn(card(page, "healthy", "run"))


def test_ten_thousand_steps_are_thinned_and_all_of_them_can_be_reached(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_ours(logdir / "long", "weights", [normal(step, size=20) for step in range(10_000)])
    page = open_page(address + "#histograms&columns=1")
    weights = card(page, "weights", "long")
    expect(weights).to_contain_text(re.compile(r"10,000 steps, \d\d drawn: zoom in for more"))
    is_drawn(weights)
    for _ in range(8):
        before = weights.locator(".note").inner_text()
        if "drawn" not in before:
            break
        address_before = page.url
        drag(page, weights, (0.5, 0.6), (0.5, 0.7))
        expect(weights.locator(".note")).not_to_have_text(before)
        page.wait_for_function("before => location.href !== before", arg=address_before)
    expect(weights.locator(".note")).to_have_text(re.compile(r"^\d+ of 10,000 steps$"))
    # The next tooltip is that of the key.
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    weights.locator(".pointer-overlay").focus()
    page.keyboard.press("Home")
    first = int(number(cells(page).nth(4).inner_text()))
    page.keyboard.press("ArrowRight")
    expect(cells(page).nth(4)).to_have_text(f"{first + 1:,}")
    # The zoom is in the address: the same picture opens from a copied link.
    copy = open_page(link_of(page))
    expect(card(copy, "weights", "long").locator(".note")).to_have_text(weights.locator(".note").inner_text())
    weights.locator(".pointer-overlay").dblclick()
    expect(weights).to_contain_text("10,000 steps")


def test_runs_stand_apart_on_one_axis_or_together_in_one_card(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "a", "weights", [normal(step) for step in range(4)])
    write_ours(logdir / "b", "weights", [normal(step, centre=50) for step in range(4)])
    page = open_page(address + "#histograms&clipOutliers=false")
    a, b = card(page, "weights", "a"), card(page, "weights", "b")
    is_drawn(a)
    is_drawn(b)
    for one in (a, b):
        expect(one.locator("svg text:not(.y)")).to_have_text(["0", "10", "20", "30", "40", "50"])
    page.keyboard.press("o")
    together = card(page, "weights")
    expect(together).to_contain_text("2 runs · 8 steps")
    is_drawn(together)
    together.locator(".pointer-overlay").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("tooltip").locator("tbody tr")).to_have_count(2)
    expect(cells(page, 0).first).to_have_text("a")
    expect(cells(page, 1).first).to_have_text("b")
    assert edges_of(cells(page, 1).nth(1).inner_text())[0] > 40
    # Hiding a run leaves the other.
    page.get_by_role("checkbox", name=re.compile("b$")).first.click()
    expect(card(page, "weights", "a")).to_contain_text("4 steps")


def test_kinds_of_pictures_axes_and_log_counts_are_in_the_address(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_ours(logdir / "a", "weights", [normal(step) for step in range(30)])
    page = open_page(address + "#histograms")
    weights = card(page, "weights", "a")
    is_drawn(weights)
    page.get_by_role("button", name="Overlay").click()
    # The y axis counts now.
    expect(weights.locator("svg text.y").last).to_have_text(re.compile(r"^\d+$"))
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Log counts")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Heat map").click()
    expect(page.get_by_role("button", name="Together")).to_be_disabled()
    page.get_by_role("button", name="Relative").click()
    expect(weights.locator("svg text:not(.y)").last).to_have_text(re.compile("m$"))
    point_at(page, weights, 0.55, 0.45)
    expect(cells(page).nth(2)).to_have_text(re.compile(r"^\d+$"))
    page.wait_for_function("() => /relative/i.test(location.hash)")
    again = open_page(link_of(page))
    expect(again.get_by_role("button", name="Heat map")).to_have_attribute("aria-pressed", "true")
    expect(again.get_by_role("button", name="Relative")).to_have_attribute("aria-pressed", "true")
    is_drawn(card(again, "weights", "a"))
    assert ink(card(again, "weights", "a")) > 1000


def ink(card: Locator) -> int:
    """Painted pixels of its canvas."""
    return int(
        card.locator("canvas").evaluate(
            "canvas => { const d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;"
            " let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n += 1; return n; }"
        )
    )


def test_a_hint_names_its_rule_and_opens_it(address: str, open_page: OpenPage, logdir: Path) -> None:
    collapsing = [normal(step, scale=1.0 if step < 10 else 1e-7) for step in range(20)]
    write_ours(logdir / "run", "collapsing", collapsing)
    write_ours(logdir / "run2", "fine", [normal(step) for step in range(20)])
    page = open_page(address + "#histograms")
    badge = card(page, "collapsing", "run").get_by_role("button", name=re.compile("collapsed to zero at step 10"))
    is_drawn(card(page, "fine", "run2"))
    expect(card(page, "fine", "run2").locator(".badge")).to_have_count(0)
    badge.click()
    drawer = page.get_by_role("complementary", name="Health hints")
    chosen = drawer.locator("section[aria-current=true]")
    expect(chosen.get_by_role("heading")).to_have_text("Collapsed to zero")
    expect(chosen).to_contain_text("one ten-thousandth")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_new_steps_appear_by_themselves(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "run", "weights", [normal(step) for step in range(3)])
    page = open_page(address + "#histograms")
    expect(card(page, "weights", "run")).to_contain_text("3 steps")
    write_ours(logdir / "run", "weights", [normal(9)], first_step=3)
    expect(card(page, "weights", "run")).to_contain_text("4 steps", timeout=20_000)


def test_names_are_text_and_without_histograms_the_page_says_how_to_log_them(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    with EventFile(logdir / "scalars") as file:
        file.add_scalar("loss", 1.0, 0)
    page = open_page(address + "#histograms")
    expect(page.get_by_text("add_histogram")).to_be_visible()
    expect(page.get_by_role("heading", name="No histograms yet")).to_be_visible()
    evil = "<img src=x onerror=alert(1)>/😀"
    write_ours(logdir / "run", evil, [normal(1)] * 2)
    write_ours(logdir / "run", "empty", [np.array([])] * 2)
    # A new folder is found when the log directory is walked again.
    expect(card(page, evil, "run")).to_be_visible(timeout=20_000)
    is_drawn(card(page, evil, "run"))
    expect(card(page, "empty", "run")).to_contain_text("Its histograms hold no values.")
    page.get_by_label("Filter tags by regular expression").fill("^nothing")
    expect(page.get_by_text("No matches")).to_be_visible()


def test_full_screen_shows_more_and_escape_leads_back(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "run", "weights", [normal(step, size=50) for step in range(150)])
    page = open_page(address + "#histograms")
    weights = card(page, "weights", "run")
    expect(weights).to_contain_text("drawn: zoom in for more")
    weights.hover()
    page.keyboard.press("e")
    expect(weights.locator(".note")).to_have_text("150 steps")
    page.keyboard.press("Escape")
    expect(weights).to_contain_text("drawn: zoom in for more")


def test_a_run_that_exploded_is_not_the_first_thing_on_the_page(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    for run in ("b", "c"):
        write_ours(logdir / run, "w", [normal(step) for step in range(5)])
    write_ours(logdir / "a", "w", [normal(step, scale=10.0 ** (20 * step)) for step in range(5)])
    page = open_page(address + "#histograms")
    expect(card(page, "w", "a")).to_contain_text("exploding")
    names = "cards => cards.map(card => [card.getBoundingClientRect().x, card.ariaLabel]).sort((a, b) => a[0] - b[0])"
    page.wait_for_function(f"() => ({names})([...document.querySelectorAll('article')])[2][1] === 'w, a'")
    assert [name for _, name in page.locator("article").evaluate_all(names)] == ["w, b", "w, c", "w, a"]
