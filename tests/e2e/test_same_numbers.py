"""One number for one point, wherever it is shown: tooltip, card, table, CSV, `seamark query`, the table of runs."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import random
import re
import urllib.request
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from seamark import SummaryWriter
from seamark.cli import main as seamark
from seamark.plugin.columns import decode_columns
from tests.e2e.conftest import OpenPage, wait_loaded
from tests.e2e.scalar_cards import BEGAN, card, overlay, write_run
from tools.in_process import served_in_process

Series = tuple[str, str]  # run and tag
Points = Mapping[int, list[float]]  # the values of each step, in the order they were logged
NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
POINTS = 1000
# Of tooltips on the page, which take a browser 30 ms each.
IS_LONG = bool(os.environ.get("SEAMARK_LONG_TESTS"))
POINTS_ON_PAGE = 1000 if IS_LONG else 250
PLACES_FACTOR = 5 if IS_LONG else 1
Logs = tuple[str, Path, dict[str, np.ndarray]]


def hostile_logs(logdir: Path) -> dict[str, np.ndarray]:
    """What numbers have been lost in: float32, NaN, ∞, several points per step, gaps, restarts, extremes, folders."""
    random_numbers = np.random.default_rng(7)
    noise = random_numbers.normal(0.9, 0.1, 900)
    hostile = noise.copy()
    hostile[[5, 300, 899]], hostile[[6, 301]], hostile[77] = np.nan, np.inf, -np.inf
    extremes = 10.0 ** random_numbers.uniform(-30, 30, 900) * random_numbers.choice([-1, 1], 900)
    curves = {"loss": noise, "hostile": hostile, "extremes": extremes, "tenth": np.full(900, 0.1)}
    write_run(logdir / "plain", curves)
    write_run(logdir / "repeated, steps", curves, steps=np.arange(900) // 3)
    write_run(logdir / "gaps", curves, steps=np.cumsum(random_numbers.integers(1, 2**33, 900)))
    write_run(logdir / "restarted", curves)
    write_run(
        logdir / "restarted",
        {tag: values[:300] + 1 for tag, values in curves.items()},
        steps=np.arange(400, 700),
        began=BEGAN + 5000,
    )
    write_run(logdir / "restarted", {"loss": noise[:20] + 3}, steps=np.arange(690, 710), began=BEGAN + 9000)
    with SummaryWriter(logdir / "torch") as writer:
        for step in range(60):
            writer.add_scalars("loss", {"train": noise[step], "eval": 2 * noise[step]}, step)
        writer.add_hparams({"lr": 0.1}, {"score": 0.7})
    return curves


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logs]:
    """Where they are served, where they are, and what was logged."""
    logdir = tmp_path_factory.mktemp("hostile")
    curves = hostile_logs(logdir)
    with served_in_process(logdir) as address:
        wait_loaded(address)
        yield address, logdir, curves


def fetch(address: str, body: Mapping[str, Any] | None = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"content-type": "application/json"})
    return bytes(urllib.request.urlopen(request, timeout=60).read())


def points_of(address: str) -> dict[Series, dict[int, list[float]]]:
    """The CSV of all points."""
    found: dict[Series, dict[int, list[float]]] = {}
    for row in csv.DictReader(io.StringIO(fetch(f"{address}api/export").decode())):
        found.setdefault((row["run"], row["tag"]), {}).setdefault(int(row["step"]), []).append(float(row["value"]))
    return found


def rows_of(address: str, body: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each row of /api/series with its run."""
    header, columns = decode_columns(fetch(f"{address}api/series", body))
    offsets = columns.pop("offsets")
    whole = {name: column for name, column in columns.items() if len(column) == offsets[-1]}
    for run, first, end in zip(header["runs"], offsets, offsets[1:], strict=False):
        for row in range(int(first), int(end)):
            yield run, {name: column[row] for name, column in whole.items()}


def same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def check_tooltips(address: str, points: Mapping[Series, Points]) -> int:
    """The rows of charts: of the whole range, and of a part of it."""
    compared = 0
    for tag in sorted({tag for _, tag in points}):
        steps = sorted({step for (_, of), steps in points.items() if of == tag for step in steps})
        for start, stop in ((steps[0], steps[-1]), (steps[len(steps) // 3], steps[len(steps) // 2])):
            body = {"tag": tag, "start": start, "stop": stop, "width": 300, "attempts": "marked"}
            for run, row in rows_of(address, body):
                if not row.get("replaced"):
                    step, value = int(row["step_last"]), float(row["last"])
                    assert same(value, points[run, tag][step][-1]), (run, tag, step)
                    compared += 1
    return compared


def check_tables(address: str, points: Mapping[Series, Points], steps_of: Mapping[str, Collection[int]]) -> int:
    """The table below a chart, with one step selected: first and last value."""
    compared = 0
    for tag, chosen in steps_of.items():
        for step in chosen:
            body = {"tag": tag, "start": step, "stop": step, "width": 1, "attempts": "latest"}
            found = {run: (float(row["first"]), float(row["last"])) for run, row in rows_of(address, body)}
            wanted = {run: steps[step] for (run, of), steps in points.items() if of == tag and step in steps}
            assert found.keys() == wanted.keys(), (tag, step)
            for run, values in wanted.items():
                assert same(found[run][0], values[0]) and same(found[run][1], values[-1]), (run, tag, step)
                compared += 1
    return compared


def some_steps(points: Mapping[Series, Points], count: int) -> dict[str, list[int]]:
    choose = random.Random(3)
    steps_of: dict[str, set[int]] = {}
    for (_, tag), steps in points.items():
        steps_of.setdefault(tag, set()).update(steps)
    return {tag: choose.sample(sorted(steps), min(count, len(steps))) for tag, steps in steps_of.items()}


def metrics_of(row_of: Mapping[str, str], points: Mapping[Series, Points]) -> dict[Series, Points]:
    """The metrics of the table of runs: a curve of add_scalars is one of its run, `loss/train`."""
    found = {}
    for (run, tag), steps in points.items():
        row = row_of.get(run, run)
        is_curve = run != row and run.startswith(f"{row}/{tag.replace('/', '_')}_")
        key = run.removeprefix(f"{row}/{tag.replace('/', '_')}_")
        found[row, f"{tag}/{key}" if is_curve else tag] = steps
    return found


def check_query(address: str, logdir: Path, points: Mapping[Series, Points], *, output: Path) -> int:
    """`seamark query` and the table of runs: the last value, and the extremes at their steps."""
    listed = json.loads(fetch(f"{address}api/table/columns"))
    metrics = metrics_of(listed["merged_into"], points)
    stats = ("last", "min", "min_step", "max", "max_step")
    ids = [f"metric:{tag}:{stat}" for tag in sorted({tag for _, tag in metrics}) for stat in stats]
    command = ["query", "--logdir", str(logdir), "--format", "json", "--columns", ",".join(["run:name", *ids])]
    assert seamark([*command, "--output", str(output)]) == 0
    printed = {row["run:name"]: row for row in json.loads(output.read_text())}
    page = json.loads(fetch(f"{address}api/table", {"columns": ids}))
    columns = {column["id"]: dict(zip(page["runs"], column["values"], strict=True)) for column in page["columns"]}
    compared = 0
    for (run, tag), steps in metrics.items():
        cells = {stat: columns[f"metric:{tag}:{stat}"][run] for stat in stats}
        assert cells == {stat: printed[run][f"metric:{tag}:{stat}"] for stat in stats}, (run, tag)
        assert same(number(cells["last"]), list(steps.values())[-1][-1]), (run, tag)
        for extreme in ("min", "max"):
            if cells[f"{extreme}_step"] is not None:
                assert cells[extreme] in steps[int(cells[f"{extreme}_step"])], (run, tag, extreme)
                compared += 1
        compared += 1
    return compared


def number(cell: float | str) -> float:
    return NOT_FINITE[cell] if isinstance(cell, str) else cell


def test_a_thousand_points_have_one_number_each_over_http(logs: Logs, tmp_path: Path) -> None:
    address, logdir, curves = logs
    points = points_of(address)
    assert points["restarted", "loss"][399] != points["restarted", "loss"][400] and len(points) == 19
    for tag, logged in curves.items():
        np.testing.assert_array_equal(np.ravel(list(points["plain", tag].values())), np.float32(logged))
        np.testing.assert_array_equal(np.ravel(list(points["repeated, steps", tag].values())), np.float32(logged))
    assert check_tooltips(address, points) > POINTS
    assert check_tables(address, points, some_steps(points, 150)) > POINTS
    assert check_query(address, logdir, points, output=tmp_path / "query.json") > 3 * (len(points) - 3)


def is_shown_as(text: str, value: float) -> bool:
    """Whether a page that shows `text` shows this value: to the digits that the text has."""
    plain = text.replace("−", "-").replace(",", "").replace("∞", "inf").strip()
    if not math.isfinite(float(plain)) or not math.isfinite(value):
        return same(float(plain), value)
    digits, _, power = plain.partition("e")
    decimals = len(digits.partition(".")[2])
    unit = 10.0 ** (int(power or 0) - decimals)
    return abs(float(plain) - value) <= unit * 0.500001


# Moves the pointer over a chart, and reads every table that the page shows beside it.
HOVER = """async (overlay, shares) => {
  const { left, top, width, height } = overlay.getBoundingClientRect();
  const drawn = () => new Promise(requestAnimationFrame);
  const tables = [];
  for (const share of shares) {
    const at = { clientX: left + share * width, clientY: top + height / 2, bubbles: true, pointerType: "mouse" };
    overlay.dispatchEvent(new PointerEvent("pointermove", at));
    await drawn().then(drawn);
    const rows = [...document.querySelectorAll("[role=tooltip] tbody tr")];
    tables.push(rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.innerText.trim())));
  }
  return tables;
}"""


def hovered(page: Page, tag: str, shares: Iterable[float]) -> Iterator[tuple[str, str, int]]:
    """The name, the value and the step in each row of the tooltips at these shares of the chart's width."""
    overlay(page, tag).hover()
    expect(page.get_by_role("tooltip").locator("tr.near")).to_have_count(1)
    for name, *_, value, step, _ in itertools.chain(*overlay(page, tag).evaluate(HOVER, list(shares))):
        yield name.split("\n")[0], value, int(step.replace(",", ""))


FOLDERS = {"torch · train": "torch/loss_train", "torch · eval": "torch/loss_eval"}


def test_tooltips_show_random_points_as_all_others_do(logs: Logs, open_page: OpenPage) -> None:
    address, *_ = logs
    points = points_of(address)
    choose = random.Random(5)
    seen: dict[str, dict[tuple[str, int], str]] = {tag: {} for tag in ("loss", "hostile", "extremes", "tenth")}
    # Beside the run with gaps all others share a pixel.
    for runs, smoothing, places in (("gaps", "0", 10), ("plain|repeated|restarted|torch", "2%25", 40)):
        page = open_page(f"{address}#scalars&smoothing={smoothing}&attempts=latest&tooltipSort=name&runFilter={runs}")
        for tag, found in seen.items():
            card(page, tag).scroll_into_view_if_needed()
            expect(card(page, tag)).to_contain_text("points")
            for name, text, step in hovered(
                page, tag, (choose.uniform(0.1, 0.95) for _ in range(places * PLACES_FACTOR))
            ):
                found[FOLDERS.get(name, name), step] = text
        page.close()
    assert sum(map(len, seen.values())) > POINTS_ON_PAGE
    for tag, found in seen.items():
        for (run, step), text in found.items():
            last = re.split(r"last ", text)[-1]  # "1 NaN, last 0.9"
            assert is_shown_as(last, points[run, tag][step][-1]), (run, tag, step, text)
    check_tables(address, points, {tag: {step for _, step in found} for tag, found in seen.items()})


def test_cards_show_the_last_number(logs: Logs, open_page: OpenPage) -> None:
    address, *_ = logs
    points = points_of(address)
    page = open_page(f"{address}#scalars&smoothing=0&attempts=latest")
    for run in ("plain", "restarted", "gaps"):
        page.get_by_role("treegrid").get_by_text(run, exact=True).click()
        for tag in ("loss", "hostile", "extremes", "tenth"):
            value = card(page, tag).get_by_title("Logged by the run in focus")
            expect(value).to_be_visible()
            assert is_shown_as(value.inner_text(), list(points[run, tag].values())[-1][-1]), (run, tag)
