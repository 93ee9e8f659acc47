"""The docs are checked: every flag, route and public name of the store is in them, and what the README tells to type exists."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from starlette.routing import BaseRoute, Mount, Route

from seamark import cli, store
from seamark.serve.app import create_app

ROOT = Path(__file__).resolve().parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def flags_of(command: str) -> set[str]:
    parser = cli.parser_of(command, cli.commands()[command])
    flags = {flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")}
    return flags - {"--help"}


@pytest.mark.parametrize("command", sorted(cli.commands()))
def test_every_command_and_flag_is_documented_and_no_other(command: str) -> None:
    section = re.search(rf"^## seamark {command}$(.*?)(?=^## |\Z)", read("docs/cli.md"), re.MULTILINE | re.DOTALL)
    assert section, f"docs/cli.md has no section 'seamark {command}'"
    assert set(re.findall(r"--\w+", section[1])) >= flags_of(command)
    # A section may point to another command's flags, but not to flags that nobody has.
    assert set(re.findall(r"--\w+", section[1])) <= set().union(*map(flags_of, cli.commands()))


def test_every_subcommand_is_in_the_readme() -> None:
    text = read("README.md")
    assert [name for name in cli.commands() if f"seamark {name}" not in text] == []


def test_what_the_readme_tells_to_type_exists() -> None:
    # `seamark DIR` needs no command.
    text = re.sub(r"seamark (DIR|runs)\b", "seamark serve", read("README.md"))
    for command in re.findall(r"(?<!from )`?seamark (?!-)(\w+)", text):
        assert command in cli.commands(), command
    for command, flag in re.findall(r"seamark (\w+)?[^`\n|]*?(--\w+)", text):
        assert flag in flags_of(command or cli.DEFAULT_COMMAND), flag
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    for document in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", read(document), re.MULTILINE):
            assert target in targets, f"{document}: make {target}"


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "docs/attempts.md",
        "docs/cli.md",
        "docs/comparing.md",
        "docs/dashboards.md",
        "docs/http.md",
        "docs/run-json.md",
        "docs/runs.md",
        "docs/notebooks.md",
        "docs/porting.md",
        "docs/reading.md",
        "docs/query.md",
        "docs/integrations.md",
        "docs/store.md",
        "docs/writing.md",
    ],
)
def test_every_link_and_picture_leads_somewhere(document: str) -> None:
    folder = (ROOT / document).parent
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", read(document))
    assert [target for target in targets if not (folder / target).exists()] == []


def test_pictures_stay_small() -> None:
    assert [path.name for path in (ROOT / "docs").glob("*.png") if path.stat().st_size > 200_000] == []


def route_lines(routes: list[BaseRoute], prefix: str = "") -> list[tuple[str, set[str]]]:
    lines: list[tuple[str, set[str]]] = []
    for route in routes:
        if isinstance(route, Mount) and (prefix + route.path == "/data" or prefix.endswith("/api")):
            continue  # TensorBoard's routes, and those a dashboard brings along
        if isinstance(route, Mount) and route.path.startswith("/experiment/"):
            continue  # another name of all the others
        if isinstance(route, Mount):
            lines += route_lines(list(route.routes), prefix + route.path)
        elif isinstance(route, Route):
            lines.append((re.sub(r"\{.*", "", prefix + route.path), (route.methods or {"GET"}) - {"HEAD"}))
    return lines


def test_every_route_is_documented_with_its_methods_and_no_other(tmp_path: Path) -> None:
    app = create_app(store.Store([store.LogRoot("", tmp_path)], index_dir=None))
    headings = re.findall(
        r"^## ((?:GET|POST|PATCH)(?: or (?:GET|POST|PATCH))*) (\S+)$", read("docs/http.md"), re.MULTILINE
    )
    documented = {(path, frozenset(methods.split(" or "))) for methods, path in headings}
    assert documented == {(path, frozenset(methods)) for path, methods in route_lines(list(app.routes))}


def test_every_parameter_and_column_of_series_is_documented() -> None:
    from dataclasses import fields

    from seamark.serve.series_query import SeriesQuery

    text = read("docs/http.md")
    names = {field.name for field in fields(SeriesQuery)} - {"runs"} | {"run"}
    names |= {field.name for field in fields(store.ScalarWindow)}
    assert sorted(name for name in names if f"`{name}`" not in text) == []


def test_every_public_name_of_the_store_is_documented() -> None:
    text = read("docs/store.md")
    assert [name for name in store.__all__ if f"`{name}" not in text] == []


def test_every_public_method_and_argument_of_the_store_is_documented() -> None:
    text = read("docs/store.md")
    listeners = {"changed", "touched", "listed"}  # called by the store's own threads
    for name, _ in inspect.getmembers(store.Store, inspect.isfunction):
        if name.startswith("_") or name in listeners:
            continue
        assert re.search(rf"`{name}\(", text), name
    for argument in inspect.signature(store.Store).parameters:
        assert re.search(rf"\b{argument}\b", text), argument
    for argument in set(inspect.signature(store.Store.scalars).parameters) - {"self"}:
        assert re.search(rf"\b{argument}\b", text), argument


def test_every_public_function_for_writing_is_documented_with_its_arguments() -> None:
    import seamark

    text = read("docs/writing.md")
    functions = {
        name: function
        for name, function in inspect.getmembers(seamark.SummaryWriter, inspect.isfunction)
        if not name.startswith("_")
    }
    for name, function in functions.items():
        row = re.search(rf"^\| `{name}\((.*)$", text, re.MULTILINE)
        assert row, f"docs/writing.md has no line for {name}"
        for argument in set(inspect.signature(function).parameters) - {"self", "global_step", "walltime"}:
            assert re.search(rf"\b{argument}\b", row[0]), f"{name}({argument})"
    for argument in set(inspect.signature(seamark.SummaryWriter).parameters):
        assert f"`{argument}`" in text, argument
    for name in seamark.summary.__all__:
        assert f"`{name}" in text, f"seamark.summary.{name}"


def test_the_examples_of_writing_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", read("docs/writing.md"), re.DOTALL)
    assert len(examples) >= 2
    for example in examples:
        exec(example, {})
    assert list(tmp_path.rglob("*tfevents*"))


def test_the_example_of_reading_runs_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme, example = read("README.md"), read("docs/store.md")
    monkeypatch.chdir(tmp_path)
    writing = re.search(r"```python\n(from seamark import SummaryWriter.*?)```", readme, re.DOTALL)
    reading = re.search(r"```python\n(.*?)```", example, re.DOTALL)
    assert writing and reading
    exec(writing[1], {})
    exec(reading[1], {})


def test_every_public_name_for_reading_is_documented() -> None:
    from seamark import read as reading

    text = read("docs/reading.md")
    for shape in (reading.Runs, reading.OneRun, reading.Frame, reading.Scalars, reading.Logged, reading.LoggedImages):
        for name in (name for name in vars(shape) if not name.startswith("_")):
            assert re.search(rf"\b{name}\b", text), f"{shape.__name__}.{name}"
    for argument in inspect.signature(reading.open).parameters:
        assert f"`{argument}`" in text, argument


def test_the_examples_of_reading_back_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    writing = re.search(r"```python\n(from seamark import SummaryWriter.*?)```", read("README.md"), re.DOTALL)
    reading = [*re.findall(r"```python\n(.*?)```", read("docs/reading.md"), re.DOTALL)]
    reading += re.findall(r"## Read it back\n\n```python\n(.*?)```", read("README.md"), re.DOTALL)
    assert writing and len(reading) == 3
    for example in (writing[1], *reading):
        exec(example, {})
