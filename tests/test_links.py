"""Every parameter of the page's address is in docs/links.md, and nothing there is made up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHELL = ROOT / "web" / "src" / "shell"
SCALARS = ROOT / "src" / "seamark" / "dashboards" / "scalars" / "view"
GRAPHS = ROOT / "src" / "seamark" / "dashboards" / "graphs" / "view"
PROJECTOR = ROOT / "src" / "seamark" / "dashboards" / "projector" / "view"
PROFILE = ROOT / "src" / "seamark" / "dashboards" / "profile" / "view"
SCALAR_CARD = ROOT / "web" / "src" / "public" / "scalar_card"
BOARD = ROOT / "web" / "src" / "ui" / "board"
# Pages with a place of their own in the address, and parameters under its name.
PLACES = (SHELL / "run", SHELL / "compare")
ACCESS = re.compile(r'url\.(?:get|set)\(\s*"([^"]+)"')


def sources(folder: Path, *, without: tuple[Path, ...] = ()) -> str:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".ts", ".svelte")
        and ".test." not in path.name
        and not any(path.is_relative_to(other) for other in without)
    ]
    assert files, f"no sources in {folder}"
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def documented(*headings: str) -> set[str]:
    """The names in the first column of the tables below these headings."""
    text = (ROOT / "docs" / "links.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    rows = [row for heading in headings for row in re.findall(r"^\|(.+?)\|", sections[heading], re.MULTILINE)]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_the_parameters_of_scalars() -> None:
    # Charts show no single steps, and so they have no step of their own.
    board = set(ACCESS.findall(sources(BOARD, without=(BOARD / "card_steps.svelte.ts",))))
    board.update(re.findall(r'name = "(\w+)"', sources(BOARD)))
    used = board | set(ACCESS.findall(sources(SCALARS) + sources(SCALAR_CARD)))
    assert {"cards", "zoom", "select", "table", "card", "closed"} <= used
    assert documented("Scalars and Time series") == used


def test_the_shared_parameters_and_those_of_the_runs_table() -> None:
    settings = (SHELL / "settings.svelte.ts").read_text(encoding="utf-8")
    forms = settings[settings.index("const FORMS") :]
    shared = set(re.findall(r'^  \w+: \["(\w+)"', forms[: forms.index("\n};")], re.MULTILINE))
    assert "smoothing" in shared
    assert documented("Shared by all tabs") | documented("The runs table") == shared | set(
        re.findall(r'[uU]rl\.(?:get|set)\(\s*"(\w+)"', sources(SHELL, without=PLACES))
    )


@pytest.mark.parametrize(("folder", "heading"), [("run", "The page of a run"), ("compare", "Runs compared")])
def test_the_parameters_of_the_pages_beside_the_dashboards(folder: str, heading: str) -> None:
    used = {f"{folder}.{name}" for name in ACCESS.findall(sources(SHELL / folder))}
    assert documented(heading) == used


def test_the_parameters_of_graphs() -> None:
    assert documented("Graphs") == set(ACCESS.findall(sources(GRAPHS)))


def test_the_parameters_of_the_projector() -> None:
    # Each pane has its own parameters, whose names begin with its prefix.
    pane = (PROJECTOR / "pane_model.svelte.ts").read_text(encoding="utf-8")
    of_panes = set(re.findall(r'this\.#(?:get|set)\("(\w+)"', pane))
    assert {"run", "name", "method"} <= of_panes
    source = sources(PROJECTOR)
    shared = {name for name in ACCESS.findall(source) if not name.startswith("b_")}
    long = set(re.findall(r'new AddressValue\(context, "(\w+)"', source))
    assert documented("Projector") == of_panes | shared | long


def test_the_parameters_of_profile() -> None:
    assert documented("Profile") == set(ACCESS.findall(sources(PROFILE)))


def test_the_names_of_tensorboard() -> None:
    source = (SHELL / "address.ts").read_text(encoding="utf-8")
    old = re.search(r"OLD_NAMES.*?= \{(.*?)\};", source, re.DOTALL)
    query = re.search(r"QUERY_NAMES.*?new Set\(\[(.*?)\.\.\.", source, re.DOTALL)
    assert old and query
    names = set(re.findall(r"^  (\w+):", old[1], re.MULTILINE)) | set(re.findall(r'"(\w+)"', query[1]))
    text = (ROOT / "docs" / "links.md").read_text(encoding="utf-8")
    section = text[text.index("## TensorBoard's links") :]
    assert set(re.findall(r"`(\w+)`", section)) == names


def test_the_tabs_without_a_page() -> None:
    source = (SHELL / "tabs.ts").read_text(encoding="utf-8")
    titles = re.search(r"TENSORBOARD_TITLES.*?= \{(.*?)\};", source, re.DOTALL)
    assert titles
    names = set(re.findall(r'[\s"]([a-z][\w-]*)"?: "', titles[1]))
    text = (ROOT / "docs" / "links.md").read_text(encoding="utf-8")
    section = text[text.index("## Tabs") : text.index("## Shared by all tabs")]
    assert set(re.findall(r"`([\w-]+)`", section)) == names
