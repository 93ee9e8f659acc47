"""The tables of Profile: Operators with its call tree, Kernels and Modules."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.profiles.testing_events import Event, kernel_event, launch_event, slice_event, step_event, stream_names
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

US = 1000
GEMM = "void cutlass::Kernel<s16816gemm>(cutlass::Params)"


def host_events(start: int) -> list[Event]:
    """A model of two layers: linear takes 500 µs, of which addmm takes 300, and relu 100."""
    return [
        slice_event("nn.Module: Net_0", start, 800 * US, category="python_function"),
        slice_event("nn.Module: Linear_0", start + 10 * US, 600 * US, category="python_function"),
        slice_event("aten::linear", start + 20 * US, 500 * US, **{"Input Dims": [[8, 4], [2, 4]]}),
        slice_event("aten::addmm", start + 100 * US, 300 * US, **{"Input Dims": [[2], [8, 4]]}),
        slice_event("nn.Module: ReLU_0", start + 650 * US, 120 * US, category="python_function"),
        slice_event("aten::relu", start + 660 * US, 100 * US, **{"Input Dims": [[8, 2]]}),
    ]


def device_events(start: int, step: int) -> list[Event]:
    shape = {"grid": [4, 106, 1], "block": [128, 1, 1], "registers per thread": 32, "est. achieved occupancy %": 50}
    return [
        launch_event(start + 110 * US, 10 * US, 2 * step + 1),
        launch_event(start + 670 * US, 10 * US, 2 * step + 2),
        kernel_event(GEMM, start + 900 * US, (400 + 100 * step) * US, 2 * step + 1, **shape),
        kernel_event("relu_kernel", start + 1600 * US, 50 * US, 2 * step + 2),
    ]


def write_trace(run: Path, *, has_device: bool) -> None:
    events = stream_names() if has_device else []
    for step in range(2):
        start = step * 2000 * US
        events += [step_event(step, start, 1900 * US), *host_events(start + 10 * US)]
        events += device_events(start + 10 * US, step) if has_device else []
    run.mkdir(parents=True)
    with gzip.open(run / "host_1.1700000000000.pt.trace.json.gz", "wt") as file:
        json.dump({"traceEvents": events}, file)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("tables")
    write_trace(logdir / "gpu", has_device=True)
    write_trace(logdir / "cpu", has_device=False)
    with served_in_process(logdir) as address:
        yield address


def table(open_page: OpenPage, address: str, tab: str, *, run: str = "gpu", more: str = "", **options: int) -> Locator:
    page = open_page(f"{address}#profile&profile.run={run}&profile.page={tab}{more}", **options)
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    return grid


def row(grid: Locator, name: str) -> Locator:
    return grid.get_by_role("row").filter(has=grid.page.get_by_text(name, exact=True))


def names(grid: Locator) -> Locator:
    return grid.locator(".label")


def test_operators_by_device_and_host_time(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "operators")
    page = grid.page
    expect(names(grid)).to_have_text(["aten::addmm", "aten::relu", "aten::linear"])
    expect(row(grid, "aten::addmm")).to_contain_text("900 µs")
    expect(row(grid, "aten::addmm")).to_contain_text("90.0%")
    expect(row(grid, "aten::addmm")).to_contain_text("yes")
    expect(row(grid, "aten::linear").get_by_text("n/a")).to_have_attribute("title", re.compile("tensor cores"))
    page.get_by_role("group", name="Where").get_by_role("button", name="Host").click()
    expect(names(grid)).to_have_text(["aten::addmm", "aten::linear", "aten::relu"])
    page.get_by_role("group", name="Time").get_by_role("button", name="Total").click()
    expect(names(grid)).to_have_text(["aten::linear", "aten::addmm", "aten::relu"])
    expect(page).to_have_url(re.compile(r"operators_side=host.*operators_time=total"))


def test_the_order_and_the_filter_are_in_the_address(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "operators")
    page = grid.page
    grid.get_by_role("columnheader", name="Operator").get_by_role("button").click()
    expect(names(grid)).to_have_text(["aten::addmm", "aten::linear", "aten::relu"])
    page.get_by_label("Filter operators").fill("ADD")
    expect(names(grid)).to_have_text(["aten::addmm"])
    expect(page).to_have_url(re.compile(r"operators_filter=ADD.*operators_sort=name"))
    page.reload()
    expect(names(grid)).to_have_text(["aten::addmm"])
    page.get_by_label("Filter operators").fill("nothing like it")
    expect(grid.get_by_text("No matches")).to_be_visible()


def test_operators_by_shapes(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "operators", more="&profile.operators_group=shapes")
    expect(row(grid, "aten::linear")).to_contain_text("[8, 4], [2, 4]")


def test_the_call_tree_opens_and_closes(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "operators", run="cpu", more="&profile.operators_group=tree")
    expect(names(grid)).to_have_text(["nn.Module: Net_0", "nn.Module: Linear_0", "nn.Module: ReLU_0"])
    grid.get_by_role("button", name="Open nn.Module: Linear_0").click()
    grid.get_by_role("button", name="Open aten::linear").click()
    expect(row(grid, "aten::addmm")).to_contain_text("600 µs")
    expect(grid.page).to_have_url(re.compile(r"calls_open=\d+(\.\d+){2}"))
    grid.page.reload()
    expect(row(grid, "aten::addmm")).to_be_visible()
    grid.get_by_role("button", name="Close nn.Module: Net_0").click()
    expect(names(grid)).to_have_text(["nn.Module: Net_0"])


def test_a_row_opens_its_longest_slice_in_trace(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "kernels")
    page = grid.page
    row(grid, "relu_kernel").hover()
    row(grid, "relu_kernel").get_by_role("button", name="Show in trace").click()
    expect(page).to_have_url(re.compile(r"profile\.page=trace.*profile\.slice=\d+"))
    page.go_back()
    expect(grid).to_be_visible()


def test_kernels_have_launch_parameters_and_their_spread(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "kernels", width=2200)
    gemm = row(grid, "cutlass::Kernel<s16816gemm>")
    for text in ("aten::addmm", "900 µs", "450 µs", "400 µs", "500 µs", "4, 106, 1", "128, 1, 1", "50%"):
        expect(gemm).to_contain_text(text)
    expect(gemm.locator(".range")).to_have_attribute("title", re.compile("400 µs to 500 µs"))
    expect(gemm.locator(".label")).to_have_attribute("title", GEMM)
    activities = grid.page.get_by_role("group", name="Time by activity")
    expect(activities).to_contain_text("compute, 16-bit 90.0%")
    grid.page.get_by_role("group", name="Group").get_by_role("button", name="By name").click()
    expect(grid.page).to_have_url(re.compile("kernels_group=name"))
    expect(names(grid)).to_have_count(2)


def test_modules_are_a_tree_with_device_time(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "modules")
    expect(names(grid)).to_have_text(["Net_0", "Linear_0", "ReLU_0"])
    expect(row(grid, "Net_0")).to_contain_text("1 ms")
    expect(row(grid, "ReLU_0")).to_contain_text("10.0%")


def test_a_trace_of_the_host_says_why_there_are_no_kernels(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#profile&profile.run=cpu&profile.page=kernels")
    expect(page.get_by_text("This trace has no kernels: it was recorded on the CPU only.")).to_be_visible()
    page.get_by_role("tab", name="Operators").click()
    expect(page.get_by_role("grid", name="Operators")).to_be_visible()
    expect(page.get_by_role("group", name="Where")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Device self")).to_have_count(0)


def test_the_table_is_exported_as_csv(address: str, open_page: OpenPage) -> None:
    page: Page = table(open_page, address, "operators").page
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "operators.csv"
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert {row["name"]: row["device_self_ns"] for row in rows}["aten::addmm"] == "900000"


def test_tables_on_a_phone_keep_the_name_in_sight(address: str, open_page: OpenPage) -> None:
    grid = table(open_page, address, "operators", width=400, height=800)
    grid.locator(".scroll").evaluate("element => element.scrollTo({ left: 400 })")
    expect(row(grid, "aten::addmm").locator(".label")).to_be_in_viewport()
