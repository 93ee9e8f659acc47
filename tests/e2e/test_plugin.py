"""A dashboard of your own, as docs/dashboards.md tells: a new package becomes a tab with a chart, and reloads."""

from __future__ import annotations

import json
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


def expect_counts(page: Page, rows: list[str]) -> None:
    """The rows of the table of the template: its name and its number of points."""
    table = page.get_by_role("grid", name="Points of the shown runs")
    expect(table.get_by_role("row")).to_have_count(len(rows) + 1)
    for row in rows:
        expect(table.get_by_role("row", name=row)).to_be_visible()


def test_a_new_package_has_a_chart_that_zooms_and_follows_the_runs(
    tmp_path: Path, logdir: Path, open_page: OpenPage
) -> None:
    package = new_package(tmp_path, "my-tab")
    with served("--logdir", str(logdir), environment=with_package(package)) as address:
        page = open_page(address)
        page.get_by_role("link", name="My tab").click()
        expect_drawn(page)
        expect_counts(page, ["<b>alpha</b> 50", "beta 50"])

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
        expect_counts(page, ["<b>alpha</b> 50"])
        page.get_by_role("combobox", name="Tag").select_option("grad/encoder")
        expect(page).to_have_url(re.compile(r"#my-tab&my-tab\.tag=grad/encoder&runs=-beta$"))
        with EventFile(logdir / "<b>alpha</b>") as file:
            file.add_scalar("grad/encoder", 7.0, 50)
        expect_counts(page, ["<b>alpha</b> 51"])
        page.reload()
        expect(page.get_by_role("combobox", name="Tag")).to_have_value("grad/encoder")
        expect_drawn(page)
        page.close()


def test_a_changed_view_is_loaded_again_in_the_open_page(tmp_path: Path, logdir: Path, open_page: OpenPage) -> None:
    package = new_package(tmp_path, "my_tab")
    view = package / "seamark_my_tab" / "view.js"
    with served("--logdir", str(logdir), "--reload_dashboards", environment=with_package(package)) as address:
        # The console has the error of the broken view.
        page = open_page(address + "#my_tab", may_complain=True)
        expect_counts(page, ["<b>alpha</b> 50", "beta 50"])
        page.evaluate("window.isTheSamePage = true")
        good = view.read_text(encoding="utf-8")
        view.write_text("export default {};\n", encoding="utf-8")
        expect(page.get_by_role("alert")).to_contain_text("no default export with a mount function")
        (view.parent / "words.js").write_text('export const POINTS = "Dots";\n', encoding="utf-8")
        imported = good.replace('title: "Points"', "title: POINTS").replace(
            "// @ts-check", 'import { POINTS } from "./words.js";'
        )
        view.write_text(imported, encoding="utf-8")
        expect(page.get_by_role("columnheader", name="Dots")).to_be_visible()
        (view.parent / "words.js").write_text('export const POINTS = "Rows";\n', encoding="utf-8")
        expect(page.get_by_role("columnheader", name="Rows")).to_be_visible()
        expect_counts(page, ["<b>alpha</b> 50", "beta 50"])
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


COMPUTED = """
import { createChart, createTable } from "./seamark-plugin.js";
import { STEPS } from "./parts/steps.js";

export default {
  mount(element, context) {
    const style = document.createElement("link");
    [style.rel, style.href] = ["stylesheet", new URL("./view.css", import.meta.url).href];
    const [plot, list, results] = [0, 1, 2].map(() => document.createElement("div"));
    plot.className = "mine-plot";
    element.append(style, plot, list, results);
    const line = {
      key: "beta", x: STEPS, y: [1, 2, 3], wall: [1000, 1060, 1120], began: 940,
      band: { low: [0, 1, 2], high: [2, 3, 4] },
    };
    let limits = { x: null, y: null };
    const spec = () => ({
      label: "Noise", title: "Noise of the gradient", xLabel: "Steps", yLabel: "Deviation", series: [line], limits,
      clipOutliers: false,
      onZoom: (next) => {
        limits = next;
        results.dataset.zoomed = next.x === null ? "all" : "part";
        chart.update(spec());
      },
    });
    const chart = createChart(plot, context, spec());
    createTable(list, context, {
      label: "Final noise",
      columns: [{ id: "noise", title: "Final", look: "colour", goal: "min" }, { id: "note", title: "Note", type: "text" }],
      rows: [
        { key: "<b>alpha</b>", cells: { noise: 0.5, note: "<i>calm</i>" } },
        { key: "beta", cells: { noise: 0.25 } },
        { key: "mean", cells: { noise: 0.375 } },
      ],
      sort: "-noise",
      onPick: (key) => (results.dataset.picked = key),
    });
    const link = document.createElement("a");
    [link.href, link.textContent] = [context.linkToRun("beta"), "Page of beta"];
    element.append(link);
    const draw = () => {
      const { focused, selected, runs, settings } = context.get();
      const beta = runs.find(({ name }) => name === "beta");
      results.textContent =
        `${focused} ${selected?.type} ${selected?.run} ${beta.status} ${settings.attempts} ${settings.linkedZoom}`;
    };
    context.subscribe(draw);
    draw();
    void context.loadConfig("beta").then((config) => (results.title = JSON.stringify(config)));
    results.ariaLabel = "Results";
    results.role = "note";
    results.dataset.address = context.apiAddress("runs", { a: 1 });
  },
};
"""


def test_a_view_of_several_files_draws_what_it_computed_on_any_axis_and_in_a_table(
    tmp_path: Path, logdir: Path, open_page: OpenPage
) -> None:
    record = {"schema": "seamark.run", "version": 1, "status": "finished", "config": {"lr": 0.5, "model": {"width": 8}}}
    (logdir / "beta" / "run.json").write_text(json.dumps(record), encoding="utf-8")
    package = new_package(tmp_path, "my_tab")
    view = package / "seamark_my_tab" / "view.js"
    (view.parent / "parts").mkdir()
    (view.parent / "parts" / "steps.js").write_text("export const STEPS = [10, 20, 30];\n", encoding="utf-8")
    (view.parent / "view.css").write_text(".mine-plot { height: 333px; }\n", encoding="utf-8")
    view.write_text(COMPUTED, encoding="utf-8")
    with served("--logdir", str(logdir), environment=with_package(package)) as address:
        page = open_page(address + "#my_tab&axis=relative")
        main = page.get_by_role("main")
        expect(main.locator(".mine-plot")).to_have_css("height", "333px")
        expect(main.get_by_role("heading", name="Noise of the gradient")).to_be_visible()
        for text in ("Steps", "Deviation"):
            expect(main.get_by_text(text, exact=True)).to_be_visible()
        expect_drawn(page)
        overlay = main.get_by_label("Noise", exact=True)
        box = overlay.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
        tooltip = page.get_by_role("tooltip")
        expect(tooltip.get_by_role("row", name="beta 3.0000 30 3 m")).to_be_visible()
        expect(tooltip.get_by_role("columnheader", name="Value")).to_be_visible()
        expect(tooltip).to_contain_text("band 2.0000 … 4.0000")
        note = page.get_by_role("note", name="Results")
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.up()
        expect(note).to_have_attribute("data-zoomed", "part")

        expect(note).to_have_attribute("title", '{"lr":0.5,"model.width":8}')
        expect(note).to_have_attribute("data-address", "api/runs?a=1")
        expect(note).to_contain_text("null undefined undefined finished marked false")
        table = page.get_by_role("grid", name="Final noise")
        expect(table.get_by_role("row")).to_contain_text(["Run", "<b>alpha</b>", "mean", "beta"])
        for _ in range(2):  # from high to low, as it was; as the view has them; from low to high
            table.get_by_role("button", name="Final").click()
        expect(page).to_have_url(re.compile(r"my_tab\.sort=noise"))
        expect(table.get_by_role("row")).to_contain_text(["Run", "beta", "mean", "<b>alpha</b>"])
        table.get_by_role("gridcell", name="beta").click()
        expect(note).to_contain_text("beta undefined")
        expect(note).to_have_attribute("data-picked", "beta")
        table.get_by_role("gridcell", name="beta").dblclick()
        expect(note).to_contain_text("run beta")
        page.get_by_role("link", name="Page of beta").click()
        expect(page).to_have_url(re.compile("/run/beta"))
        page.close()


@pytest.mark.parametrize(
    ("text", "helper", "reason"),
    [
        (
            "export default {\n  mount() {\n    explode();\n  },\n};\n",
            "",
            "explode is not defined (view.js, line 3, column 5)",
        ),
        (
            'import "./helper.js";\nexport default { mount() {} };\n',
            "const a = 1;\nlet b = (;\n",
            "(helper.js, line 2,",
        ),
        (
            'import "./none.js";\nexport default { mount() {} };\n',
            "",
            "its file 'none.js' cannot be loaded: status 404",
        ),
        (
            "export default {\n  mount(_, context) {\n    context.subscribe(() => {\n      throw new Error('late');\n"
            "    });\n  },\n};\n",
            "",
            "late (view.js, line 4, column 13)",
        ),
    ],
    ids=["mount", "syntax", "missing", "listener"],
)
def test_an_error_of_a_view_names_its_file_and_line_here_and_in_the_console(
    tmp_path: Path, logdir: Path, open_page: OpenPage, text: str, helper: str, reason: str
) -> None:
    package = new_package(tmp_path, "my_tab")
    view = package / "seamark_my_tab" / "view.js"
    view.write_text(text, encoding="utf-8")
    (view.parent / "helper.js").write_text(helper, encoding="utf-8")
    with served("--logdir", str(logdir), environment=with_package(package)) as address:
        page = open_page(address, may_complain=True)
        with page.expect_console_message(lambda message: message.type == "error" and "Error" in message.text):
            page.get_by_role("link", name="My tab").click()
            if "subscribe" in text:
                page.get_by_role("checkbox", name="Show beta").click()
        expect(page.get_by_role("alert")).to_contain_text(reason)
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
