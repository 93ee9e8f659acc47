"""PR curves in a real browser: counts, areas and the best F1, against a computation from the labels themselves."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, expect

from seamark.format.messages import PrCurvePluginData
from seamark.kinds import pr_curve
from seamark.kinds.summary import event_record, tensor_value
from seamark.kinds.tensor import from_array
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tests.e2e.links import link_of

BEGAN = 1_700_000_000.0
SIZE = 400
STEPS = (0, 10, 20, 30)


# torch allows 127 at most.
THRESHOLDS = {"ours": 201, "torch": 127}


def example(step: int, seed: int, thresholds: int = 201) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Labels, and scores that get better with the steps. Each score lies half way between two thresholds."""
    random = np.random.default_rng(seed * 1000 + step)
    labels = random.random(SIZE) < 0.4
    raw = labels * 0.3 * step / 30 + random.normal(0.35, 0.15, SIZE)
    return labels, (np.floor(np.clip(raw, 0, 0.99) * (thresholds - 1)) + 0.5) / (thresholds - 1)


def write_ours(folder: Path, seed: int) -> None:
    with EventFile(folder, wall_time=BEGAN) as file:
        for step in STEPS:
            file.append(event_record(pr_curve.encode("eval/pr", *example(step, seed)), step=step, wall_time=BEGAN))


def write_torch(folder: Path, seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.utils.tensorboard import SummaryWriter

        with SummaryWriter(str(folder)) as writer:
            for step in STEPS:
                labels, scores = example(step, seed, THRESHOLDS["torch"])
                writer.add_pr_curve("eval/pr", labels, scores, step)


def counted(labels: NDArray[np.bool_], scores: NDArray[np.float64], threshold: float) -> tuple[int, int, int, int]:
    """TP, FP, TN, FN, one by one."""
    called = scores >= threshold
    return (
        int((called & labels).sum()), int((called & ~labels).sum()), int((~called & ~labels).sum()),
        int((~called & labels).sum()),
    )  # fmt: skip


def averaged(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Average precision from the ranking: the mean over all positives of the precision at their score."""
    return float(np.mean([(labels & (scores >= s)).sum() / (scores >= s).sum() for s in scores[labels]]))


def best_f1(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    return max(2 * tp / (2 * tp + fp + fn) for tp, fp, _, fn in (counted(labels, scores, s) for s in scores))


def card(page: Page) -> Locator:
    return page.get_by_role("article", name="eval/pr", exact=True)


def row(page: Page, table: str, run: str) -> Locator:
    found = card(page).get_by_role("table", name=table).locator("tbody tr")
    return found.filter(has=page.locator(f'td[title="{run}"]')).locator("td")


def summary(page: Page, run: str) -> Locator:
    """Run, step, AP, AUC, best F1."""
    return row(page, "Curves of eval/pr", run)


def at_threshold(page: Page, run: str) -> Locator:
    """Run, TP, FP, TN, FN, precision, recall, F1."""
    return row(page, "At the threshold", run)


def test_areas_counts_and_best_f1_are_those_of_the_labels(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "ours", 1)
    write_torch(logdir / "torch", 2)
    page = open_page(address + "#pr_curves")
    expect(card(page)).to_contain_text("2 runs")
    expect(card(page).locator(".area [data-drawn]")).not_to_have_attribute("data-drawn", "0")
    for run, seed in (("ours", 1), ("torch", 2)):
        labels, scores = example(30, seed, THRESHOLDS[run])
        expect(summary(page, run).nth(1)).to_contain_text("30")
        for place in (2, 4):
            expect(summary(page, run).nth(place)).to_have_text(re.compile(r"^[01]\.\d"))
        assert float(summary(page, run).nth(2).inner_text()) == pytest.approx(averaged(labels, scores), abs=1e-4)
        assert float(summary(page, run).nth(4).inner_text().split(" at ")[0]) == pytest.approx(
            best_f1(labels, scores), abs=1e-4
        )
        for threshold in ("0.5", "0.3"):
            page.get_by_label("Threshold", exact=True).fill(threshold)
            parts = THRESHOLDS[run] - 1
            tp, fp, tn, fn = counted(labels, scores, round(float(threshold) * parts) / parts)
            want = [str(tp), str(fp), str(tn), str(fn), f"{tp / (tp + fp):.4f}", f"{tp / (tp + fn):.4f}"]
            expect(at_threshold(page, run)).to_have_text([run, *want, f"{2 * tp / (2 * tp + fp + fn):.4f}"])


def test_a_slider_moves_all_runs_or_one(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "a", 1)
    write_ours(logdir / "b", 2)
    page = open_page(address + "#pr_curves")
    expect(summary(page, "a").nth(2)).to_have_text(re.compile(r"0\.\d+"))
    page.get_by_role("slider", name="Step of a").fill("1")
    for run, seed in (("a", 1), ("b", 2)):
        expect(summary(page, run).nth(1)).to_have_text("10")
        expect(summary(page, run).nth(2)).to_have_text(f"{averaged(*example(10, seed)):.4f}")
    page.get_by_role("button", name="Link steps").click()
    page.get_by_role("slider", name="Step of b").fill("0")
    expect(summary(page, "b").nth(1)).to_have_text("0")
    expect(summary(page, "b").nth(2)).to_have_text(f"{averaged(*example(0, 2)):.4f}")
    expect(summary(page, "a").nth(2)).to_have_text(f"{averaged(*example(30, 1)):.4f}")
    page.wait_for_function("() => decodeURIComponent(location.href).includes('\"b\":0')")
    copy = open_page(link_of(page))
    expect(summary(copy, "b").nth(2)).to_have_text(f"{averaged(*example(0, 2)):.4f}")
    page.get_by_role("button", name="Newest steps").click()
    expect(summary(page, "b").nth(1)).to_have_text("30")


def test_the_pointer_reads_the_threshold_of_the_nearest_point(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "a", 1)
    page = open_page(address + "#pr_curves&pr_curves.threshold=0.9")
    expect(at_threshold(page, "a").nth(1)).to_have_text(re.compile(r"\d+"))
    labels, scores = example(30, 1)
    card(page).locator(".area .pointer-overlay").hover()
    threshold = card(page).locator("output").first
    expect(threshold).not_to_have_text("0.9000")
    at = float(threshold.inner_text())
    tp, _, tn, _ = counted(labels, scores, at)
    expect(at_threshold(page, "a").nth(1)).to_have_text(str(tp))
    expect(at_threshold(page, "a").nth(3)).to_have_text(str(tn))
    # A click keeps it.
    card(page).locator(".area .pointer-overlay").click()
    page.mouse.move(0, 0)
    expect(page.get_by_label("Threshold", exact=True)).to_have_value(str(at))
    # The keyboard goes on from there.
    card(page).locator(".area .pointer-overlay").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Threshold", exact=True)).to_have_value(f"{at + 0.005:g}")
    page.keyboard.press("ArrowRight")
    expect(at_threshold(page, "a").nth(1)).to_have_text(str(counted(labels, scores, at + 0.01 - 1e-9)[0]))


def test_average_precision_is_a_curve_over_the_steps(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "a", 1)
    page = open_page(address + "#pr_curves")
    expect(card(page)).to_contain_text("Average precision over steps")
    card(page).locator(".averages .pointer-overlay").focus()
    page.keyboard.press("Home")
    for step in STEPS:
        cells = page.get_by_role("tooltip").locator("tbody td")
        expect(cells.nth(1)).to_have_text(f"{averaged(*example(step, 1)):.4f}")
        expect(cells.nth(2)).to_have_text(str(step))
        page.keyboard.press("ArrowRight")


def test_the_card_is_high_enough_for_the_numbers_of_its_runs(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(8):
        write_ours(logdir / f"run{number}", number)
    page = open_page(address + "#pr_curves", width=1440, height=900)
    expect(card(page).get_by_role("row")).to_have_count(2 * 9)
    assert card(page).locator(".rows").evaluate("rows => rows.scrollHeight <= rows.clientHeight")


def test_a_curve_with_too_few_rows_says_so_beside_the_others(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "good", 1)
    with EventFile(logdir / "short", wall_time=BEGAN) as file:
        content = PrCurvePluginData(num_thresholds=201).SerializeToString()
        value = tensor_value(
            "eval/pr", from_array(np.zeros((5, 201), np.float32)), plugin_name="pr_curves", content=content
        )
        file.append(event_record(value, step=0, wall_time=BEGAN))
    page = open_page(address + "#pr_curves")
    expect(summary(page, "short").nth(2)).to_have_text(
        "pr curve has the wrong shape: got [5, 201], want [6, thresholds]"
    )
    expect(summary(page, "good").nth(2)).to_have_text(f"{averaged(*example(30, 1)):.4f}")


def test_without_curves_the_page_says_how_to_log_them(address: str, open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "scalars") as file:
        file.add_scalar("loss", 1.0, 0)
    page = open_page(address + "#pr_curves")
    expect(page.get_by_text("add_pr_curve")).to_be_visible()
    write_ours(logdir / "new", 1)
    expect(card(page)).to_be_visible(timeout=20_000)
