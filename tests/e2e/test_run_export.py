"""The page of a run: what is left of it, pinned, and saved as files."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path

from playwright.sync_api import expect

from seamark.compare.test_support import log_run, write_record
from tests.e2e.conftest import OpenPage


def test_a_run_says_what_is_left_is_pinned_and_saved(address: str, logdir: Path, open_page: OpenPage) -> None:
    began = time.time() - 600
    folder = log_run(logdir / "a b", began=began, loss=[1.0, 0.5, 0.25])
    config = {"lr": 0.1, "trainer": {"max_steps": 200}}
    write_record(
        folder, status="running", started_at=began, heartbeat_at=time.time() + 1000, last_step=100, config=config
    )
    page = open_page(f"{address}run/a%20b")
    expect(page.get_by_text("step 2 of 200")).to_be_visible()
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_title("starred", exact=True)).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as points:
        page.get_by_role("menuitem", name="All points as CSV").click()
    assert points.value.suggested_filename == "a_b.csv"
    with points.value.path().open(newline="") as file:
        assert [float(row["value"]) for row in csv.DictReader(file)] == [1.0, 0.5, 0.25]
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Config as JSON").click()
    assert json.loads(saved.value.path().read_text()) == config
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as record:
        page.get_by_role("menuitem", name="run.json").click()
    assert json.loads(record.value.path().read_text())["last_step"] == 100
