"""The Trace page of Profile: zoom, pan, selection, area, search, pins, keys, table, flame graph and the address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.profiles.testing_events import (
    Event,
    json_of,
    kernel_event,
    launch_event,
    slice_event,
    step_event,
    stream_names,
)
from tests.e2e.conftest import OpenPage, pick
from tools.in_process import served_in_process

MS = 1_000_000
HOSTILE = "<img src=x onerror=alert(1)>"
STEPS = 3
STEP_NS = 100 * MS


def step_events(step: int) -> list[Event]:
    """Four operators, each with a launch and a kernel; the third kernel is the longest. Then a collective."""
    start = step * STEP_NS
    events = [step_event(step + 1, start, STEP_NS), slice_event("forward", start + MS, 60 * MS)]
    for index in range(4):
        at = start + (2 + 14 * index) * MS
        correlation = 10 * step + index + 1
        events += [
            slice_event("aten::conv2d" if index % 2 else "aten::addmm", at, 12 * MS),
            launch_event(at + MS, 2 * MS, correlation),
            kernel_event("sgemm", at + 4 * MS, (8 + 2 * (index == 2)) * MS, correlation),
        ]
    return [*events, kernel_event("ncclDevKernel_AllReduce", start + 70 * MS, 20 * MS, 1000 + step, stream=20)]


def write_trace(folder: Path, steps: int = STEPS) -> None:
    folder.mkdir(parents=True)
    memory = [
        {"ph": "C", "name": "memory", "pid": 0, "ts": at * 1000, "args": {"allocated": 1000 * at}} for at in (0, 50, 90)
    ]
    hostile = slice_event(HOSTILE, steps * STEP_NS, 20 * MS)
    events = [event for step in range(steps) for event in step_events(step)]
    text = json_of([*stream_names(0, 7, 20), *events, *memory, hostile])
    (folder / "rank0.pt.trace.json").write_bytes(text)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("profiles")
    write_trace(logdir / "one")
    write_trace(logdir / "two", steps=1)
    with served_in_process(logdir) as address:
        yield address


def open_trace(open_page: OpenPage, address: str, hash: str = "", **options: int) -> Page:
    page = open_page(f"{address}#profile&profile.run=one&profile.page=trace{hash}", **options)
    expect(canvas(page)).to_have_attribute("data-slices", re.compile("[1-9]"))
    return page


def canvas(page: Page) -> Locator:
    return page.locator("#trace-canvas canvas")


def trace(page: Page) -> Locator:
    return page.get_by_role("application", name=re.compile("^Trace from"))


def length(page: Page) -> float:
    return number(page, "end") - number(page, "start")


def number(page: Page, name: str) -> float:
    return float(canvas(page).get_attribute(f"data-{name}") or "nan")


def parameter(page: Page, name: str) -> str | None:
    """Of the address."""
    found = parse_qs(urlsplit(page.url).fragment).get(f"profile.{name}")
    return found[0] if found else None


def wait_for_parameter(page: Page, name: str, value: str = "") -> None:
    """The page writes the address a moment later."""
    expect(page).to_have_url(re.compile(rf"profile\.{name}={value}"))


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def find(page: Page, text: str) -> Locator:
    field = page.get_by_role("textbox", name="Find slices by name")
    field.fill(text)
    return field


def select_longest(page: Page, text: str) -> None:
    find(page, text)
    expect(page.get_by_role("search")).to_contain_text("found")
    trace(page).press("j")
    expect(panel(page, "Slice")).to_contain_text(text)


def drag(page: Page, start: tuple[float, float], end: tuple[float, float], *keys: str) -> None:
    box = trace(page).bounding_box()
    assert box
    for key in keys:
        page.keyboard.down(key)
    page.mouse.move(box["x"] + start[0], box["y"] + start[1])
    page.mouse.down()
    page.mouse.move(box["x"] + end[0], box["y"] + end[1], steps=4)
    page.mouse.up()
    for key in keys:
        page.keyboard.up(key)


def test_keys_work_where_the_pointer_is(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    trace(page).hover()
    page.keyboard.press("]")
    expect(page.get_by_text("Time in step 2")).to_be_visible()
    page.get_by_label("Find slices by name").click()
    trace(page).hover()
    page.keyboard.press("w")
    expect(page.get_by_label("Find slices by name")).to_have_value("w")


def test_a_search_begins_without_the_pointer(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    expect(trace(page)).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_label("Find slices by name")).to_be_focused()


def test_keys_zoom_pan_and_go_from_step_to_step(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    whole = length(page)
    trace(page).press("]")
    expect(page.get_by_text("Time in step 2")).to_be_visible()
    # The text changes before the picture is painted.
    page.wait_for_function(
        "ns => { const d = document.querySelector('#trace-canvas canvas').dataset; return Math.abs(d.end - d.start - ns) < ns / 100 }",
        arg=1.1 * STEP_NS,
    )
    before = number(page, "start")
    trace(page).press("]")
    expect(page.get_by_text("Time in step 3")).to_be_visible()
    trace(page).press("[")
    expect(page.get_by_text("Time in step 2")).to_be_visible()
    expect(canvas(page)).to_have_attribute("data-start", str(int(before)))
    trace(page).press("d")
    page.wait_for_function("ns => +document.querySelector('#trace-canvas canvas').dataset.start > ns", arg=before)
    trace(page).press("w")
    page.wait_for_function("ns => +document.querySelector('#trace-canvas canvas').dataset.end < ns", arg=2.2 * STEP_NS)
    wait_for_parameter(page, "start")
    trace(page).press("0")
    page.wait_for_function(
        "([ns]) => { const d = document.querySelector('#trace-canvas canvas').dataset; return d.end - d.start == ns }",
        arg=[whole],
    )


def test_the_wheel_zooms_with_control_and_scrolls_without(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address, height=500)
    whole = length(page)
    trace(page).hover(position={"x": 600, "y": 120})
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(
        "ns => { const d = document.querySelector('#trace-canvas canvas').dataset; return d.end - d.start < ns }",
        arg=whole,
    )
    narrower = length(page)
    start = number(page, "start")
    page.mouse.wheel(300, 0)
    expect(canvas(page)).not_to_have_attribute("data-start", str(int(start)))
    assert length(page) == pytest.approx(narrower, rel=0.001)
    tracks = page.get_by_role("group", name="Tracks")
    expect(tracks.get_by_role("button", name="process 100", exact=True)).to_be_visible()
    page.mouse.wheel(0, 60)
    # Only what is on the screen is in the document.
    expect(tracks.get_by_role("button", name="process 100", exact=True)).to_have_count(0)


def test_a_click_selects_a_slice_and_shows_its_launch(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    select_longest(page, "sgemm")
    expect(canvas(page)).to_have_attribute("data-selected", re.compile(r"\d"))
    left, width, top = map(int, (canvas(page).get_attribute("data-selected") or "").split(","))
    trace(page).press("Escape")
    expect(panel(page, "Slice")).to_contain_text("Click a slice")
    trace(page).click(position={"x": left + width / 2, "y": top + 8})
    details = panel(page, "Slice")
    expect(details).to_contain_text("sgemm")
    expect(details).to_contain_text("10 ms")
    expect(details.get_by_role("button", name="All 12 like it")).to_be_visible()
    details.get_by_role("button", name="cudaLaunchKernel").click()
    expect(details).to_contain_text("Launches")


def test_arrows_walk_between_slices_and_the_label_says_which(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    select_longest(page, "aten::conv2d")
    trace(page).press("ArrowUp")
    expect(page.get_by_role("application", name=re.compile("forward selected"))).to_be_visible()
    trace(page).press("ArrowDown")
    expect(page.get_by_role("application", name=re.compile("aten::addmm selected"))).to_be_visible()
    trace(page).press("ArrowRight")
    expect(page.get_by_role("application", name=re.compile("aten::conv2d selected"))).to_be_visible()
    trace(page).press("ArrowLeft")
    expect(page.get_by_role("application", name=re.compile("aten::addmm selected"))).to_be_visible()


def test_an_area_is_summed_and_saved_as_a_trace(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    # The step itself as the area: every track.
    select_longest(page, "ProfilerStep#2")
    trace(page).press("m")
    sums = panel(page, "Marked area")
    expect(sums).to_contain_text("100 ms on")
    expect(sums.get_by_role("row", name=re.compile("^sgemm"))).to_contain_text("34 ms")
    expect(sums).to_contain_text("tracks overlap")
    sums.get_by_role("button", name="By category").click()
    expect(sums.get_by_role("row", name=re.compile("^collective"))).to_contain_text("20 ms")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save area").click()
    saved = json.loads(saving.value.path().read_bytes())
    names = [event["name"] for event in saved["traceEvents"] if event.get("ph") == "X"]
    assert names.count("sgemm") == 4
    wait_for_parameter(page, "sums", "activity")
    page.reload()
    expect(sums).to_contain_text("100 ms on")
    expect(sums.get_by_role("button", name="By category")).to_have_attribute("aria-pressed", "true")
    expect(panel(page, "Slice")).to_contain_text("ProfilerStep#2")
    trace(page).press("Escape")
    trace(page).press("Escape")
    expect(sums).to_contain_text("Drag over tracks")


def test_a_drag_marks_the_tracks_that_it_crosses(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    label = page.get_by_role("group", name="Tracks").get_by_text("stream 7", exact=True)
    box, at = trace(page).bounding_box(), label.bounding_box()
    assert box and at
    y = at["y"] + at["height"] / 2 - box["y"]
    drag(page, (200, y), (700, y))
    expect(panel(page, "Marked area")).to_contain_text("on 1 track")
    expect(panel(page, "Marked area")).not_to_contain_text("aten::conv2d")
    # On the ruler it is all tracks.
    drag(page, (200, 78), (700, 78))
    expect(panel(page, "Marked area").get_by_role("row", name=re.compile("aten::conv2d"))).to_be_visible()
    before = number(page, "start")
    trace(page).press("w")
    expect(canvas(page)).not_to_have_attribute("data-start", str(int(before)))
    before = number(page, "start")
    wait_for_parameter(page, "area", r"\d+-\d+(&|$)")
    area = parameter(page, "area")
    drag(page, (700, y), (500, y), "Shift")
    expect(canvas(page)).not_to_have_attribute("data-start", str(int(before)))
    assert parameter(page, "area") == area


def test_search_counts_matches_and_goes_through_them(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    field = find(page, "nccldev")
    search = page.get_by_role("search")
    expect(search).to_contain_text("3 found")
    field.press("Enter")
    expect(search).to_contain_text("1 of 3")
    wait_for_parameter(page, "slice")
    first = parameter(page, "slice")
    field.press("Enter")
    expect(search).to_contain_text("2 of 3")
    field.press("Shift+Enter")
    expect(search).to_contain_text("1 of 3")
    page.get_by_role("button", name="Next match").click()
    expect(search).to_contain_text("2 of 3")
    expect(page).not_to_have_url(re.compile(rf"profile\.slice={first}(&|$)"))
    page.reload()
    expect(search).to_contain_text("2 of 3")
    find(page, "nobody")
    expect(search).to_contain_text("No matches")
    find(page, HOSTILE)
    expect(search).to_contain_text("1 found")
    trace(page).press("j")
    expect(panel(page, "Slice")).to_contain_text(HOSTILE)


def test_tracks_are_pinned_collapsed_hidden_and_moved(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    tracks = page.get_by_role("group", name="Tracks")
    select_longest(page, "ncclDevKernel_AllReduce")
    trace(page).press("p")
    expect(tracks.get_by_text("Pinned")).to_be_visible()
    expect(tracks.get_by_role("button", name="Unpin stream 20")).to_have_count(1)
    tracks.get_by_role("button", name="GPU 0").click()
    expect(tracks.get_by_text("stream 7", exact=True)).to_have_count(0)
    wait_for_parameter(page, "collapsed", "p")
    page.reload()
    expect(tracks.get_by_role("button", name="Unpin stream 20")).to_have_count(1)
    expect(tracks.get_by_text("stream 7", exact=True)).to_have_count(0)
    tracks.get_by_role("button", name="GPU 0").click()
    tracks.get_by_role("button", name="Unpin stream 20").focus()
    page.keyboard.press("Enter")
    tracks.get_by_role("button", name="Move stream 20").focus()
    above = tracks.get_by_text("stream 7", exact=True).bounding_box()
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_function(
        "top => document.evaluate(\"//span[text()='stream 7']\", document, null, 9).singleNodeValue"
        ".getBoundingClientRect().top > top",
        arg=above and above["y"],
    )
    page.get_by_role("button", name=re.compile("^Tracks")).click()
    page.get_by_role("checkbox", name="stream 7").uncheck()
    page.keyboard.press("Escape")
    expect(tracks.get_by_text("stream 7", exact=True)).to_have_count(0)


def test_the_table_and_the_flame_graph_are_views_of_the_same_window(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    trace(page).press("]")
    wait_for_parameter(page, "start")
    trace(page).press("v")
    table = page.get_by_role("region", name="Slices in view")
    expect(table).to_be_focused()
    expect(table.get_by_role("button", name="ncclDevKernel_AllReduce")).to_have_count(1)
    table.press("v")
    expect(trace(page)).to_be_visible()
    page.get_by_role("button", name="Flame graph").click()
    graph = page.get_by_role("region", name="Flame graph")
    bar = graph.get_by_role("button", name="aten::conv2d").first
    expect(bar).to_have_attribute("title", re.compile("24 ms"))
    bar.click()
    expect(graph.get_by_role("button", name="All", exact=True)).to_be_visible()
    wait_for_parameter(page, "view", "graph")
    page.reload()
    expect(graph.get_by_role("button", name="sgemm").first).to_be_visible()


def test_steps_are_drawn_by_hand(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    page.get_by_role("button", name="More", exact=True).last.click()
    page.get_by_role("menuitemcheckbox", name="Draw steps by hand").click()
    drag(page, (100, 200), (300, 220))
    expect(page.get_by_text("1 step drawn")).to_be_visible()
    drag(page, (400, 200), (600, 220))
    expect(page.get_by_text("2 steps drawn")).to_be_visible()
    expect(page.get_by_role("group", name="Tracks")).to_contain_text("2 steps")
    page.get_by_role("button", name="Remove all").click()
    expect(page.get_by_role("group", name="Tracks")).to_contain_text("3 steps")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("each marked area becomes a step")).to_have_count(0)


def test_a_link_with_a_slice_shows_its_surroundings(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    select_longest(page, "sgemm")
    wait_for_parameter(page, "slice")
    number_of_slice = parameter(page, "slice")
    linked = open_trace(open_page, address, f"&profile.slice={number_of_slice}&profile.marked={number_of_slice},0")
    expect(panel(linked, "Slice")).to_contain_text("sgemm")
    linked.wait_for_function(
        "ns => { const d = document.querySelector('#trace-canvas canvas').dataset; return d.end - d.start <= ns }",
        arg=9.1 * 10 * MS,
    )
    wrong = open_page(
        f"{address}#profile&profile.page=trace&profile.slice=999999&profile.area=x&profile.start=9&profile.end=1",
        may_complain=True,
    )
    expect(panel(wrong, "Slice").get_by_role("alert")).to_contain_text("there is no slice 999999")


def test_another_profile_begins_without_the_state_of_the_last(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address)
    select_longest(page, "ProfilerStep#3")
    trace(page).press("m")
    expect(panel(page, "Marked area")).to_contain_text("100 ms on")
    pick(page.locator(".profile"), "Run", "two")
    expect(page.get_by_role("group", name="Tracks")).to_contain_text("1 step")
    expect(panel(page, "Marked area")).to_contain_text("Drag over tracks")
    expect(panel(page, "Slice")).to_contain_text("Click a slice")
    page.wait_for_function("ns => +document.querySelector('#trace-canvas canvas').dataset.end < ns", arg=2 * STEP_NS)


def touch(page: Page, *moments: tuple[tuple[float, float], ...]) -> None:
    """Fingers on the canvas: where they are at each moment."""
    box = trace(page).bounding_box()
    assert box
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for index, fingers in enumerate(moments):
        points = [{"x": box["x"] + x, "y": box["y"] + y, "id": id} for id, (x, y) in enumerate(fingers)]
        client.send("Input.dispatchTouchEvent", {"type": "touchMove" if index else "touchStart", "touchPoints": points})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_on_a_phone_the_tools_are_in_a_menu(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address, width=400, height=800)
    assert page.evaluate("document.documentElement.scrollWidth <= 400")
    page.get_by_role("button", name="More", exact=True).last.click()
    page.get_by_role("menuitemcheckbox", name="Flame graph").click()
    expect(page.get_by_role("region", name="Flame graph")).to_be_visible()


def test_two_fingers_zoom_and_one_pans(address: str, open_page: OpenPage) -> None:
    page = open_trace(open_page, address, width=400, height=800)
    whole = length(page)
    touch(page, ((120, 150), (160, 150)), ((100, 150), (180, 150)), ((60, 150), (220, 150)))
    page.wait_for_function(
        "ns => { const d = document.querySelector('#trace-canvas canvas').dataset; return d.end - d.start < ns / 3 }",
        arg=whole,
    )
    wait_for_parameter(page, "start")
    before, zoomed = number(page, "start"), length(page)
    touch(page, ((200, 150),), ((180, 150),), ((100, 150),))
    page.wait_for_function("start => +document.querySelector('#trace-canvas canvas').dataset.start > start", arg=before)
    assert length(page) == pytest.approx(zoomed, rel=0.001)
    assert parameter(page, "area") is None


def test_a_pool_of_threads_is_one_line_until_it_is_opened(tmp_path: Path, open_page: OpenPage) -> None:
    events = [slice_event("train", 0, 9000), slice_event("aten::mm", 100, 500)]
    for worker in range(6):
        tid = 300 + worker
        name = {"ph": "M", "name": "thread_name", "pid": 100, "tid": tid, "args": {"name": f"loader_{worker}"}}
        events += [name, slice_event("decode", worker * 500, 400, tid=tid)]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "host.1700000000000.pt.trace.json").write_text(json.dumps({"traceEvents": events}))
    with served_in_process(tmp_path) as address:
        page = open_page(f"{address}#profile&profile.page=trace")
        labels = page.get_by_role("group", name="Tracks")
        expect(labels.get_by_text("6 threads")).to_be_visible()
        expect(labels.get_by_text("loader_3")).to_have_count(0)
        labels.get_by_role("button", name="loader", exact=True).click()
        expect(labels.get_by_text("loader_3")).to_be_visible()
