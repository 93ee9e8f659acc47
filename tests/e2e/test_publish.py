"""Published sites in a real browser, on hosts with and without byte ranges: the same page, the same numbers, no server."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import seamark
from seamark.cli import main
from tests.e2e.conftest import TIMEOUT_MS, OpenPage
from tests.e2e.every_kind import write_every_kind
from tests.e2e.scalar_cards import card, write_run
from tools.in_process import served_in_process
from tools.static_host import StaticHost, hosted

HostFolder = Callable[..., tuple[str, StaticHost]]
PHRASE = "correct horse battery"
SPIKE_AT = 12_345
POINTS = 20_000
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("runs")
    write_every_kind(logdir)
    values = np.sin(np.arange(POINTS) / 900) + np.random.default_rng(1).normal(0, 0.05, POINTS)
    values[SPIKE_AT] = 9.0
    write_run(logdir / "long", {"train/long": values})
    write_run(logdir / EVIL, {EVIL: [1.0, 2.0]})
    write_examples(logdir)
    return logdir


def write_examples(logdir: Path) -> None:
    ages = np.arange(20, 60)
    with seamark.init(dir=logdir, name="examples", console=False) as run:
        table = {"age": ages, "city": np.where(ages < 40, "Rome", "Oslo"), "label": ages > 45}
        run.log_examples(table, (ages - 20) / 40, step=1, truth="label")


@pytest.fixture(scope="module")
def sites(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A plain site and an encrypted one, each below a path, as on GitHub Pages."""
    folder = tmp_path_factory.mktemp("hosts")
    words = ["publish", str(logs), "--index_dir", "none", "--state_dir", "none"]
    assert main([*words, "-o", str(folder / "plain" / "repository")]) == 0
    passphrase = folder / "passphrase"
    passphrase.write_text(PHRASE)
    encrypted = ["--encrypt", "--passphrase_file", str(passphrase)]
    assert main([*words, *encrypted, "-o", str(folder / "encrypted" / "repository")]) == 0
    return folder / "plain", folder / "encrypted"


@pytest.fixture(scope="module")
def long_run(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs and a site of one run: colours depend on the order in which a server finds runs."""
    folder = tmp_path_factory.mktemp("long_run")
    (folder / "runs").mkdir()
    (folder / "runs" / "long").symlink_to(logs / "long")
    words = ["publish", str(folder / "runs"), "--index_dir", "none", "--state_dir", "none"]
    assert main([*words, "-o", str(folder / "site")]) == 0
    return folder


@pytest.fixture
def host() -> Iterator[HostFolder]:
    """Hosts folders until the pages are closed: tests name this fixture before open_page."""
    with ExitStack() as hosts:

        def host_folder(folder: Path, *, has_ranges: bool = True) -> tuple[str, StaticHost]:
            return hosts.enter_context(hosted(folder, has_ranges=has_ranges))

        yield host_folder


@pytest.fixture(params=["plain, no ranges", "encrypted, ranges"])
def opened(
    request: pytest.FixtureRequest, sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage
) -> Iterator[Callable[..., Page]]:
    """Opens a part of the site, unlocked. No request may go to an API."""
    is_plain, has_ranges = request.param.startswith("plain"), "no ranges" not in request.param
    address, server = host(sites[0] if is_plain else sites[1], has_ranges=has_ranges)

    def open_part(part: str = "", **options: object) -> Page:
        page = open_page(f"{address}repository/{part}", **options)
        if not is_plain:
            page.get_by_label("Passphrase").fill(PHRASE)
            page.get_by_role("button", name="Open", exact=True).click()
        return page

    yield open_part
    assert [path for path in server.paths if "/api/" in path] == []


def chart(page: Page, tag: str) -> Page:
    expect(card(page, tag).first.locator(".chart").first).to_have_attribute("data-drawn", re.compile("[1-9]"))
    return page


def picture_of(page: Page, tag: str) -> bytes:
    chart(page, tag)
    expect(card(page, tag).first).to_contain_text("20,000 points")
    page.mouse.move(0, 0)
    return card(page, tag).first.locator(".chart").first.screenshot()


@pytest.mark.parametrize(
    "view",
    [
        "#scalars&tagFilter=train/long",
        f'#scalars&tagFilter=train/long&scalars.cards={{"train/long":{{"x":[{SPIKE_AT - 40},{SPIKE_AT + 40}]}}}}',
        "#scalars&tagFilter=train/long&axis=relative&smoothing=0.9",
    ],
)
def test_charts_equal_those_of_a_server(view: str, long_run: Path, host: HostFolder, open_page: OpenPage) -> None:
    """To the pixel: the page computes the windows that a server sends."""
    address, _ = host(long_run / "site")
    site = open_page(f"{address}{view}")
    with served_in_process(long_run / "runs") as server:
        page = open_page(f"{server}{view}")
        deadline = time.monotonic() + TIMEOUT_MS / 1000
        # A server may still read, and a page may still draw.
        while picture_of(site, "train/long") != picture_of(page, "train/long"):
            assert time.monotonic() < deadline, "the pictures differ"


def test_every_kind_is_there(opened: Callable[..., Page]) -> None:
    page = opened("#scalars")
    expect(page.get_by_text("Published", exact=False).first).to_be_visible()
    chart(page, "train/loss")
    page.get_by_role("link", name="Images").click()
    expect(page.get_by_role("article", name="samples/picture, first").locator("img[data-ready=true]")).to_be_visible()
    page.get_by_role("link", name="Histograms").click()
    expect(page.get_by_role("article").filter(has_text="weights").first).to_contain_text("5 steps")
    page.get_by_role("link", name="Text").click()
    expect(page.locator("strong", has_text="first").first).to_be_visible()


def test_zoom_reads_every_point(opened: Callable[..., Page]) -> None:
    page = opened("#scalars&tagFilter=train/long")
    chart(page, "train/long")
    expect(card(page, "train/long")).to_contain_text("20,000 points")
    box = card(page, "train/long").locator(".chart").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.55, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, y + 2, steps=5)
    page.mouse.up()
    expect(card(page, "train/long")).to_contain_text(re.compile(r"[\d,]+ of 20,000 points"))


def test_hparams_and_run_page_and_comparison(opened: Callable[..., Page]) -> None:
    page = opened("#hparams")
    expect(page.get_by_role("row").filter(has_text="adam").first).to_be_visible()
    page = opened('#hparams&hparams.seeds=["param:rate"]&hparams.where={"param:optimizer":["adam"]}')
    expect(page.get_by_role("grid", name="Trials")).to_have_attribute("aria-rowcount", "2")
    expect(page.get_by_role("row").filter(has_text="first ×2")).to_be_visible()
    page = opened("#scalars&runFilter=rate%20%3C%200.3")
    # As on a server, the session of a trial is part of the row of its run.
    expect(page.get_by_role("complementary", name="Runs")).to_contain_text("1 of 5 runs shown")
    page = opened("?at=run/first")
    expect(page.get_by_role("heading", name="first")).to_be_visible()
    page = opened("?at=compare&runs=first,second")
    expect(page.get_by_role("heading", name="2 runs compared")).to_be_visible()
    expect(page.get_by_text("train/loss").first).to_be_visible()


def test_wrong_passphrase_gets_a_sentence_and_another_try(
    sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage
) -> None:
    address, _ = host(sites[1])
    page = open_page(f"{address}repository/")
    expect(page).to_have_title("Seamark")
    field = page.get_by_label("Passphrase")
    field.fill("wrong")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The passphrase is wrong.")
    field.fill(PHRASE)
    field.press("Enter")
    chart(page, "train/loss")


def test_damaged_file_gets_a_sentence(
    sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage, tmp_path: Path
) -> None:
    """Exchanged files are noticed: every one is bound to its name."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in (sites[1] / "repository").rglob("*"):
        if path.is_file():
            target = copy / path.relative_to(sites[1] / "repository")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(bytes(path.stat().st_size) if path.suffix == ".bin" else path.read_bytes())
    address, _ = host(copy)
    page = open_page(address)
    page.get_by_label("Passphrase").fill(PHRASE)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("was damaged or exchanged")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        pytest.param(Path.unlink, "a file of this site is missing", id="missing"),
        pytest.param(lambda file: os.truncate(file, 50), "a file of this site is cut short", id="cut short"),
        pytest.param(
            lambda file: file.write_bytes(bytes(file.stat().st_size)), "a file of this site is damaged", id="zeros"
        ),
    ],
)
def test_bad_files_get_a_sentence(
    spoil: Callable[[Path], object],
    sentence: str,
    sites: tuple[Path, Path],
    host: HostFolder,
    open_page: OpenPage,
    tmp_path: Path,
) -> None:
    shutil.copytree(sites[0] / "repository", tmp_path / "site")
    index = json.loads((tmp_path / "site" / "site.json").read_text())["file"]
    for file in (tmp_path / "site" / "data").iterdir():
        if file.stem != index:
            spoil(file)
    address, _ = host(tmp_path / "site")
    page = open_page(f"{address}#scalars", may_complain=True)
    expect(page.get_by_role("alert").first).to_contain_text(sentence)


def test_whatif_shows_what_is_stored_and_says_what_is_not(opened: Callable[..., Page]) -> None:
    page = opened("#whatif")
    expect(page.get_by_text("This is a published site: no model runs here").first).to_be_visible()
    expect(page.get_by_role("button", name="Schema")).to_have_count(0)
    expect(page.get_by_role("tabpanel").locator("table")).to_contain_text("TP")
    page.locator(".explore").get_by_text("Table", exact=True).click()
    expect(page.locator(".explore [role=row]").filter(has_text="Rome").first).to_be_visible()
    where = quote(json.dumps([{"column": "city", "values": ["Oslo"]}]))
    page = opened(f"#whatif&whatif.where={where}")
    expect(page.get_by_role("application", name=re.compile("against age, 20 rows"))).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_contain_text("This needs a running server")


def test_site_that_is_missing_its_data_says_so(
    sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage, tmp_path: Path
) -> None:
    (tmp_path / "assets").symlink_to(sites[0] / "repository" / "assets")
    for name in ("index.html", "theme.js", "favicon.svg"):
        (tmp_path / name).write_bytes((sites[0] / "repository" / name).read_bytes())
    address, _ = host(tmp_path)
    page = open_page(address, may_complain=True)
    expect(page.get_by_role("alert")).to_contain_text("the data of this site cannot be read: site.json")


def test_what_needs_a_server_says_so(sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage) -> None:
    address, _ = host(sites[0])
    page = open_page(f"{address}repository/#projector")
    page.get_by_role("button", name="t-SNE").click()
    expect(page.get_by_text("This needs a running server").first).to_be_visible()


def test_no_control_needs_a_server(sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage) -> None:
    """What a visitor cannot do is not offered: editing runs and layouts, opening files, the state of running runs."""
    address, _ = host(sites[0])
    page = open_page(f"{address}repository/#scalars")
    chart(page, "train/loss")
    expect(page.locator(".live.published")).to_be_visible()
    row = page.locator("[role=treegrid] [role=row]").filter(has_text="a").last
    row.click(button="right")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    for words in ("Star", "Rename", "Edit", "Delete", "Archive"):
        expect(menu.get_by_role("menuitem", name=re.compile(words))).to_have_count(0)
    expect(page.locator("[role=treegrid]").get_by_label("finished").first).to_be_visible()
    expect(page.locator("[role=treegrid]").get_by_label(re.compile("writing|running|idle"))).to_have_count(0)
    page.goto(f"{address}repository/#projector")
    expect(page.get_by_role("button", name="t-SNE")).to_be_visible()
    expect(page.get_by_text("Drop a file here")).to_have_count(0)


def test_changes_stay_in_the_page(sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage) -> None:
    """Pins work for the visitor, and nothing is written anywhere."""
    address, server = host(sites[0])
    page = open_page(f"{address}repository/#scalars&tagFilter=train/loss")
    chart(page, "train/loss")
    card(page, "train/loss").first.hover()
    card(page, "train/loss").first.get_by_role("button", name=re.compile("^Pin")).first.click()
    expect(page.get_by_text("Pinned").first).to_be_visible()
    assert all(path.startswith("/repository/") for path in server.paths)


def test_narrow_page_in_the_dark(sites: tuple[Path, Path], host: HostFolder, open_page: OpenPage) -> None:
    address, _ = host(sites[0])
    page = open_page(f"{address}repository/", width=400, height=800, theme="dark")
    chart(page, "train/loss")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
