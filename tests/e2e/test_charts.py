"""What a chart shows: smoothing, pictures of every size, groups, axes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from seamark import SummaryWriter
from tests.e2e.conftest import OpenPage
from tests.e2e.links import link_of
from tests.e2e.scalar_cards import card, overlay, tip_cells, tool, write_run


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
        overlay(page, "train/loss").focus()
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


def log_eight_noisy_runs(logdir: Path) -> None:
    noise = np.random.default_rng(5)
    for run in range(8):
        write_run(logdir / f"run{run}", {"loss": run + np.exp(-np.arange(2000) / 400) + noise.normal(0, 0.2, 2000)})


def test_smoothing_adapts_to_the_visible_range(address: str, open_page: OpenPage, logdir: Path) -> None:
    log_eight_noisy_runs(logdir)
    page = open_page(address + "#scalars")
    expect(card(page, "loss")).to_contain_text("8 runs · 16,000 points")
    smoothing = page.get_by_role("group", name="Smoothing")
    expect(smoothing.get_by_role("slider")).to_have_value("2")

    def expect_weight(width: float) -> None:
        """A half-life of 2 % of the width, in points of one step each."""
        page.mouse.move(5, 5)
        smoothing.hover()
        half = "Moving average with a half-life of 2 % of the visible range"
        weight = re.escape(f"{0.5 ** (1 / (0.02 * width)):.4f}"[:-1])
        expect(smoothing).to_have_attribute("title", re.compile(rf"^{half}: weight {weight}\d+ from"))

    expect_weight(1999)
    zoomed = open_page(address + "#scalars&scalars.zoom=[100,300]&linkedZoom=true")
    page = zoomed
    smoothing = page.get_by_role("group", name="Smoothing")
    expect(card(page, "loss")).to_contain_text("1,608 of 16,000 points")
    expect_weight(200)
    # TensorBoard's weight is one click away, and a link says so.
    page.get_by_role("button", name="Adapt smoothing").click()
    expect(page.get_by_label("Smoothing, 0 to 0.999")).to_have_value("0.60")
    page.wait_for_url(re.compile("smoothing=0.6"))
    smoothing.get_by_role("button").click()
    page.get_by_label("Smoothing, 0 to 50 %").fill("5")
    page.get_by_label("Smoothing, 0 to 50 %").press("Enter")
    expect(open_page(link_of(page)).get_by_label("Smoothing, 0 to 50 %")).to_have_value("5 %")


def test_eight_lines_are_named_and_only_the_one_at_hand_has_a_band(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    log_eight_noisy_runs(logdir)
    page = open_page(address + "#scalars")
    loss = card(page, "loss")
    expect(loss.locator("text.end")).to_have_count(8)
    expect(loss).not_to_contain_text("min–max")
    page.get_by_label("Filter runs").fill("run[0-2]")
    expect(loss).to_contain_text("3 runs · 6,000 points · min–max")
    page.get_by_label("Filter runs").fill("")
    tool(page, "loss", "Full screen").click()
    expect(page.get_by_role("list", name="Legend").get_by_role("listitem")).to_have_count(8)
    focused = open_page(address + "#scalars&focus=run3")
    expect(card(focused, "loss")).to_contain_text("8 runs · 16,000 points · min–max")


def test_short_series_are_in_view_as_they_were_logged(address: str, open_page: OpenPage, logdir: Path) -> None:
    # The first samples of the README: a long run, and one of three points that a fit to the long one would leave out.
    write_run(logdir / "long", {"loss": 0.1 + 0.001 * np.arange(100)})
    write_run(logdir / "short", {"loss": [1.0, 0.5, 0.33]})
    for run, end in (("a", 0.867), ("b", 0.801)):
        write_run(logdir / run, {"accuracy": [0.35, 0.5, 0.62, 0.71, 0.79, end]})
    page = open_page(address + "#scalars")
    top = card(page, "loss").locator("text.y").last
    expect(top).to_have_text("1")
    overlay(page, "accuracy").focus()
    page.keyboard.press("End")
    cells = page.get_by_role("tooltip").get_by_role("row", name="a 0.8670").get_by_role("cell")
    expect(cells).to_have_text(["a", "0.8670", "0.8670", "5", "5 s"])
    expect(page.locator(".point")).to_be_visible()
    expect(page.get_by_text("above")).to_have_count(0)


def test_what_is_cut_off_is_counted_at_the_edge_and_a_click_shows_it(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    for run in range(3):
        write_run(logdir / f"good{run}", {"loss": run + np.sin(np.arange(300) / 20)})
    write_run(logdir / "diverges", {"loss": np.logspace(0, 9, 120)})
    page = open_page(address + "#scalars&smoothing=0")
    loss = card(page, "loss")
    above = loss.get_by_role("button", name="1 run above")
    expect(above).to_be_visible()
    above.click()
    expect(above).to_have_count(0)
    expect(loss.locator("text.y").last).to_have_text("1e9")
    loss.hover()
    loss.get_by_role("button", name="Show all").click()
    expect(above).to_be_visible()
    loss.hover()
    loss.get_by_role("button", name="Log y").click()
    expect(loss.get_by_text("1 run at 0 or below")).to_have_attribute("title", re.compile("log axis"))


def test_values_that_are_no_numbers_are_marked(address: str, open_page: OpenPage, logdir: Path) -> None:
    values = np.linspace(1, 2, 51)
    values[[20, 30]] = [np.nan, np.inf]
    write_run(logdir / "a", {"train/loss": values})
    page = open_page(address + "#scalars&smoothing=0")
    expect(card(page, "train/loss")).to_contain_text("51 points")
    overlay(page, "train/loss").focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("tooltip")).to_contain_text("NaN")


def test_runs_become_groups_with_a_band(address: str, open_page: OpenPage, logdir: Path) -> None:
    for group, level in (("small", 1.0), ("large", 3.0)):
        for seed in range(3):
            write_run(logdir / group / f"seed{seed}", {"train/loss": np.full(21, level + seed)})
            with SummaryWriter(logdir / group / f"seed{seed}") as writer:
                writer.add_hparams({"level": level, "seed": seed}, {"score": level})
    page = open_page(address + "#scalars&smoothing=0&groupBy=folder")
    loss = card(page, "train/loss")
    expect(loss).to_contain_text("2 groups · mean ± 1σ · 126 points")
    overlay(page, "train/loss").hover()
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"large \(3\)\s*4\.0000"))
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"small \(3\)\s*2\.0000"))
    page.get_by_role("button", name="Axes & groups").click()
    page.get_by_role("button", name="by columns").click()
    panel = page.get_by_role("dialog", name="Axes & groups")
    expect(panel.get_by_placeholder("Find a column")).to_be_visible()
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    panel.get_by_role("button", name="All but the seed").click()
    expect(loss).to_contain_text("2 groups")
    expect(panel.get_by_role("button", name="All but the seed")).to_have_count(0)
    page.get_by_role("button", name="by regex").click()
    page.get_by_label("Group runs by regular expression").fill(r"seed\d")
    page.get_by_label("Band").select_option("range")
    expect(loss).to_contain_text("3 groups · mean, min–max")
    page.get_by_label("Group runs by regular expression").fill("(")
    expect(page.get_by_role("alert")).to_contain_text("Not a regular expression")


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
