"""A dashboard of your own, as docs/dashboards.md tells: a new package becomes a tab with a chart, and reloads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tools.browser import served

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "dashboards.md"
TSC = ROOT / "web" / "node_modules" / ".bin" / "tsc"
# ```python path/of/the/file
BLOCK = re.compile(r"^```\w+ (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def new_package(folder: Path, name: str) -> Path:
    """`seamark dashboard NAME`, and what `pip install -e NAME` does without a network: its entry point."""
    subprocess.run([sys.executable, "-m", "seamark", "dashboard", name], check=True, cwd=folder, capture_output=True)
    install = [sys.executable, "-c", "from setuptools import setup; setup()", "--quiet", "egg_info"]
    subprocess.run(install, check=True, cwd=folder / name)
    return folder / name


def with_package(folder: Path) -> Mapping[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)}


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    for name, slope in (("<b>alpha</b>", 1.0), ("beta", 2.0)):
        with EventFile(tmp_path / "runs" / name) as file:
            for step in range(50):
                file.add_scalar("grad/encoder", slope * step, step)
                file.add_scalar("grad/decoder", 2.0 * (step + 1), step)
    return tmp_path / "runs"


def colours_drawn(page: Page) -> int:
    """How many different colours the chart's canvas has."""
    return (
        page.get_by_role("main")
        .locator("canvas")
        .first.evaluate(
            """canvas => {
            const copy = document.createElement("canvas");
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const context = copy.getContext("2d");
            context.drawImage(canvas, 0, 0);
            const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
            return new Set(pixels).size;
        }"""
        )
    )


def expect_drawn(page: Page) -> None:
    chart = page.get_by_role("main").locator("[data-drawn]")
    expect(chart).to_be_visible()
    expect(chart).not_to_have_attribute("data-drawn", "0")
    assert colours_drawn(page) > 2


def test_a_new_package_has_a_chart_that_zooms_and_follows_the_runs(
    tmp_path: Path, logdir: Path, open_page: OpenPage
) -> None:
    package = new_package(tmp_path, "my-tab")
    with served("--logdir", str(logdir), environment=with_package(package)) as address:
        page = open_page(address)
        page.get_by_role("link", name="My tab").click()
        expect_drawn(page)
        items = page.get_by_role("main").get_by_role("listitem")
        expect(items).to_have_text(["<b>alpha</b>: 50 points", "beta: 50 points"])

        overlay = page.get_by_role("main").get_by_label("grad/decoder of the shown runs")
        box = overlay.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.get_by_role("tooltip")).to_contain_text("beta")
        drawn = page.get_by_role("main").locator("[data-drawn]").get_attribute("data-drawn")
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
        page.mouse.up()
        expect(page.get_by_role("main").locator("[data-drawn]")).not_to_have_attribute("data-drawn", str(drawn))

        page.get_by_role("checkbox", name="Show beta").click()
        expect(items).to_have_text(["<b>alpha</b>: 50 points"])
        page.get_by_role("combobox", name="Tag").select_option("grad/encoder")
        expect(page).to_have_url(re.compile(r"#my-tab&my-tab\.tag=grad/encoder&runs=-beta$"))
        with EventFile(logdir / "<b>alpha</b>") as file:
            file.add_scalar("grad/encoder", 7.0, 50)
        expect(items).to_have_text(["<b>alpha</b>: 51 points"])
        page.reload()
        expect(page.get_by_role("combobox", name="Tag")).to_have_value("grad/encoder")
        expect_drawn(page)
        page.close()


def test_a_changed_view_is_loaded_again_in_the_open_page(tmp_path: Path, logdir: Path, open_page: OpenPage) -> None:
    package = new_package(tmp_path, "my_tab")
    view = package / "seamark_my_tab" / "view.js"
    with served("--logdir", str(logdir), "--reload_dashboards", environment=with_package(package)) as address:
        page = open_page(address + "#my_tab")
        items = page.get_by_role("main").get_by_role("listitem")
        expect(items).to_have_text(["<b>alpha</b>: 50 points", "beta: 50 points"])
        page.evaluate("window.isTheSamePage = true")
        good = view.read_text(encoding="utf-8")
        view.write_text("export default {};\n", encoding="utf-8")
        expect(page.get_by_role("alert")).to_contain_text("no default export with a mount function")
        view.write_text(good.replace("} points`", "} rows`"), encoding="utf-8")
        expect(items).to_have_text(["<b>alpha</b>: 50 rows", "beta: 50 rows"])
        expect(page.get_by_role("alert")).to_have_count(0)
        expect_drawn(page)
        assert page.evaluate("window.isTheSamePage")
        page.close()


ABILITIES = """
import { API_VERSION, format, requestBytes, requestColumns, requestJson } from "./seamark-plugin.js";

export default {
  mount(element, context) {
    const results = document.createElement("dl");
    const link = document.createElement("a");
    link.textContent = "Loss on Scalars";
    link.href = context.linkTo("scalars", { tagFilter: "encoder" });
    const focus = document.createElement("button");
    focus.textContent = "Focus on beta";
    focus.onclick = () => context.setFocus("beta");
    element.append(link, focus, results);

    function show(name, value) {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, text.ariaLabel, text.textContent] = [name, name, String(value)];
      results.append(term, text);
    }
    const remove = context.command({ title: "Say hello", run: () => show("command", "hello") });

    async function run() {
      show("version", `${context.apiVersion === API_VERSION} ${API_VERSION}`);
      show("format", format.count(12345));
      show("rejected", await requestJson(context.address("counts")).catch((error) => error.message));
      show("bytes", (await requestBytes(context.address("counts", { tag: "grad/encoder" }))).byteLength);
      const body = { tag: "grad/encoder", run: ["beta"], width: 0, columns: ["mean"] };
      const { header, columns } = await requestColumns("api/series", { body });
      show("columns", `${header.runs} ${columns.mean[49]}`);
      show("nothing saved", await context.saved.load());
      await context.saved.patch({ threshold: 3, old: 1 });
      show("saved", JSON.stringify(await context.saved.patch({ old: null })));
      show("loaded", JSON.stringify(await context.saved.load()));
    }
    void run();
    const unsubscribe = context.subscribe(({ focused, theme }) => show("state", `${focused} ${theme}`));
    return () => {
      unsubscribe();
      remove();
    };
  },
};
"""


def test_a_view_can_request_save_focus_link_and_add_commands(tmp_path: Path, logdir: Path, open_page: OpenPage) -> None:
    package = new_package(tmp_path, "my_tab")
    (package / "seamark_my_tab" / "view.js").write_text(ABILITIES, encoding="utf-8")
    with served("--logdir", str(logdir), environment=with_package(package)) as address:
        # The console has the rejected request.
        page = open_page(address + "#my_tab", may_complain=True)
        for name, value in {
            "version": "true 1",
            "format": "12,345",
            "rejected": "missing parameter 'tag'",
            "bytes": str(len(b'{"<b>alpha</b>":50,"beta":50}')),
            "columns": "beta 98",
            "nothing saved": "undefined",
            "saved": '{"threshold":3}',
            "loaded": '{"threshold":3}',
        }.items():
            expect(page.get_by_label(name, exact=True)).to_have_text(value)
        page.get_by_role("button", name="Focus on beta").click()
        expect(page.get_by_label("state").last).to_have_text("beta light")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Find").fill("Say hello")
        page.keyboard.press("Enter")
        expect(page.get_by_label("command", exact=True)).to_have_text("hello")
        page.get_by_role("link", name="Loss on Scalars").click()
        expect(page).to_have_url(re.compile(r"#scalars&.*tagFilter=encoder"))
        expect(page.get_by_role("main")).to_contain_text("encoder")
        page.close()


def tutorial_commands() -> list[list[str]]:
    """The first commands of the tutorial: make a package, install it, serve it."""
    block = re.search(r"^```sh\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block
    return [line.split() for line in block[1].splitlines()]


def test_the_tutorial_followed_to_the_letter_draws_its_ratio(
    tmp_path: Path, logdir: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, install, serve = tutorial_commands()
    assert make[:2] == ["seamark", "dashboard"]
    assert install == ["pip", "install", "-e", make[2]]
    package = new_package(tmp_path, make[2])
    for block in BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8")):
        assert (package / block["path"]).is_file(), f"the tutorial replaces a file that is not there: {block['path']}"
        (package / block["path"]).write_text(block["text"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with served(*serve[1:], environment=with_package(package)) as address:
        page = open_page(address)
        page.get_by_role("link", name="Gradient ratio").click()
        page.get_by_role("combobox", name="Tag above").select_option("grad/encoder")
        page.get_by_role("combobox", name="Tag below").select_option("grad/decoder")
        chart = page.get_by_role("main").get_by_label("grad/encoder divided by grad/decoder")
        expect(chart).to_be_visible()
        expect_drawn(page)
        box = chart.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 20)
        # beta logs 2 * step beside 2 * (step + 1): the last ratio is 49 / 50.
        expect(page.get_by_role("tooltip").get_by_role("row", name="beta 0.9800 49")).to_be_visible()
        page.wait_for_url(re.compile("below"))
        page.reload()
        expect(page.get_by_role("combobox", name="Tag below")).to_have_value("grad/decoder")
        expect_drawn(page)
        page.close()


@pytest.mark.parametrize("source", ["template", "tutorial"])
def test_the_views_fit_the_published_types(tmp_path: Path, source: str) -> None:
    package = new_package(tmp_path, "gradient_ratio")
    texts = {block["path"]: block["text"] for block in BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8"))}
    view = package / "seamark_gradient_ratio" / "view.js"
    if source == "tutorial":
        view.write_text(texts["seamark_gradient_ratio/view.js"], encoding="utf-8")
    command = re.search(r"^npx -p typescript tsc (.*)$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE)
    assert command
    checked = subprocess.run([TSC, *command[1].split()], cwd=view.parent, capture_output=True, text=True, check=False)
    assert checked.stdout == ""
    view.write_text(view.read_text(encoding="utf-8").replace("chart.update(", "chart.upgrade("), encoding="utf-8")
    checked = subprocess.run([TSC, *command[1].split()], cwd=view.parent, capture_output=True, text=True, check=False)
    assert "Property 'upgrade' does not exist on type 'Chart'" in checked.stdout


def test_a_broken_package_is_listed_under_more_and_harms_nothing(
    tmp_path: Path, logdir: Path, open_page: OpenPage
) -> None:
    package = new_package(tmp_path, "my_tab")
    (package / "seamark_my_tab" / "__init__.py").write_text("raise RuntimeError('half installed')\n", encoding="utf-8")
    with served("--logdir", str(logdir), environment=with_package(package)) as address:
        page = open_page(address)
        page.get_by_role("button", name="More").click()
        page.get_by_role("menuitem", name="my_tab").click()
        expect(page.get_by_role("alert")).to_contain_text("RuntimeError: half installed")
        page.close()
