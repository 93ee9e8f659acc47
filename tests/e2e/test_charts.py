"""What a chart shows: smoothing, zoom down to every logged point, axes, attempts, groups, selections."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import BEGAN, card, write_run

POINTS, SPIKE_AT, SPIKE = 1_000_000, 654_321, 42.0


def glass(page: Page, tag: str) -> Locator:
    return card(page, tag).locator(".glass")


def option(page: Page, label: str) -> None:
    page.get_by_role("button", name="Chart options").click()
    page.get_by_label(label, exact=True).click()
    page.keyboard.press("Escape")


def drag(page: Page, tag: str, from_share: float, to_share: float, *, keys: str = "") -> None:
    """Along x, by shares of the chart's box."""
    box = glass(page, tag).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    if keys:
        page.keyboard.down(keys)
    page.mouse.move(box["x"] + box["width"] * from_share, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * to_share, y + 2, steps=5)
    page.mouse.up()
    if keys:
        page.keyboard.up(keys)


def shown_range(page: Page, tag: str, before: str) -> tuple[float, float]:
    """The zoomed range of a card, as the address has it."""
    page.wait_for_function("before => location.href !== before", arg=before)
    cards = re.search(r"scalars\.cards=([^&]*)", page.url)
    assert cards is not None
    left, right = json.loads(unquote(cards[1]))[tag]["x"]
    return left, right


def tip_cells(page: Page) -> Locator:
    """The first row: run, smoothed if there is smoothing, value, step, time."""
    return page.get_by_role("tooltip").locator("tbody tr").first.locator("td")


def debiased_average(values: np.ndarray, weight: float) -> list[float]:
    """TensorBoard's smoothing: skips what is not finite, leaves a constant series alone."""
    out, last, count = [], 0.0, 0
    constant = len(set(values.tolist())) == 1
    for value in values.tolist():
        if constant or not np.isfinite(value):
            out.append(value)
            continue
        last = last * weight + (1 - weight) * value
        count += 1
        out.append(last / (1 - weight**count))
    return out


def test_smoothing_is_tensorboards(address: str, open_page: OpenPage, logdir: Path) -> None:
    values = np.random.default_rng(7).normal(5, 2, 101).astype(np.float32).astype(np.float64)
    write_run(logdir / "noisy", {"train/loss": values})
    page = open_page(address + "#scalars&smoothing=0.9")
    expect(card(page, "train/loss")).to_contain_text("101 points")
    for weight in (0.9, 0.6, 0.999):
        page.get_by_label("Smoothing, 0 to 0.999").fill(str(weight))
        page.get_by_label("Smoothing, 0 to 0.999").press("Enter")
        want = debiased_average(values, weight)
        glass(page, "train/loss").focus()
        page.keyboard.press("Home")
        at = 0
        for step in (0, 1, 7, 50, 100):
            for _ in range((step - at) // 10):
                page.keyboard.press("Shift+ArrowRight")
            for _ in range((step - at) % 10):
                page.keyboard.press("ArrowRight")
            at = step
            expect(tip_cells(page)).to_have_text(
                ["noisy", f"{want[step]:.4f}", f"{values[step]:.4f}", str(step), re.compile(" s$|m")]
            )


def test_zooming_reads_again_until_a_single_spike_is_reached(address: str, open_page: OpenPage, logdir: Path) -> None:
    values = np.sin(np.arange(POINTS) / 25_000)
    values[SPIKE_AT] = SPIKE
    write_run(logdir / "long", {"train/loss": values})
    page = open_page(address + "#scalars&smoothing=0&clipOutliers=false&columns=1")
    loss = card(page, "train/loss")
    expect(loss).to_contain_text("1 run · 1,000,000 points · min–max")
    left, right = 0.0, POINTS - 1.0
    for _ in range(6):
        if right - left < 300:
            break
        # The plot begins some 36 px from the left and ends 10 px from the right; the box is wider than the doubt.
        width = glass(page, "train/loss").bounding_box()["width"]  # type: ignore[index]
        share = (36 + (SPIKE_AT - left) / (right - left) * (width - 46)) / width
        before = page.url
        drag(page, "train/loss", max(share - 0.06, 0.05), min(share + 0.06, 0.98))
        left, right = shown_range(page, "train/loss", before)
        assert left < SPIKE_AT < right
    expect(loss.locator(".sub")).to_have_text(re.compile(r"^1 run · \d{2,3} of 1,000,000 points$"))
    # The next tooltip is that of the key.
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    glass(page, "train/loss").focus()
    page.keyboard.press("Home")
    first = int(tip_cells(page).nth(2).inner_text().replace(",", ""))
    for _ in range(SPIKE_AT - first):
        page.keyboard.press("ArrowRight")
    expect(tip_cells(page)).to_have_text(["long", f"{SPIKE:.4f}", f"{SPIKE_AT:,}", "7 d 13 h"])
    glass(page, "train/loss").dblclick()
    expect(loss).to_contain_text("1 run · 1,000,000 points · min–max")


def test_the_wheel_zooms_and_shift_drags(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": np.linspace(1, 0, 1001)})
    page = open_page(address + "#scalars&smoothing=0")
    expect(card(page, "train/loss")).to_contain_text("1,001 points")
    before = page.url
    glass(page, "train/loss").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    left, right = shown_range(page, "train/loss", before)
    assert 0 <= left < right <= 1000
    assert right - left < 900
    expect(card(page, "train/loss")).to_contain_text(re.compile(r"\d+ of 1,001 points"))
    before = page.url
    drag(page, "train/loss", 0.6, 0.5, keys="Shift")
    moved_left, moved_right = shown_range(page, "train/loss", before)
    assert moved_left > left
    assert moved_right - moved_left == pytest.approx(right - left)
    card(page, "train/loss").hover()
    card(page, "train/loss").get_by_role("button", name="Show all").click()
    expect(card(page, "train/loss")).to_contain_text("1 run · 1,001 points")


def test_a_linked_zoom_moves_every_card(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {tag: np.linspace(1, 0, 101) for tag in ("train/loss", "eval/loss")})
    page = open_page(address + "#scalars&linkedZoom=true")
    expect(card(page, "eval/loss")).to_contain_text("101 points")
    drag(page, "train/loss", 0.3, 0.6)
    for tag in ("train/loss", "eval/loss"):
        expect(card(page, tag)).to_contain_text(re.compile(r"1 run · \d\d of 101 points"))
    glass(page, "eval/loss").dblclick()
    expect(card(page, "train/loss")).to_contain_text("1 run · 101 points")


def test_the_crosshair_is_on_every_card_and_rows_are_ordered(address: str, open_page: OpenPage, logdir: Path) -> None:
    for run, value in (("b", 1.0), ("a", 3.0), ("c", 2.0)):
        write_run(logdir / run, {tag: np.full(11, value) for tag in ("train/loss", "eval/loss")})
    page = open_page(address + "#scalars&smoothing=0&tooltipSort=ascending")
    expect(card(page, "train/loss")).to_contain_text("33 points")
    glass(page, "train/loss").hover()
    expect(page.locator(".hair")).to_have_count(2)

    names = page.get_by_role("tooltip").locator("tbody td:first-child")
    expect(names).to_have_text(["b", "c", "a"])
    for sort, want in (("descending", "acb"), ("name", "abc")):
        page.mouse.move(0, 0)
        page.get_by_role("button", name="Chart options").click()
        page.get_by_label("Tooltip order").select_option(sort)
        page.keyboard.press("Escape")
        glass(page, "train/loss").hover()
        expect(names).to_have_text(list(want))


def test_the_table_of_values_stands_below_its_card_or_follows_the_pointer(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_run(logdir / "a", {"train/loss": np.linspace(1, 0, 101)})
    page = open_page(address + "#scalars")
    expect(card(page, "train/loss")).to_contain_text("101 points")
    glass(page, "train/loss").hover()
    tip, plot = page.get_by_role("tooltip").bounding_box(), card(page, "train/loss").bounding_box()
    assert tip is not None
    assert plot is not None
    assert tip["y"] >= plot["y"] + plot["height"]
    follows = open_page(address + "#scalars&tooltipFollows=true")
    glass(follows, "train/loss").hover()
    beside = follows.get_by_role("tooltip").bounding_box()
    assert beside is not None
    assert beside["y"] < plot["y"] + plot["height"]
    # Where the whole screen is the card, it stands in a corner.
    whole = open_page(address + "#scalars&scalars.card=train/loss")
    glass(whole, "train/loss").hover()
    expect(whole.get_by_role("tooltip")).to_be_in_viewport(ratio=1)


def test_the_table_of_many_runs_says_why_it_has_no_raw_values(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(61):
        write_run(logdir / f"run{number:02}", {"train/loss": [10.0, number, 0.0]})
    page = open_page(address + "#scalars&smoothing=0.5")
    tip = page.get_by_role("tooltip")
    heads = tip.locator("th")
    expect(card(page, "train/loss")).to_contain_text("61 runs · 183 points")
    glass(page, "train/loss").hover()
    expect(heads).to_have_text(["Run", "Smoothed", "Step", "Relative"])
    expect(tip).to_contain_text("Of more than 60 runs only smoothed values are read")
    page.get_by_role("checkbox", name=re.compile("run00")).first.click()
    expect(card(page, "train/loss")).to_contain_text("60 runs · 180 points")
    glass(page, "train/loss").hover()
    expect(heads).to_have_text(["Run", "Smoothed", "Value", "Step", "Relative"])
    expect(tip).not_to_contain_text("only smoothed")
    page.get_by_role("checkbox", name=re.compile("run00")).first.click()
    page.get_by_label("Smoothing, 0 to 0.999").fill("0")
    page.get_by_label("Smoothing, 0 to 0.999").press("Enter")
    glass(page, "train/loss").hover()
    expect(heads).to_have_text(["Run", "Value", "Step", "Relative"])


# A canvas that was given to a worker has no context here.
IS_IN_PAGE = """canvas => {
    try { return canvas.getContext("2d") !== null; } catch { return false; }
}"""
INK_BETWEEN = """([tag, least, most]) => {
    const canvas = document.querySelector(`article[aria-label="${tag}"] canvas`);
    if (!canvas?.width) return false;
    const pen = new OffscreenCanvas(64, 64).getContext("2d");
    pen.drawImage(canvas, 0, 0, 64, 64);
    const { data } = pen.getImageData(0, 0, 64, 64);
    const rows = new Set();
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) rows.add(Math.floor(at / 256));
    return least <= rows.size && rows.size <= most;
}"""


def test_a_picture_that_becomes_large_and_small_again_stays_whole(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    # Lines at twelve heights: one alone is drawn in the page, all of them in a worker, which wants another canvas.
    for run in range(12):
        write_run(logdir / f"run{run:02}", {"loss": np.full(900, float(run))})
    page = open_page(address + "?runFilter=run07#scalars")
    one, all_of_them = ["loss", 1, 5], ["loss", 12, 40]
    page.wait_for_function(INK_BETWEEN, arg=one)
    canvas = card(page, "loss").locator("canvas")
    assert canvas.evaluate(IS_IN_PAGE)
    for query, rows in (("", all_of_them), ("run03", one), ("", all_of_them)):
        page.get_by_label("Filter runs").fill(query)
        page.wait_for_function(INK_BETWEEN, arg=rows)
        assert not canvas.evaluate(IS_IN_PAGE)


# The strongest ink in a part of a picture, by shares of its width and height, from 0 to 255.
INK_IN = """([tag, left, right, top, bottom]) => {
    const canvas = document.querySelector(`article[aria-label="${tag}"] canvas`);
    if (!canvas?.width) return 0;
    const { width, height } = canvas;
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(left * width, top * height, (right - left) * width, (bottom - top) * height);
    let most = 0;
    for (let at = 3; at < data.length; at += 4) most = Math.max(most, data[at]);
    return most;
}"""


def test_what_a_restart_replaced_is_dimmed_and_marked_hidden_or_drawn_apart(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_run(logdir / "restarted", {"train/loss": np.full(100, 2.0)})
    resumed = {"steps": np.arange(60, 160), "began": BEGAN + 1000}
    write_run(logdir / "restarted", {"train/loss": np.full(100, 1.0)}, **resumed)
    page = open_page(address + "#scalars&smoothing=0")
    loss = card(page, "train/loss")
    mark = loss.get_by_role("img", name="Restarted at 60: what is dimmed was replaced")
    expect(loss).to_contain_text("1 run · 200 points, 40 replaced")
    expect(mark).to_be_visible()
    # The first attempt runs at the top, and is replaced between the shares 60/159 and 99/159 of the width.
    before, replaced = (["train/loss", *part] for part in ((0.1, 0.3, 0, 0.3), (0.45, 0.6, 0, 0.3)))
    page.wait_for_function(f"part => ({INK_IN})(part) > 100", arg=before)
    full = page.evaluate(INK_IN, before)
    assert 0.2 * full < page.evaluate(INK_IN, replaced) < 0.6 * full
    box = glass(page, "train/loss").bounding_box()
    assert box is not None
    glass(page, "train/loss").hover(position={"x": box["width"] * 0.55, "y": box["height"] / 2})
    rows = page.get_by_role("tooltip").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="attempt 1, replaced")).to_contain_text("2.0000")
    expect(rows.filter(has_text="attempt 2")).to_contain_text("1.0000")
    page.mouse.move(0, 0)

    def choose(words: str) -> None:
        page.get_by_role("button", name="Chart options").click()
        page.get_by_label("What a restart replaced").select_option(words)
        page.keyboard.press("Escape")

    choose("hidden")
    expect(loss).to_contain_text("1 run · 160 of 200 points")
    expect(mark).to_have_count(0)
    choose("attempts apart")
    expect(loss).to_contain_text("1 run · 200 points")
    expect(loss).not_to_contain_text("replaced")
    page.wait_for_function(f"([part, least]) => ({INK_IN})(part) > least", arg=[replaced, 0.9 * full])


def test_an_aborted_rerun_hides_nothing(address: str, open_page: OpenPage, logdir: Path) -> None:
    """A thousand steps, then a program that starts again at step 0 and is stopped after five."""
    write_run(logdir / "rerun", {"train/loss": np.full(1000, 2.0)})
    with seamark.SummaryWriter(str(logdir / "rerun"), purge_step=0) as writer:
        for step in range(5):
            writer.add_scalar("train/loss", 1.0, step)
    # Of a curve with several points to a pixel, the mark names the first pixel.
    marked = re.compile(r"Restarted at [0-3]: what is dimmed was replaced")
    # Without a recorded start nobody knows that it was a restart: all points count.
    write_run(logdir / "unsure", {"train/loss": np.full(1000, 2.0)})
    write_run(logdir / "unsure", {"train/loss": np.full(5, 1.0)}, began=BEGAN + 5000)
    for tab in ("timeseries", "scalars"):
        page = open_page(f"{address}#{tab}&smoothing=0&runFilter=rerun")
        loss = card(page, "train/loss")
        expect(loss).to_contain_text("1 run · 1,005 points, 1,000 replaced")
        expect(loss.get_by_role("img", name=marked)).to_be_visible()
        # The old curve runs at the top, dimmed, to its end; the new one has 5 of 1,000 steps.
        for share in (0.2, 0.5, 0.95):
            page.wait_for_function(
                f"part => {{ const ink = ({INK_IN})(part); return ink > 20 && ink < 160 }}",
                arg=["train/loss", share, share + 0.02, 0, 0.3],
            )
        box = glass(page, "train/loss").bounding_box()
        assert box is not None
        glass(page, "train/loss").hover(position={"x": box["width"] * 0.7, "y": box["height"] / 2})
        rows = page.get_by_role("tooltip").locator("tbody tr")
        expect(rows.filter(has_text="attempt 1, replaced")).to_contain_text("2.0000")
        page.mouse.move(0, 0)
        page.get_by_label("Filter runs").fill("unsure")
        expect(loss).to_contain_text("1 run · 1,005 points")
        expect(loss.get_by_role("img", name="Restarted")).to_have_count(0)
    compared = open_page(f"{address}compare?runs=rerun,unsure")
    expect(compared.get_by_role("img", name=marked)).to_be_visible()


def test_a_step_logged_late_hides_nothing(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": np.linspace(1, 2, 32)}, steps=[*range(30), 3, 30])
    page = open_page(address + "#scalars&smoothing=0")
    expect(card(page, "train/loss")).to_contain_text("1 run · 32 points")
    expect(card(page, "train/loss").get_by_role("img", name="Restarted")).to_have_count(0)


def test_values_that_are_no_numbers_are_marked(address: str, open_page: OpenPage, logdir: Path) -> None:
    values = np.linspace(1, 2, 51)
    values[[20, 30]] = [np.nan, np.inf]
    write_run(logdir / "a", {"train/loss": values})
    page = open_page(address + "#scalars&smoothing=0")
    expect(card(page, "train/loss")).to_contain_text("51 points")
    glass(page, "train/loss").focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("tooltip")).to_contain_text("NaN")


def test_runs_become_groups_with_a_band(address: str, open_page: OpenPage, logdir: Path) -> None:
    for group, level in (("small", 1.0), ("large", 3.0)):
        for seed in range(3):
            write_run(logdir / group / f"seed{seed}", {"train/loss": np.full(21, level + seed)})
    page = open_page(address + "#scalars&smoothing=0&groupBy=folder")
    loss = card(page, "train/loss")
    expect(loss).to_contain_text("2 groups · mean ± 1σ · 126 points")
    glass(page, "train/loss").hover()
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"large \(3\)\s*4\.0000"))
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"small \(3\)\s*2\.0000"))
    page.get_by_role("button", name="Chart options").click()
    page.get_by_role("button", name="by regex").click()
    page.get_by_label("Group runs by regular expression").fill(r"seed\d")
    page.get_by_label("Band").select_option("range")
    expect(loss).to_contain_text("3 groups · mean, min–max")
    page.get_by_label("Group runs by regular expression").fill("(")
    expect(page.get_by_role("alert")).to_contain_text("Not a regular expression")


def test_a_selection_is_summed_up_in_a_table(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "falling", {"train/loss": np.linspace(10, 0, 101)})
    write_run(logdir / "rising", {"train/loss": np.linspace(0, 10, 101)})
    page = open_page(address + "#scalars&smoothing=0&scalars.select=[20,40]&scalars.table=train/loss")
    table = page.get_by_role("complementary", name="Table of train/loss")
    expect(table).to_contain_text("20 – 40")
    rows = table.get_by_role("rowgroup").get_by_role("row")
    expect(rows).to_have_count(2)
    want = ["8.0000", "6.0000", "6.0000", "8.0000", "7.0000", "−2.0000 (−25.0 %)", "20", "40", "21"]
    falling = rows.filter(has_text="falling")
    cells = [falling.locator(f'[role=gridcell][aria-colindex="{column}"]') for column in range(3, 12)]
    assert [cell.inner_text() for cell in cells] == want
    table.get_by_role("button", name="Start").click()
    expect(rows.first).to_contain_text("rising")
    page.get_by_role("button", name="Select", exact=True).click()
    drag(page, "train/loss", 0.5, 0.9)
    expect(table).not_to_contain_text("20 – 40")
    page.get_by_role("button", name="Clear selection").click()
    expect(table).to_contain_text("all steps")


def test_limits_scales_other_tags_and_metrics(address: str, open_page: OpenPage, logdir: Path) -> None:
    losses = {"train/loss": np.logspace(0, -4, 101), "eval/loss": np.logspace(0, -3, 101)}
    write_run(logdir / "a", {**losses, "epoch": np.arange(101) / 10})
    page = open_page(address + "#scalars&smoothing=0")
    loss = card(page, "train/loss")
    expect(loss).to_contain_text("101 points")
    loss.hover()
    loss.get_by_role("button", name="Chart settings").click()
    page.get_by_role("group", name="Y scale").get_by_role("button", name="log", exact=True).click()
    expect(loss.locator("text.y").first).to_have_text(re.compile("e−|0.0"))
    page.get_by_label("X from").fill("50")
    page.get_by_label("X to").fill("40")
    page.get_by_label("X to").press("Enter")
    expect(loss.get_by_role("alert")).to_contain_text("below the upper")
    page.get_by_label("X to").fill("0.06k")
    page.get_by_label("X to").press("Enter")
    expect(loss).to_contain_text("11 of 101 points")
    page.get_by_label("X from").fill("")
    page.get_by_label("X to").fill("")
    page.get_by_label("X to").press("Enter")
    page.get_by_label("Add a tag").fill("eval/loss")
    expect(loss).to_contain_text("202 points")
    expect(loss.locator("h3")).to_contain_text("loss + eval/loss")
    page.get_by_label("Metric along x").fill("epoch")
    expect(loss.locator("h3")).to_contain_text("over epoch")
    page.keyboard.press("Escape")
    expect(loss.locator("text.x").last).to_have_text(re.compile("^(8|9|10)$"))


def test_labels_of_the_y_axis_have_room_in_a_wide_font(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"a": [123456.1, 123456.9], "b": [-0.000123, -0.000124], "c": [1e-9, 1.1e-9]})
    page = open_page(address)
    page.add_init_script("""new MutationObserver((_, observer) => {
        document.documentElement.style.setProperty("--font", "DejaVu Sans Mono, monospace"); observer.disconnect();
    }).observe(document, { childList: true, subtree: true });""")
    page.goto(address + "#scalars")
    page.reload()
    for tag in "abc":
        expect(card(page, tag).locator("text.y").first).to_be_visible()
        left = "element => element.getBoundingClientRect().left"
        edge = card(page, tag).locator(".chart").evaluate(left)
        assert all(
            card(page, tag).locator("text.y").evaluate_all(f"(all, edge) => all.map({left}).map(x => x >= edge)", edge)
        )
