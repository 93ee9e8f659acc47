"""Profiles with something wrong in them: a sentence says what, and the rest is shown."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from seamark.profiles.testing_events import Event, slice_event, stream_names
from tests.e2e.conftest import OpenPage
from tests.e2e.profile_logs import FIRST_STEP, step_events
from tools.in_process import served_in_process

STEPS = 6
SINCE_1970_US = 1.79e15
HTML = '<img src=x onerror="document.title=1">'


def good_events() -> list[Event]:
    events, at = stream_names(), 0
    for index in range(STEPS):
        made, at = step_events(FIRST_STEP + index, at, 2)
        events += made
    return events


def changed(change: Callable[[Event], Event]) -> list[Any]:
    """The good events; `change` returns what replaces members of a slice."""
    return [event | change(event) if event["ph"] == "X" else event for event in good_events()]


def with_odd_values() -> list[Any]:
    return [1, "x", None, [{"ph": "X"}], *good_events(), 2.5]


def with_long_names() -> list[Any]:
    return [*good_events(), slice_event("n" * 1_000_000, 100, 50)]


def with_threads() -> list[Any]:
    return [*good_events(), *(slice_event("t", thread, 500, tid=thread) for thread in range(1000, 101_000))]


def with_a_time_of_zero() -> list[Any]:
    events = changed(lambda event: {"ts": SINCE_1970_US + event["ts"]})
    return [*events, {"ph": "X", "name": "stray", "pid": 100, "tid": 100, "ts": 0, "dur": 1}]


def with_a_clock_that_wraps() -> list[Any]:
    """The first 30 ms before the wrap; Python writes these times with an exponent."""
    return changed(lambda event: {"ts": event["ts"] - 30_000 + (2**64 / 1000 if event["ts"] < 30_000 else 0)})


# What is wrong, and the beginning of the sentence; "" if the trace is shown as it is meant.
TRACES: dict[str, tuple[Callable[[], list[Any]], str]] = {
    "odd_values": (with_odd_values, "5 events are not JSON objects and are left out"),
    "negative": (lambda: changed(lambda event: {"dur": -event["dur"]}), "156 slices have negative durations"),
    "overlapping": (lambda: changed(lambda event: {"dur": event["dur"] * 1.5}), "27 slices overlap others"),
    "long_names": (with_long_names, "1 name is cut: it is very long"),
    "out_of_order": (lambda: good_events()[::-1], ""),
    "no_metadata": (lambda: [event for event in good_events() if event["ph"] != "M"], ""),
    "threads": (with_threads, ""),
    "wrapping": (with_a_clock_that_wraps, ""),
    "time_of_zero": (with_a_time_of_zero, ""),
    "html": (lambda: changed(lambda event: {"name": f"{HTML}{event['name']}"}), ""),
}
CUT = {
    "cut_json": "the trace ends early: the file is cut off; the ",
    "cut_gzip": "the trace ends early: the compressed file is cut off; the ",
}


def write(logdir: Path, run: str, content: bytes, suffix: str = "") -> None:
    (logdir / run).mkdir()
    (logdir / run / f"worker.1700000000000.pt.trace.json{suffix}").write_bytes(content)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("problems")
    for run, (events, _) in TRACES.items():
        write(logdir, run, json.dumps({"traceEvents": events()}).encode())
    whole = json.dumps({"traceEvents": good_events()}).encode()
    write(logdir, "cut_json", whole[: len(whole) * 2 // 3])
    compressed = gzip.compress(whole)
    write(logdir, "cut_gzip", compressed[: len(compressed) * 2 // 3], ".gz")
    write(logdir, "nothing", compressed[:12], ".gz")
    with served_in_process(logdir) as address:
        yield address


def show(open_page: OpenPage, address: str, run: str, sub_tab: str) -> Page:
    return open_page(f"{address}#profile&profile.run={run}&profile.page={sub_tab}")


@pytest.mark.parametrize(
    ("run", "sentence"), [*((run, sentence) for run, (_, sentence) in TRACES.items()), *CUT.items()]
)
def test_the_rest_is_shown(address: str, open_page: OpenPage, run: str, sentence: str) -> None:
    page = show(open_page, address, run, "trace")
    expect(page.locator("#trace-canvas canvas")).to_have_attribute("data-end", re.compile(r"\d{5,}"))
    expect(page.get_by_role("group", name="Tracks")).to_contain_text("GPU 0")
    badge = page.get_by_role("button", name=re.compile(r"^\d+ problems?$|^trace is cut off$"))
    expect(badge).to_have_count(1 if sentence else 0)
    if sentence:
        badge.click()
        expect(page.get_by_role("dialog", name="Problems of the trace")).to_contain_text(sentence)
    expect(page).to_have_title("Seamark")


@pytest.mark.parametrize("run", ["overlapping", "out_of_order", "wrapping", "time_of_zero", "threads", "html"])
def test_the_steps_are_found(address: str, open_page: OpenPage, run: str) -> None:
    page = show(open_page, address, run, "overview")
    expect(page.get_by_role("region", name=f"Step time, {STEPS} steps")).to_contain_text(re.compile(r"1\d(\.\d+)? ms"))


def test_a_file_of_which_nothing_can_be_read(address: str, open_page: OpenPage) -> None:
    page = show(open_page, address, "nothing", "overview")
    expect(page.get_by_text("this is not JSON; the compressed file is cut off")).to_be_visible()
