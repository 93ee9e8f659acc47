"""Every flag, setting, route and public function is documented, links lead somewhere, and examples run."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import BaseRoute, Mount, Route
from starlette.testclient import TestClient

import seamark
from seamark import cli, store
from seamark.serve.app import create_app

ROOT = Path(__file__).resolve().parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def flags_of(command: str) -> set[str]:
    parser = cli.parser_of(command, cli.all_commands()[command])
    flags = {flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")}
    return flags - {"--help"}


@pytest.mark.parametrize("command", sorted(cli.all_commands()))
def test_every_command_and_flag_is_documented_and_no_other(command: str) -> None:
    section = re.search(rf"^## seamark {command}$(.*?)(?=^## |\Z)", read("docs/cli.md"), re.MULTILINE | re.DOTALL)
    assert section, f"docs/cli.md has no section 'seamark {command}'"
    common = read("docs/cli.md").split("\n## ")[0]
    assert set(re.findall(r"--\w+", section[1] + common)) >= flags_of(command)
    # A section may point to another command's flags, but not to flags that do not exist.
    assert set(re.findall(r"--\w+", section[1])) <= set().union(*map(flags_of, cli.all_commands()))


def test_the_command_line_page_lists_every_command() -> None:
    listed = re.findall(r"^\| \[`seamark (\w+)", read("docs/cli.md").split("\n## ")[0], re.MULTILINE)
    assert sorted(listed) == sorted(cli.all_commands())


def test_what_the_readme_tells_to_type_exists() -> None:
    # `seamark DIR` needs no command.
    text = re.sub(r"seamark (DIR|runs)\b", "seamark serve", read("README.md"))
    for command in re.findall(r"(?<!from )`?seamark (?!-)(\w+)", text):
        assert command in cli.all_commands(), command
    for command, flag in re.findall(r"seamark (\w+)?[^`\n|]*?(--\w+)", text):
        assert flag in flags_of(command or cli.DEFAULT_COMMAND), flag
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    for document in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", read(document), re.MULTILINE):
            assert target in targets, f"{document}: make {target}"


def pages() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for folder in (ROOT, ROOT / "docs") for path in folder.glob("*.md"))


def anchors_in(document: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", pages())
def test_every_link_and_picture_leads_somewhere(document: str) -> None:
    page = ROOT / document
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", read(document)):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors_in(linked), f"{target}#{anchor}"


def test_the_index_names_every_page_once_with_a_line_about_it() -> None:
    lines = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): .+$", read("docs/index.md"), re.MULTILINE)
    listed = [target for target in lines if "/" not in target]
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md") if path.name != "index.md")


@pytest.mark.parametrize("document", [page for page in pages() if page.startswith("docs/") and page != "docs/index.md"])
def test_every_page_leads_back_to_the_index(document: str) -> None:
    first, section = read(document).split("\n", 1)[0].split(" › ")
    assert first == "[Docs](index.md)"
    sections = dict(re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", read("docs/index.md"), re.MULTILINE | re.DOTALL))
    assert f"]({Path(document).name})" in sections[section]


@pytest.mark.parametrize("document", pages())
def test_lines_outside_tables_and_code_are_shorter_than_120_characters(document: str) -> None:
    text = re.sub(r"^( *)```.*?^\1```$", "", read(document), flags=re.MULTILINE | re.DOTALL)
    assert [line for line in text.splitlines() if len(line) >= 120 and not line.startswith("|")] == []


def test_every_name_of_the_package_is_documented() -> None:
    text = "\n".join(map(read, pages()))
    names = {name for name in dir(seamark) if not name.startswith("_")}
    called_by_ipython = {"load_ipython_extension", "unload_ipython_extension"}
    modules = {"annotations", "import_module", "TYPE_CHECKING", "Any"}
    names -= called_by_ipython | modules | {path.stem for path in (ROOT / "src/seamark").iterdir()}
    assert sorted(name for name in names if not re.search(rf"\bseamark\.{name}\b", text)) == []


def test_every_environment_variable_is_documented() -> None:
    sources = [path for path in (ROOT / "src").rglob("*.py") if not path.name.startswith("test_")]
    names = {name for path in sources for name in re.findall(r"SEAMARK_[A-Z_]+", path.read_text(encoding="utf-8"))}
    text = "\n".join(map(read, pages()))
    assert sorted(name for name in names if name not in text) == []


def strings_in(source: str) -> list[str]:
    """All texts of a Python file; "…" stands for what an f-string or a %s puts in."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(re.sub(r"%[sd]", "…", node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            found.append("".join(str(part) for part in parts))
    return found


def test_every_page_of_a_team_server_that_the_docs_send_people_to_exists() -> None:
    documents = [*(ROOT / "docs").glob("*.md"), *(ROOT / "src/seamark/cli/commands").glob("*.py")]
    words = {match for path in documents for match in re.findall(r"(\w+ settings) › ([A-Z][a-z ]+)", path.read_text())}
    assert len(words) > 3
    page = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "web/src/team").rglob("*.svelte"))
    missing = [word for pair in words for word in pair if f'"{word.strip()}"' not in page]
    assert not missing


def test_every_message_that_troubleshooting_quotes_exists() -> None:
    """A message is a line that starts with ">"; "…" stands for a name, a number or a path."""
    sources = [path for path in (ROOT / "src" / "seamark").rglob("*.py") if not path.name.startswith("test_")]
    texts = [text for path in sources for text in strings_in(path.read_text(encoding="utf-8"))]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "web" / "src").rglob("*.svelte")]
    messages = re.findall(r"^ *> (.+)$", read("docs/troubleshooting.md"), re.MULTILINE)
    assert len(messages) > 20
    everything = "\0".join(texts)
    missing = []
    for message in messages:
        parts = [re.escape(part.strip()) for part in message.split("…") if part.strip(" ;:'")]
        if not re.search("[^\0]{0,200}?".join(parts), everything):
            missing.append(message)
    assert missing == []


def test_the_architecture_lists_every_package() -> None:
    listed = set(re.findall(r"^ *(\w+)/", read("ARCHITECTURE.md").split("```")[1], re.MULTILINE))
    listed |= set(re.findall(r", (\w+)/", read("ARCHITECTURE.md").split("```")[1]))
    folders = [
        ROOT / "core",
        ROOT / "src/seamark",
        *(ROOT / "src/seamark" / name for name in ("store", "write", "serve")),
    ]
    there = {
        path.name for folder in folders for path in folder.iterdir() if any(path.glob("*.py")) or any(path.glob("*.cc"))
    }
    assert sorted(there - listed - {"__pycache__"}) == []


def test_the_architecture_names_every_thread() -> None:
    sources = [path for path in (ROOT / "src").rglob("*.py") if not path.name.startswith("test_")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    names = set(re.findall(r"(?<!meta )\bname=f?\"(seamark-\w[\w-]*)|thread_name_prefix=\"(seamark-[\w-]+)", code))
    text = read("ARCHITECTURE.md")
    assert len(names) >= 10
    assert sorted(name for name in map("".join, names) if f"`{name}" not in text) == []


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


@pytest.fixture(scope="module")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    app = create_app(store.Store([store.LogRoot("", tmp_path_factory.mktemp("runs"))], index_dir=None))
    with TestClient(app, base_url="http://localhost") as client:
        description: dict[str, Any] = client.get("/api/openapi.json").json()
    return description


def operations(openapi: dict[str, Any]) -> Iterator[tuple[str, str, set[str]]]:
    """Path, method, and the names of all parameters and of all fields of the body and of the response, below /api."""
    for path, methods in openapi["paths"].items():
        if path.startswith("/data/"):  # TensorBoard's
            continue
        for method, operation in methods.items():
            names = {parameter["name"] for parameter in operation.get("parameters", [])}
            for message in (operation.get("requestBody", {}), operation["responses"]["200"]):
                for content in message.get("content", {}).values():
                    names |= set(fields_of(content.get("schema", {}), openapi["components"]["schemas"]))
            yield path, method.upper(), names


def fields_of(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        yield from fields_of(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    yield from schema.get("properties", {})
    parts = [schema.get(key) for key in ("items", "additionalProperties")] + schema.get("anyOf", [])
    for part in [*parts, *schema.get("properties", {}).values()]:
        yield from fields_of(part, schemas) if isinstance(part, dict) else ()


def test_every_field_of_every_route_is_documented(openapi: dict[str, Any]) -> None:
    sections = dict(re.findall(r"^## [A-Z or]+ (\S+)$(.*?)(?=^## |\Z)", read("docs/http.md"), re.MULTILINE | re.DOTALL))
    sections["/api/series/batch"] += sections["/api/series"]
    sections["/api/runs/delete"] += sections["/api/runs/trash"]
    sections["/api/run"] += read("docs/run-json.md")
    for path, method, names in operations(openapi):
        if not path.startswith("/api/dashboards/"):
            missing = sorted(name for name in names if not re.search(rf"[`\"?]{name}\b", sections[path]))
            assert missing == [], f"{method} {path}"


def test_every_route_of_a_dashboard_is_documented_with_its_parameters(openapi: dict[str, Any]) -> None:
    text = "\n".join(map(read, pages()))
    tables = re.findall(r"^\| below `/api/dashboards/(\w+)/` \| response \|\n((?:\|.*\n)*)", text, re.MULTILINE)
    rows = {
        (name, route): row
        for name, table in tables
        for route, row in re.findall(r"^\| `(\w+ \w+)` \|(.*)$", table, re.MULTILINE)
    }
    documented = set(rows)
    for path, methods in openapi["paths"].items():
        dashboard, route = path.split("/")[-2:]
        if not path.startswith("/api/dashboards/") or route == "has_data":
            continue
        for method, operation in methods.items():
            row = rows[dashboard, f"{method.upper()} {route}"]
            documented.discard((dashboard, f"{method.upper()} {route}"))
            for parameter in operation.get("parameters", []):
                assert f"`{parameter['name']}`" in row, f"{path}: {parameter['name']}"
    assert documented == set()


def test_every_error_code_is_documented_with_its_status() -> None:
    from seamark.plugin.errors import STATUS_BY_CODE

    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", read("docs/http.md"), re.MULTILINE)
    assert {code: int(status) for code, status in rows} == dict(STATUS_BY_CODE)


def test_every_parameter_and_column_of_series_is_documented() -> None:
    from seamark.serve.api.series import SeriesRequest

    text = read("docs/http.md")
    names = set(SeriesRequest.__struct_fields__)
    names |= set(store.ScalarWindow.__struct_fields__)
    assert sorted(name for name in names if f"`{name}`" not in text) == []


def test_every_public_name_of_the_store_is_documented() -> None:
    text = read("docs/store.md")
    assert [name for name in store.__all__ if f"`{name}" not in text] == []


def test_every_public_method_and_argument_of_the_store_is_documented() -> None:
    text = read("docs/store.md")
    for name, _ in inspect.getmembers(store.Store, inspect.isfunction):
        if name.startswith("_"):
            continue
        assert re.search(rf"`{name}\(", text), name
    for argument in inspect.signature(store.Store).parameters:
        assert re.search(rf"\b{argument}\b", text), argument
    for argument in set(inspect.signature(store.Store.scalars).parameters) - {"self"}:
        assert re.search(rf"\b{argument}\b", text), argument


def test_every_public_function_for_writing_is_documented_with_its_arguments() -> None:
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
    assert writing and len(reading) == 2
    for example in (writing[1], *reading):
        exec(example, {})


def test_the_looks_that_packages_may_use_exist() -> None:
    section = read("docs/dashboards.md").split("\n## Looks\n")[1].split("\n## ")[0]
    names = [
        name for row in re.findall(r"^\| (.+?) \|", section, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)
    ]
    variables = [name for name in names if name.startswith("--")]
    classes = [name for name in names if not name.startswith("--")]
    assert len(variables) > 20
    assert len(classes) > 8
    tokens, styles = read("web/src/base/tokens.css"), read("web/src/ui/base.css")
    assert [name for name in variables if not re.search(rf"^\s*{name}:", tokens, re.MULTILINE)] == []
    assert [name for name in classes if not re.search(rf"^\.{name}\b", styles, re.MULTILINE)] == []
