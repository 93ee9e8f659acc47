"""Memory, Input, Distributed and Compile of Profile, as a person uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.profile_rank_logs import write_ranks, write_training
from tools.in_process import served_in_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("profile")
    write_training(logdir / "training")
    write_ranks(logdir / "ranks")
    with served_in_process(logdir) as address:
        yield address


def show(open_page: OpenPage, address: str, sub_tab: str, run: str = "training", **options: int | str) -> Page:
    return open_page(f"{address}#profile&profile.run={run}&profile.page={sub_tab}", **options)


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def cells(table: Locator, name: str) -> Locator:
    return table.get_by_role("row").filter(has_text=name)


def test_memory_has_the_peak_its_parts_and_the_leak(address: str, open_page: OpenPage) -> None:
    page = show(open_page, address, "memory")
    expect(card(page, "Memory")).to_contain_text("peak 42.0 MB at 561 ms · 42% of 100 MB")
    expect(card(page, "Memory")).to_contain_text("Fragmentation 47.5%")
    leaks = card(page, "Leak candidates")
    expect(leaks).to_contain_text("+2.00 MB")
    expect(leaks).to_contain_text("aten::cat on GPU 0: 1 allocation a step, in 5 steps")
    by_operator = card(page, "At the peak").get_by_role("grid")
    expect(cells(by_operator, "aten::conv2d")).to_contain_text("30.0 MB")
    expect(cells(by_operator, "aten::conv2d")).to_contain_text("71.4%")
    page.get_by_role("button", name="By allocation").click()
    expect(page).to_have_url(re.compile(r"profile\.memory_by=allocation"))
    page.reload()
    rows = card(page, "At the peak").get_by_role("grid")
    expect(cells(rows, "aten::cat").first).to_contain_text("2.00 MB")
    expect(cells(rows, "aten::cat").first).to_contain_text("n/a")


def test_memory_is_read_under_the_pointer_and_opens_the_trace(address: str, open_page: OpenPage) -> None:
    page = show(open_page, address, "memory")
    chart = card(page, "Memory")
    canvas = chart.locator("canvas")
    expect(chart.locator("[data-drawn]")).not_to_have_attribute("data-drawn", "0")
    box = canvas.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 80)
    expect(chart).to_contain_text(re.compile(r"ms, ProfilerStep#\d: \d.* MB allocated, 80\.0 MB reserved"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 80)
    expect(page).to_have_url(re.compile(r"profile\.page=trace.*profile\.start=|profile\.start=.*profile\.page=trace"))


def test_input_has_waits_stages_and_advice(address: str, open_page: OpenPage) -> None:
    page = show(open_page, address, "input")
    expect(card(page, "Advice")).to_contain_text("Steps wait 40.0 ms of 100.0 ms (40%) for input.")
    expect(card(page, "Advice")).to_contain_text("num_workers=2")
    waits = card(page, "Waiting of each step")
    expect(waits).to_contain_text("mean 40 ms, 40.0% of a step · 6 of 6 steps wait 5% or more")
    expect(cells(card(page, "Stages").get_by_role("grid"), "aten::stack")).to_contain_text("(bottleneck)")
    bars = page.get_by_role("slider", name="Waiting of each step")
    bars.focus()
    bars.press("ArrowRight")
    expect(waits).to_contain_text("ProfilerStep#0: 40 ms of 100 ms")
    bars.press("Enter")
    expect(page).to_have_url(re.compile(r"profile\.page=trace"))


def test_the_straggler_of_three_ranks_is_named(address: str, open_page: OpenPage) -> None:
    page = show(open_page, address, "distributed", run="ranks")
    expect(page.get_by_text("rank 1 is a straggler: 100% of the waiting in collectives is for it.")).to_be_visible()
    ranks = card(page, "Ranks in numbers").get_by_role("grid")
    expect(cells(ranks, "rank 0")).to_contain_text("20 ms")
    expect(cells(ranks, "rank 2")).to_contain_text("6 ms")  # its clock
    collectives = card(page, "Collectives").get_by_role("grid")
    expect(cells(collectives, "all_reduce")).to_contain_text("36.0 MB")
    card(page, "Ranks").get_by_role("link", name="rank 2").click()
    expect(page).to_have_url(re.compile(r"profile\.host=[^&]*2"))


def test_compile_is_a_sub_tab_where_something_was_compiled(address: str, open_page: OpenPage) -> None:
    page = show(open_page, address, "compile")
    expect(card(page, "Compilations")).to_contain_text("1 compilation inside a step.")
    expect(cells(card(page, "Events").get_by_role("grid"), "entire_frame_compile")).to_contain_text("TorchDynamo")
    other = show(open_page, address, "memory", run="ranks")
    expect(other.get_by_text("profile_memory=True").first).to_be_visible()
    expect(other.get_by_role("link", name="Compile")).to_have_count(0)
    expect(other.get_by_role("link", name="Roofline")).to_have_count(0)


@pytest.mark.parametrize("sub_tab", ["memory", "input", "distributed", "compile"])
def test_pages_fit_a_phone(address: str, open_page: OpenPage, sub_tab: str) -> None:
    page = show(open_page, address, sub_tab, run="ranks" if sub_tab == "distributed" else "training", width=400)
    expect(page.get_by_role("grid").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
