"""What a person sees around the charts: an empty folder, tabs, links that show the same picture, keys, a server that goes away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.compare.test_support import log_run
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tests.e2e.links import link_of
from tests.e2e.scalar_cards import card, write_run
from tools.browser import served
from tools.in_process import served_in_process

# Of the headings in each column: where the highest one is.
HIGHEST_OF_COLUMNS = """heads => {
  const tops = {}
  for (const { left, top } of heads.map(head => head.getBoundingClientRect()))
    tops[left] = Math.min(top, tops[left] ?? top)
  return Object.values(tops)
}"""


@pytest.fixture
def address(logdir: Path) -> Iterator[str]:
    # The folder need not be there.
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def three_runs(logdir: Path) -> None:
    # Long ago: a run that is being written has a dot in its charts, for some seconds.
    values = [1 / (1 + step) for step in range(10)]
    for name in ("alpha", "beta", "gamma"):
        write_run(logdir / name, {"train/loss": values, "eval/loss": values})


def log(file: EventFile, tag: str, steps: range) -> None:
    for step in steps:
        file.add_scalar(tag, 1 / (1 + step), step)
    file.flush()


def live_status(page: Page) -> Locator:
    return page.locator("header [role=status]")


def shown(page: Page) -> Locator:
    return page.locator("aside .count")


def tab(page: Page, title: str) -> Locator:
    return page.get_by_role("navigation", name="Dashboards").get_by_role("link", name=title, exact=True)


def test_an_empty_folder_says_what_is_watched_and_what_to_type(address: str, open_page: OpenPage, logdir: Path) -> None:
    page = open_page(address)
    expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    expect(page.get_by_text(str(logdir), exact=True)).to_be_visible()
    expect(page.get_by_text("not there yet")).to_be_visible()
    expect(page.locator("pre")).to_contain_text(f'SummaryWriter("{logdir}/first")')
    expect(page.get_by_text("seamark --logdir path/to/logs")).to_be_visible()


def test_runs_appear_and_grow_without_a_reload(address: str, open_page: OpenPage, logdir: Path) -> None:
    page = open_page(address)
    expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    with EventFile(logdir / "first") as file:
        log(file, "train/loss", range(50))
        expect(card(page, "train/loss")).to_be_visible()
        expect(card(page, "train/loss")).to_contain_text("50 points")
        log(file, "train/loss", range(50, 80))
        expect(card(page, "train/loss")).to_contain_text("80 points")
        log(file, "eval/loss", range(3))
        expect(card(page, "eval/loss")).to_be_visible()
    expect(page.locator("header .live")).to_contain_text("live")


def test_tabs_are_for_what_has_data_and_go_into_the_address(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(address)
    tab(page, "Scalars").click()
    expect(tab(page, "Scalars")).to_have_attribute("aria-current", "page")
    expect(page).to_have_url(re.compile("#scalars$"))
    tab(page, "Time series").click()
    page.go_back()
    expect(tab(page, "Scalars")).to_have_attribute("aria-current", "page")


def test_at_900_pixels_nothing_is_lost_and_nothing_overflows(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}#scalars", width=900, height=700)
    expect(card(page, "train/loss")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelector('header').scrollWidth <= innerWidth")
    expect(page.get_by_role("button", name="Settings", exact=True)).to_be_visible()
    expect(tab(page, "Scalars")).to_be_visible()


def test_tabs_scroll_where_it_is_narrow_and_those_without_data_are_under_more(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}#scalars", width=320, height=600)
    expect(tab(page, "Scalars")).to_have_attribute("aria-current", "page")
    tab(page, "Time series").click()
    expect(tab(page, "Time series")).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Mesh").click()
    expect(tab(page, "Mesh")).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize(
    ("link", "runs", "tags", "smoothing"),
    [
        ("#scalars", 3, ["eval/loss", "train/loss"], "2"),
        ("#scalars&regexInput=alpha", 1, ["eval/loss", "train/loss"], "2"),
        ("#scalars&smoothing=0.8&regexInput=alpha|beta", 2, ["eval/loss", "train/loss"], "0.8"),
        ("#timeseries&tagFilter=^train", 3, ["train/loss"], "2"),
        ("?tagFilter=eval&runFilter=a$&smoothing=0.25#timeseries", 3, ["eval/loss"], "0.25"),
        ("?runFilter=gamma", 1, ["eval/loss", "train/loss"], "2"),
        ("#scalars&runFilter=(", 3, ["eval/loss", "train/loss"], "2"),
        ("#scalars&smoothing=loud", 3, ["eval/loss", "train/loss"], "2"),
    ],
)
def test_deep_links(
    address: str, open_page: OpenPage, three_runs: None, link: str, runs: int, tags: list[str], smoothing: str
) -> None:
    page = open_page(address + link)
    expect(shown(page)).to_have_text(f"{runs} of 3 runs shown")
    for tag in tags:
        expect(card(page, tag).first).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(len(tags))
    expect(page.get_by_role("slider", name="Smoothing")).to_have_value(smoothing)


def test_a_link_may_ask_for_the_dark_page_and_for_groups_of_colours(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}?darkMode=true&runColorGroup=regex:(a$)#scalars")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Colour: regex")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/#scalars&darkMode=true&runColorGroup=regex:\(a\$\)$"))


def test_a_copied_link_shows_the_same_picture(address: str, open_page: OpenPage, three_runs: None) -> None:
    page = open_page(f"{address}#scalars")
    page.get_by_role("checkbox", name="Show beta").click()
    page.get_by_label("Filter runs").fill("^(a|b)")
    page.get_by_label("Filter tags by regular expression").fill("train")
    page.get_by_role("button", name="Relative", exact=True).click()
    page.get_by_role("slider", name="Smoothing").fill("3")
    expect(page).to_have_url(re.compile("axis=relative.*runFilter=.*smoothing=3%25.*tagFilter=train"))
    other = open_page(link_of(page))
    expect(shown(other)).to_have_text("1 of 3 runs shown")
    expect(other.get_by_role("article")).to_have_count(1)
    expect(other.get_by_role("button", name="Relative", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(other.get_by_role("slider", name="Smoothing")).to_have_value("3")


def test_the_palette_finds_commands_tags_and_runs(address: str, open_page: OpenPage, three_runs: None) -> None:
    page = open_page(f"{address}#scalars")
    expect(card(page, "train/loss")).to_be_visible()
    page.keyboard.press("Control+k")
    finder = page.get_by_role("combobox", name="Find")
    finder.fill("dark")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Control+k")
    finder.fill("gam")
    expect(page.get_by_role("option").first).to_contain_text("gamma")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("focus=gamma"))
    page.keyboard.press("Control+k")
    finder.fill("eval loss")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_have_count(1)


def test_a_key_right_after_a_command_opens_the_palette_again(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}#scalars")
    expect(card(page, "train/loss")).to_be_visible()
    page.keyboard.press("Control+k")
    finder = page.get_by_role("combobox", name="Find")
    finder.fill("dark")
    # In one task, before the browser's close event of the dialog.
    finder.evaluate(
        """(input) => {
            const press = (on, init) => on.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...init }));
            press(input, { key: "Enter" });
            press(document.activeElement, { key: "k", ctrlKey: true });
        }"""
    )
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(finder).to_be_focused()
    expect(finder).to_have_value("")


def test_a_part_that_cannot_be_loaded_says_so_and_can_be_loaded_again(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page("about:blank", may_complain=True)
    page.route("**/late_parts-*.js", lambda route: route.abort())
    page.goto(f"{address}#scalars")
    expect(card(page, "train/loss")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("alert")).to_contain_text("This part of the page cannot be loaded")
    expect(page.get_by_role("button", name="Reload the page")).to_be_visible()
    page.unroute("**/late_parts-*.js")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("combobox", name="Find")).to_be_focused()


def test_a_tab_opened_while_the_server_was_away_can_be_loaded_again(
    address: str, logdir: Path, open_page: OpenPage, three_runs: None
) -> None:
    log_run(logdir / "trial", {"lr": 0.1}, loss=[1.0])
    page = open_page(f"{address}#timeseries", may_complain=True)
    expect(tab(page, "HParams")).to_be_visible()
    page.route("**/assets/**", lambda route: route.abort())
    tab(page, "HParams").click()
    expect(page.get_by_role("heading", name="HParams cannot be shown")).to_be_visible()
    page.unroute("**/assets/**")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("heading", name="HParams cannot be shown")).to_have_count(0)
    expect(tab(page, "HParams")).to_have_attribute("aria-current", "page")


def test_escape_closes_the_topmost_thing_and_keys_do_not_disturb_typing(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}#scalars")
    expect(card(page, "train/loss")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Close the topmost thing")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Control+f")
    field = page.get_by_label("Filter runs")
    expect(field).to_be_focused()
    page.keyboard.type("n?a")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(field).to_have_value("n?a")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(field).to_be_focused()


def test_the_keys_of_a_view_work_however_soon_it_is_there(address: str, open_page: OpenPage, three_runs: None) -> None:
    page = open_page(f"{address}#scalars")
    for _ in range(4):
        # A page that is loaded again has its view at hand, and makes it together with everything else.
        expect(shown(page)).to_have_text("3 of 3 runs shown")
        expect(card(page, "train/loss")).to_be_visible()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Filter tags")
        tops = page.get_by_role("dialog").get_by_role("heading", level=3).evaluate_all(HIGHEST_OF_COLUMNS)
        assert len(tops) == 2 and tops[0] == pytest.approx(tops[1], abs=1)
        page.keyboard.press("Escape")
        page.reload()


def test_settings_are_a_menu_and_every_one_is_in_the_address(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}#scalars")
    page.get_by_role("button", name="Settings", exact=True).click()
    menu = page.get_by_role("dialog", name="Settings")
    menu.get_by_label("Tooltip order").select_option("descending")
    menu.get_by_label("Zoom all charts together").check()
    menu.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page).to_have_url(re.compile("linkedZoom=true&tooltipSort=descending"))
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.get_by_role("button", name="Settings", exact=True)).to_be_focused()
    # Settings of all charts have their home here, and are not repeated in the menu of one tab.
    page.get_by_role("button", name="Axes & groups").click()
    axes = page.get_by_role("dialog", name="Axes & groups")
    expect(axes.get_by_role("group", name="Y scale of all charts")).to_be_visible()
    for name in ("Tooltip order", "Zoom all charts", "Clip outliers", "What a restart replaced"):
        expect(axes.get_by_label(name)).to_have_count(0)


def test_the_theme_follows_the_system_and_can_be_chosen(address: str, open_page: OpenPage) -> None:
    page = open_page(address, theme="dark")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Theme: system").click()
    expect(root).to_have_attribute("data-theme", "light")
    page.reload()
    expect(root).to_have_attribute("data-theme", "light")


# The pixels of the first chart, as text.
CHART_PIXELS = """() => {
    const canvas = document.querySelector("article canvas");
    if (!canvas?.width || !Number(document.querySelector("article .chart")?.dataset.drawn)) return "";
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    copy.getContext("2d").drawImage(canvas, 0, 0);
    return copy.toDataURL();
}"""


def test_charts_are_drawn_again_in_the_colours_of_another_theme(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    dark = open_page(f"{address}?darkMode=true#scalars")
    dark.wait_for_function(f"() => ({CHART_PIXELS})() !== ''")
    wanted = dark.evaluate(CHART_PIXELS)
    page = open_page(f"{address}#scalars")
    page.wait_for_function(f"() => ({CHART_PIXELS})() !== ''")
    assert page.evaluate(CHART_PIXELS) != wanted
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("theme dark")
    page.keyboard.press("Enter")
    page.wait_for_function(f"wanted => ({CHART_PIXELS})() === wanted", arg=wanted)


def test_a_command_of_the_palette_keeps_the_focus_that_it_sets(
    address: str, open_page: OpenPage, three_runs: None
) -> None:
    page = open_page(f"{address}#scalars")
    expect(card(page, "train/loss")).to_be_visible()
    page.get_by_role("button", name="Settings", exact=True).focus()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("runs: filter")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Filter runs")).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Filter runs")).to_be_focused()


def test_another_axis_removes_the_limits_of_the_last_one(address: str, open_page: OpenPage, three_runs: None) -> None:
    page = open_page(f"{address}#scalars&scalars.zoom=[2,5]")
    expect(card(page, "train/loss")).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("relative time along x")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("axis=relative"))
    expect(page).not_to_have_url(re.compile("zoom="))


def test_names_that_hold_markup_stay_text(address: str, open_page: OpenPage, logdir: Path) -> None:
    evil = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
    with EventFile(logdir / "<b>run</b> 'quoted' \U0001f600") as file:
        log(file, evil, range(3))
        log(file, "x" * 300, range(3))
        log(file, "-/-", range(3))
    with EventFile(logdir / ("long" * 60)) as file:
        log(file, "-/-", range(3))
    page = open_page(address, width=900, height=700)
    expect(shown(page)).to_have_text("2 of 2 runs shown")
    expect(card(page, evil)).to_be_visible()
    assert page.locator("article img, article script, article b, aside .row b, aside .row img").count() == 0
    assert page.title() == "Seamark"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("<img")
    expect(page.get_by_role("option")).to_contain_text([evil])
    assert page.locator("[role=listbox] img").count() == 0


def test_a_lost_server_is_told_and_what_was_drawn_stays(open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "a") as file:
        log(file, "loss", range(10))
    with served("--logdir", str(logdir)) as address:
        # The browser reports refused connections in the console, as it should.
        page = open_page(address, may_complain=True)
        expect(card(page, "loss")).to_be_visible()
    expect(live_status(page)).to_contain_text("Reconnecting")
    expect(card(page, "loss")).to_be_visible()
    expect(shown(page)).to_have_text("1 of 1 run shown")


def test_after_a_restart_of_the_server_the_page_goes_on(open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "a") as file:
        log(file, "loss", range(10))
        with served("--logdir", str(logdir)) as address:
            page = open_page(address, may_complain=True)
            expect(card(page, "loss")).to_contain_text("10 points")
        expect(live_status(page)).to_contain_text("Reconnecting")
        log(file, "loss", range(10, 25))
        with served("--logdir", str(logdir), "--port", address.rstrip("/").rpartition(":")[2]):
            expect(card(page, "loss")).to_contain_text("25 points")
            expect(live_status(page)).not_to_contain_text("Reconnecting")
            log(file, "loss", range(25, 40))
            expect(card(page, "loss")).to_contain_text("40 points")


def test_a_tab_that_is_not_there_is_told_and_opens_no_other(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"loss": [1, 2]})
    page = open_page(address + "#npmi&smoothing=0")
    expect(page.get_by_role("heading", name="NPMI has no page in Seamark yet")).to_be_visible()
    expect(page.get_by_text(f"tensorboard --logdir {logdir}")).to_be_visible()
    expect(page.locator("nav [aria-current]")).to_have_count(0)
    expect(page.get_by_role("article")).to_have_count(0)
    page.goto(address + "#%3Cb%3Enone")
    expect(page.get_by_role("heading", name="No dashboard is called “<b>none”")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Scalars", exact=True).click()
    expect(page.get_by_role("article")).to_have_count(1)
    page.go_back()
    expect(page.get_by_role("heading", name="No dashboard is called “<b>none”")).to_be_visible()
