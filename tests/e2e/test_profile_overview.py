"""The bar of Profile, its Overview and Compare, and what is shown when there is nothing to show."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from seamark.format.messages import InputPipelineAnalysisResult, OverviewPage, PackedMessage, PerGenericStepDetails
from tests.e2e.conftest import OpenPage, pick
from tests.e2e.profile_logs import write_profile, write_run
from tools.in_process import served_in_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("profile")
    write_run(logdir / "resnet")
    write_profile(logdir / "resnet", "rank0")
    write_profile(logdir / "slower", "rank0", input_ms=5)
    write_profile(logdir / "long", "rank0", steps=1500)
    write_run(logdir / "plain")
    with served_in_process(logdir) as address:
        yield address


def overview(open_page: OpenPage, address: str, run: str = "resnet", **options: int | str) -> Page:
    page = open_page(f"{address}#profile&profile.run={run}", **options)
    expect(page.locator("canvas[data-bars]")).to_be_visible()
    return page


def bars(page: Page) -> Locator:
    return page.get_by_role("slider", name="Step")


def test_overview_has_the_numbers_of_the_steps(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address)
    tile = page.get_by_role("region", name="Step time, 20 steps")
    expect(tile).to_contain_text(re.compile(r"11\.\d+ ms"))
    table = page.get_by_role("table", name="Parts of a step")
    expect(table.get_by_role("row", name="Input")).to_contain_text(re.compile(r"2\.\d+"))
    expect(page.get_by_role("region", name="Top operators")).to_contain_text("aten::mm")
    assert page.evaluate("performance.getEntriesByName('profile:ready').length") > 0
    memory = page.get_by_role("region", name="Peak memory")
    expect(memory.get_by_text("n/a")).to_have_attribute("title", re.compile("memory"))


def test_hover_pin_and_keys_choose_the_step(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address)
    table = page.get_by_role("table", name="Parts of a step")
    strip = page.get_by_role("region", name="Idle and overlap")
    box = bars(page).bounding_box()
    assert box
    slow = 36 + (box["width"] - 52) * 7.5 / 20  # the eighth of twenty bars, between the margins
    page.mouse.move(box["x"] + slow, box["y"] + 100)
    expect(table.get_by_role("columnheader", name="Step 417")).to_be_visible()
    expect(table.get_by_role("row", name="Input").get_by_role("cell").nth(1)).to_have_text(re.compile(r"^14\.\d+$"))
    page.mouse.click(box["x"] + slow, box["y"] + 100)
    expect(strip).to_contain_text("step 417")
    expect(page).to_have_url(re.compile(r"profile\.step=7"))
    page.mouse.move(0, 0)
    bars(page).press("ArrowRight")
    expect(strip).to_contain_text("step 418")
    bars(page).press("Escape")
    expect(strip).to_contain_text("nearest to the mean")
    expect(table.get_by_role("columnheader", name="Step 4")).to_have_count(0)
    expect(page).not_to_have_url(re.compile(r"profile\.step="))


def test_bars_by_share_are_in_the_address(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address)
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page).to_have_url(re.compile(r"profile\.bars=share"))
    page.reload()
    expect(page.get_by_role("button", name="Share", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_finding_leads_to_its_slices(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address)
    findings = page.get_by_role("region", name="Findings")
    first = findings.get_by_role("listitem").first
    expect(first).to_contain_text("%")
    first.get_by_role("button", name="Why this gain").click()
    expect(first.get_by_role("button", name="Why this gain")).to_have_attribute("aria-expanded", "true")
    first.get_by_role("link", name="Show in trace").click()
    expect(page.get_by_role("tab", name="Trace")).to_have_attribute("aria-selected", "true")
    for parameter in ("marked", "start", "end"):
        expect(page).to_have_url(re.compile(rf"profile\.{parameter}="))


def test_thousands_of_steps_are_means_and_say_so(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address, "long")
    count = int(page.locator("canvas[data-bars]").get_attribute("data-bars") or 0)
    assert 50 < count < 300
    expect(page.get_by_role("region", name="Step time", exact=True)).to_contain_text(
        re.compile(r"each bar is the mean of \d+ steps")
    )


def test_pickers_choose_a_profile(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address)
    bar = page.get_by_role("toolbar", name="Profile")
    expect(bar).to_contain_text("1 of 1")
    pick(bar, "Run", "slower")
    expect(page).to_have_url(re.compile(r"profile\.run=slower"))
    expect(page.get_by_role("region", name="Step time, 20 steps")).to_contain_text(re.compile(r"14\.\d+ ms"))


def test_arrow_keys_walk_through_the_sub_tabs(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address)
    page.get_by_role("tab", name="Overview").press("ArrowRight")
    expect(page.get_by_role("tab", name="Trace")).to_be_focused()
    expect(page).to_have_url(re.compile(r"profile\.page=trace"))
    page.get_by_role("tab", name="Trace").press("End")
    expect(page.get_by_role("tab", name="Compare")).to_have_attribute("aria-selected", "true")


def test_narrow_pages_have_one_button_and_scroll_to_the_sub_tab(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#profile&profile.run=resnet&profile.page=compare", width=400)
    expect(page.get_by_role("tab", name="Compare")).to_be_in_viewport()
    page.get_by_role("button", name="Choose a profile").click()
    dialog = page.get_by_role("dialog", name="Choose a profile")
    expect(dialog.get_by_role("button", name="Run resnet")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_run_without_a_profile_says_how_to_record_one(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#profile&profile.run=plain")
    empty = page.get_by_role("region", name="No profile in this run")
    expect(empty.get_by_role("button", name=re.compile("^Copy"))).to_have_count(3)


def test_a_large_trace_says_how_far_it_is_read(address: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    read = [420]

    def answer(route: Route) -> None:
        state = "ready" if read[-1] == 2048 else "reading"
        body = {"state": state, "bytes_read": read[-1] * 10**6, "bytes_total": 2048 * 10**6, "problem": ""}
        route.fulfill(body=json.dumps(body), content_type="application/json")

    page.route("**/api/dashboards/profile/state*", answer)
    page.goto(f"{address}#profile&profile.run=resnet")
    reading = page.get_by_role("region", name="Reading the trace")
    expect(reading).to_contain_text("420 of 2,048 MB")
    read.append(1000)
    expect(reading).to_contain_text("1,000 of 2,048 MB")
    read.append(2048)
    expect(page.locator("canvas[data-bars]")).to_be_visible()


def test_no_page_is_empty_while_a_trace_is_read_and_its_overview_computed(address: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    held: list[Route] = []
    released: list[str] = []

    def hold(route: Route) -> None:
        if any(f"/{name}?" in route.request.url for name in released):
            route.continue_()
        else:
            held.append(route)

    requests = ("state", "info", "overview")
    for name in requests:
        page.route(f"**/api/dashboards/profile/{name}?*", hold)
    page.goto(f"{address}#profile&profile.run=resnet")
    for name, title in zip(requests, ("Reading the trace", "Reading the trace", "Computing the overview"), strict=True):
        expect(page.get_by_role("region", name=title)).to_be_visible()
        expect(page.get_by_role("progressbar", name="Read so far")).to_be_visible()
        released.append(name)
        while held:
            held.pop().continue_()
    expect(page.locator("canvas[data-bars]")).to_be_visible()


def test_a_file_that_cannot_be_read_can_be_retried(address: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    failed = {"state": "failed", "bytes_read": 0, "bytes_total": 1, "problem": "not a trace: byte 0 is 'x'"}

    def fail(route: Route) -> None:
        route.fulfill(body=json.dumps(failed), content_type="application/json")

    page.route("**/api/dashboards/profile/state*", fail)
    page.goto(f"{address}#profile&profile.run=resnet")
    expect(page.get_by_role("region", name="This profile cannot be read")).to_contain_text("byte 0")
    page.unroute("**/api/dashboards/profile/state*", fail)
    page.get_by_role("button", name="Retry").click()
    expect(page.locator("canvas[data-bars]")).to_be_visible()


def test_problems_of_the_file_are_behind_a_badge(address: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")

    def cut(route: Route) -> None:
        response = route.fetch()
        problems = ["the trace ends in step 423: the file is cut off", "3 slices are out of order"]
        route.fulfill(response=response, body=json.dumps({**response.json(), "problems": problems}))

    page.route("**/api/dashboards/profile/info*", cut)
    page.goto(f"{address}#profile&profile.run=resnet")
    page.get_by_role("button", name="trace ends in step 423").click()
    expect(page.get_by_role("dialog", name="Problems of the trace")).to_contain_text("3 slices are out of order")


def test_compare_says_what_changed(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#profile&profile.run=resnet&profile.page=compare&profile.other_run=slower")
    expect(page.get_by_role("region", name="What changed").get_by_role("listitem").first).to_contain_text("longer")
    breakdown = page.get_by_role("region", name="Breakdown")
    expect(breakdown.get_by_role("row", name="Input")).to_contain_text("+3.0")
    with page.expect_download() as download:
        page.get_by_role("region", name="Operators").get_by_role("link", name="CSV").click()
    assert download.value.path().read_text().startswith("name,a_calls,b_calls,a_ns,b_ns,explains")
    page.get_by_role("button", name="Swap").click()
    expect(page).to_have_url(re.compile(r"profile\.run=slower.*profile\.other_run=resnet|profile\.other_run=resnet.*"))
    expect(page.get_by_role("region", name="What changed").get_by_role("listitem").first).to_contain_text("shorter")


def test_the_page_of_a_run_shows_its_last_profile(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}run/resnet")
    card = page.get_by_role("region", name="Profile")
    expect(card).to_contain_text("mean step")
    above, files = card.bounding_box(), page.get_by_role("region", name="Files").bounding_box()
    assert above and files
    assert 0 < files["y"] - (above["y"] + above["height"]) < 40  # rows of cards are as high as their cards
    card.get_by_role("link", name="Open in Profile").click()
    expect(page.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")


def test_without_any_profile_three_ways_to_record_one(tmp_path: Path, open_page: OpenPage) -> None:
    logdir = tmp_path / "runs"
    write_run(logdir / "plain")
    with served_in_process(logdir) as address:
        page = open_page(f"{address}#profile")
        empty = page.get_by_role("region", name="No profiles yet")
        expect(empty).to_contain_text("seamark.profile()")
        expect(empty.get_by_role("button", name=re.compile("^Copy"))).to_have_count(3)
        page.goto("about:blank")


def test_the_rules_are_shown_without_the_network(address: str, open_page: OpenPage) -> None:
    page = overview(open_page, address, width=400)
    page.get_by_role("button", name="Rules and thresholds").click()
    dialog = page.get_by_role("dialog", name="Rules and thresholds")
    expect(dialog.get_by_role("row", name="input_bound")).to_contain_text("5 %")
    expect(dialog.get_by_role("row")).to_have_count(25)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_tables_of_tensorflow_are_shown_without_a_trace(tmp_path: Path, open_page: OpenPage) -> None:
    steps = [
        PerGenericStepDetails(step_number=number, step_time_ms=10, host_wait_input_ms=4, device_compute_ms=5)
        for number in (3, 4)
    ]
    packed = [PackedMessage(type_url="x/y.PerGenericStepDetails", value=step.SerializeToString()) for step in steps]
    analysis = InputPipelineAnalysisResult(hardware_type="GPU", step_details=packed)
    folder = tmp_path / "run" / "plugins" / "profile" / "2020_05_01_10_00_00"
    folder.mkdir(parents=True)
    (folder / "vm.overview_page.pb").write_bytes(OverviewPage(input_analysis=analysis).SerializeToString())
    with served_in_process(tmp_path) as address:
        page = overview(open_page, address, run="run")
        expect(page.get_by_role("region", name="Input share")).to_contain_text("40.0%")
        expect(page.get_by_role("region", name="Idle and overlap")).to_have_count(0)
        expect(page.get_by_role("tab")).to_have_text(["Overview", "Input", "Compare"])
        expect(page.get_by_text("No rule has what it needs")).to_be_visible()
