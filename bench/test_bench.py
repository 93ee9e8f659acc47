"""Runs all measurements on small data; the times are not checked.

Part of `make check`; `make test` runs test_smoke.py only.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.parts import PARTS
from bench.test_smoke import quick_run

pytestmark = pytest.mark.timeout(900)

# Parts that take long have a run of their own.
LINES = {
    "browser": [
        "first chart drawn, 50 tags",
        "all visible cards drawn, 20 runs",
        "JavaScript heap",
        "transferred",
        "smoothing changed",
        "one tag of 20 runs, asked by the page",
        "longest frame while panning 20 series",
        "longest frame while scrolling a table of 200 runs",
    ],
    "graphs": [
        "first view drawn, a transformer of 500 nodes",
        "first view drawn, 60 nodes without groups",
        "the page is idle, a transformer of 500 nodes",
        "JavaScript heap with buffers, a transformer of 500 nodes",
        "memory of the server, a transformer of 500 nodes",
        "first request of 500 nodes",
        "the same after a restart, 500 nodes in the index",
        "a group of 200 nodes expanded → drawn, 400 nodes",
        "longest frame while panning 40 visible nodes",
    ],
    "projector": [
        "navigation → first points drawn, 500 × 128 with metadata",
        "memory of the server, 500 × 128 with metadata",
        "longest frame while orbiting 500 points in 3-D",
        "navigation → first picture, 1,000 × 128 in a .npy file",
        "navigation → first picture, 1,000 × 128 in a .npy file, second start",
        "peak memory of the server, 1,000 × 128 in a .npy file",
        "PCA of 500 × 128, in process",
        "neighbours of a point of 1,000 × 128, in process",
        "t-SNE of 300 × 128",
        "UMAP of 300 × 128",
    ],
    "profile": [
        "a torch trace of 2 MB → overview",
        "an XSpace of 1 MB → overview and trace",
        "first open, a trace of 20,000 slices",
        "peak memory of the server, a trace of 20,000 slices",
        "second open, in a new server",
        "the slowest of some windows, over HTTP",
        "navigation → first picture of the trace",
        "longest frame while panning",
        "JavaScript heap of the page with buffers",
        "sick loops of 25 whose planted cause is named first",
        "healthy loops of 11 with a finding",
    ],
    "buckets": [
        "first start, 5 runs in a bucket",
        "first start, 200 runs in a bucket",
        "second start, 200 runs in a bucket",
        "first start, the same 200 runs on this disk",
        "requests of a second start",
        "requests in a minute without changes",
        "10,000 calls of add_scalar, bucket that is away",
    ],
    "team": [
        "an upload while 4 pages watch 10 trainers: p99",
        "one metric of all runs, asked by 4 pages: p99",
        "points lost or doubled",
        "a million points in requests of 50",
        "a million points in the largest requests",
        "peak memory of the server",
    ],
    "whatif": [
        "a CSV file of 2,000 × 50 read",
        "a Parquet file of 2,000 × 50 read",
        "ROC, PR and all thresholds by slice, 2,000 × 50, first request",
        "a counterfactual, 2,000 × 50",
        "worst slices, 2,000 × 50",
        "partial dependence of one feature over 20 rows",
        "a box over 2,000 points",
        "a lasso over 2,000 points",
    ],
}


@pytest.mark.parametrize("part", LINES)
def test_a_quick_run_of_a_part_fills_its_lines(part: str, tmp_path: Path) -> None:
    quick_run(tmp_path, part)
    page = (tmp_path / "results.md").read_text()
    for what in LINES[part]:
        assert f"| {what}" in page, what
    assert str(tmp_path) not in page


def test_a_quick_run_fills_every_line_of_the_table(tmp_path: Path) -> None:
    quick_run(tmp_path, *(part for part in PARTS if part not in LINES))
    page = (tmp_path / "results.md").read_text()
    starts = [
        f"{what}, {layout}"
        for what in ("cold start", "peak memory", "second start")
        for layout in ("L1", "L2", "L3", "L4")
    ]
    for what in [
        *starts,
        "appended point",
        "one series of one run",
        "one tag of 20 runs, HTTP",
        "one tag of 20 runs, in process",
        "scan",
        "one tag over all runs, 10 pages with live updates: p99",
        "navigation → all images of a screen",
        "navigation → 20 histograms",
        "memory of the server after walking all dashboards",
        "the table of 200 runs × 40 columns, asked for the first time",
        "a click on a column → other rows drawn, 200 runs × 40 columns",
        "a query typed → other rows drawn, 200 runs × 40 columns",
        "query, sort and a screen of 200 runs × 40 columns",
        "the same after 20 of the runs got a point",
        "query, sort and a screen of 40 runs × 40 columns",
        "parallel coordinates of 100 trials on 10 axes: drawn after opening the page",
        "parallel coordinates of 100 trials on 10 axes: longest frame while brushing",
        "8,000 points of 20 runs, beside EventAccumulator",
        "the same with an index",
        "one tag of all runs, with an index",
        "`scalars_multirun` of 20 runs",
        "`timeSeries` of 20 runs",
        "graph of 0.1 MB, first request",
        "cold start, L2, `scalars/tags` polled",
    ]:
        assert f"| {what}" in page, what
    assert str(tmp_path) not in page


def test_a_quick_run_of_the_writers_has_a_column_for_each(tmp_path: Path) -> None:
    ran = quick_run(tmp_path, "writers")
    page = (tmp_path / "QUICK_WRITERS.md").read_text()
    assert "| measured | seamark | torch | tensorboardX |" in page
    for what in ("add_scalar, per call", "100 of them", "add_histogram", "add_image", "import", "ten scalars a step"):
        (row,) = (line for line in page.splitlines() if line.startswith(f"| {what}"))
        assert "–" not in row.split("|")[2], row
    assert "cannot do" not in ran.stderr
    assert str(tmp_path) not in page


def test_a_quick_run_of_the_cluster_has_every_figure(tmp_path: Path) -> None:
    ran = quick_run(tmp_path, "scale")
    page = (tmp_path / "QUICK_SCALE.md").read_text()
    if "not installed" in page:
        pytest.skip(page.strip())
    assert "1,000,000 of 1,000,000 points; " in ran.stderr and "200 of 200 runs of the table; " in ran.stderr
    assert not (tmp_path / "scale").exists(), "the cluster and its points are removed"
    for what in ("ingested, points per second", "bytes per point", "one series at 2,000 px", "one tag over many runs"):
        assert f"| {what}" in page, what
    assert str(tmp_path) not in page
