"""HTML reports: budget, downsampling, escaping and options."""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

import seamark
from seamark.cli import main
from seamark.cli.report import page
from seamark.cli.report.charts import charts_of
from seamark.format.types import Tag
from seamark.plugin.columns import decode_columns
from seamark.store.test_support import append, curve, file_start, scalar_bytes

EVIL = "</script><script>alert(1)<!-- &"


def write(folder: Path, points: dict[str, list[tuple[int, float]]]) -> None:
    data = b"".join(scalar_bytes(tag, listed) for tag, listed in points.items())
    append(folder / "events.out.tfevents.1", file_start() + data)


def columns_of(text: str) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    return decode_columns(zlib.decompress(base64.b64decode(text)))


def test_all_points_are_included_if_they_fit(tmp_path: Path) -> None:
    write(tmp_path / "a", {"loss": curve(0, 50)})
    write(tmp_path / "b", {"loss": [(0, 1.0), (1, math.nan)]})
    with seamark.open(tmp_path, index_dir=None) as runs:
        found = charts_of(runs.store, runs.names, [Tag("loss")], budget_bytes=1_000_000)
    (chart,) = found.charts
    assert found.remarks == [] and (chart.runs, chart.points, chart.rows) == (2, 52, 52)
    header, columns = columns_of(chart.text)
    assert header["runs"] == ["a", "b"] and columns["offsets"].tolist() == [0, 50, 52]
    assert columns["mean"][:50].tolist() == [float(step) for step in range(50)]
    assert "min" not in columns and columns["nan"][51] == 1
    np.testing.assert_array_equal(columns["relative"][:50], np.arange(50.0))
    assert columns["began"].tolist() == [1_700_000_000.0, 1_700_000_000.0]


def test_curves_over_the_budget_are_downsampled_with_a_remark(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    points = [(step, float(value)) for step, value in enumerate(random.normal(size=20_000).astype(np.float32))]
    points[12_345] = (12_345, 1000.0)
    write(tmp_path / "a", {"loss": points})
    with seamark.open(tmp_path, index_dir=None) as runs:
        found = charts_of(runs.store, runs.names, [Tag("loss")], budget_bytes=20_000)
    (chart,) = found.charts
    assert len(chart.text) <= 20_000 and chart.points == 20_000 and chart.rows < 20_000
    _, columns = columns_of(chart.text)
    assert columns["max"].max() == 1000.0  # a spike survives
    assert int(columns["count"].sum()) == 20_000
    (remark,) = found.remarks
    assert "20,000 points" in remark and "20.0 kB" in remark and f"at most {500:,}" in remark


def test_charts_that_do_not_fit_are_listed(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    tags = [f"m{at}" for at in range(9)]
    write(tmp_path / "a", {tag: list(enumerate(random.normal(size=300).tolist())) for tag in tags})
    with seamark.open(tmp_path, index_dir=None) as runs:
        found = charts_of(runs.store, runs.names, [Tag(tag) for tag in tags], budget_bytes=8_000)
    assert 0 < len(found.charts) < 9
    assert [chart.tag for chart in found.charts] == tags[: len(found.charts)]
    assert found.remarks[-1].endswith(f"{', '.join(tags[len(found.charts) :])}.")


def test_a_report_without_data_has_no_charts(tmp_path: Path) -> None:
    with seamark.open(tmp_path, index_dir=None) as runs:
        assert charts_of(runs.store, [], [], budget_bytes=1) == charts_of(runs.store, [], [], budget_bytes=10**9)


@pytest.fixture
def bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minimal page in place of the bundle: these tests cover the Python side."""
    code = {"theme.js": "theme()", "report/report.js": 'draw("</script>")', "report/report.css": "b{}"}
    monkeypatch.setattr(page, "code", lambda name: code.get(name, "licences </script>"))


def export(logdir: Path, target: Path, *flags: str) -> int:
    return main(
        [
            "export",
            "html",
            "--logdir",
            str(logdir),
            "--state_dir",
            "none",
            "--index_dir",
            "none",
            "-o",
            str(target),
            *flags,
        ]
    )


def parse_report(text: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.DOTALL)
    assert found
    report: dict[str, object] = json.loads(found[1])
    return report


@pytest.mark.usefixtures("bundle")
def test_names_notes_and_tags_are_escaped(tmp_path: Path) -> None:
    write(tmp_path / "runs" / EVIL.replace("/", "∕"), {EVIL: [(0, 1.0)]})
    notes = tmp_path / "notes.md"
    notes.write_text(f"**bold** {EVIL} [link](javascript:alert(1))")
    target = tmp_path / "report.html"
    assert export(tmp_path / "runs", target, "--title", EVIL, "--notes", str(notes)) == 0
    text = target.read_text()
    # Theme, data, licences, one chart, page.
    assert text.count("<script") == text.count("</script>") == 5
    report = parse_report(text)
    assert "href" not in str(report["notes"])
    assert report["title"] == EVIL and "<strong>bold</strong>" in str(report["notes"])
    assert "<script" not in str(report["notes"])
    assert "\\x3c/script>" in text


@pytest.mark.usefixtures("bundle")
def test_the_policy_has_the_hashes_of_scripts_and_styles(tmp_path: Path) -> None:
    write(tmp_path / "runs" / "a", {"loss": [(0, 1.0)]})
    export(tmp_path / "runs", tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy and "default-src &#x27;none&#x27;" in policy[1] and "unsafe" not in policy[1]
    for inner in (*re.findall(r"<script>(.*?)</script>", text, re.DOTALL), *re.findall(r"<style>(.*?)</style>", text)):
        assert page.hash_of(inner).replace("'", "&#x27;") in policy[1]


@pytest.mark.usefixtures("bundle")
def test_runs_are_selected_by_name_and_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, value in (("a1", 1.0), ("a2", 2.0), ("b1", 3.0)):
        write(tmp_path / "runs" / name, {"loss": [(0, value)], "other": [(0, 0.0)]})
    target = tmp_path / "report.html"
    assert (
        export(tmp_path / "runs", target, "--runs", "^a", "--query", 'metric["loss"].min > 1', "--tags", "^loss$") == 0
    )
    assert "1 chart, " in capsys.readouterr().out
    report = parse_report(target.read_text())
    assert [run["name"] for run in report["runs"]] == ["a2"]
    assert [chart["tag"] for chart in report["charts"]] == ["loss"]
    assert report["diff"] is None and report["query"] == 'metric["loss"].min > 1'


@pytest.mark.usefixtures("bundle")
def test_only_few_runs_are_compared(tmp_path: Path) -> None:
    for at in range(9):
        write(tmp_path / "runs" / f"r{at}", {"loss": curve(0, 8, scale=float(at + 1))})
    assert export(tmp_path / "runs", tmp_path / "few.html", "--runs", "r[01]") == 0
    assert parse_report((tmp_path / "few.html").read_text())["diff"]["runs"] == ["r0", "r1"]
    assert export(tmp_path / "runs", tmp_path / "many.html") == 0
    many = parse_report((tmp_path / "many.html").read_text())
    assert many["diff"] is None and "--compare" in many["remarks"][0]
    assert export(tmp_path / "runs", tmp_path / "some.html", "--compare", "r3", "r7") == 0
    assert parse_report((tmp_path / "some.html").read_text())["diff"]["runs"] == ["r3", "r7"]


@pytest.mark.usefixtures("bundle")
def test_invalid_options_print_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "runs" / "a", {"loss": [(0, 1.0)]})
    target = tmp_path / "report.html"
    for flags, message in (
        (["--compare", "a", "nope"], "no run called 'nope'"),
        (["--query", "nope <"], "nope"),
        (["--columns", "nope"], "there is no column 'nope'"),
        (["--notes", str(tmp_path / "nope.md")], "No such file"),
    ):
        assert export(tmp_path / "runs", target, *flags) == 2
        assert message in capsys.readouterr().err and not target.exists()
    target.write_text("mine")
    assert export(tmp_path / "runs", target) == 2 and target.read_text() == "mine"


def test_a_missing_bundle_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "runs" / "a", {"loss": [(0, 1.0)]})
    monkeypatch.setattr(page, "files", lambda _: tmp_path)
    assert export(tmp_path / "runs", tmp_path / "report.html") == 2
    assert "the report's page is not built" in capsys.readouterr().err


def test_exporting_points_takes_a_query(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for name, value in (("a", 1.0), ("b", 2.0)):
        write(tmp_path / "runs" / name, {"loss": [(0, value)]})
    words = ["export", "csv", "--logdir", str(tmp_path / "runs"), "--state_dir", "none"]
    assert main([*words, "--query", 'metric["loss"].last > 1']) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert len(lines) == 2 and ",b," in f",{lines[1]},"
    assert main([*words, "--query", "lr = 1"]) == 2
