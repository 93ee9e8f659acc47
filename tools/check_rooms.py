"""Which room may import which. Fails when an import goes the wrong way, and draws the table for ARCHITECTURE.md.

python tools/check_rooms.py              exit code 1 and one sentence for each import that breaks the rule
python tools/check_rooms.py --diagram    the diagram
python tools/check_rooms.py --write      puts the diagram into ARCHITECTURE.md
"""

from __future__ import annotations

import argparse
import ast
import posixpath
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = frozenset({"*"})

# A room, and the rooms it may import. What is not listed is not allowed.
PYTHON_ROOMS: Mapping[str, frozenset[str]] = {
    "_core": frozenset(),
    "format": frozenset({"_core"}),
    "kinds": frozenset({"_core", "format"}),
    "write": frozenset({"_core", "format", "kinds"}),
    "store": frozenset({"_core", "format", "kinds"}),
    "compare": frozenset({"_core", "format", "kinds", "store"}),
    "read": frozenset({"format", "kinds", "store", "compare"}),
    "plugin": frozenset({"format", "kinds", "store"}),
    "serve": frozenset({"format", "kinds", "store", "compare", "plugin"}),
    "dashboards": frozenset({"format", "kinds", "store", "plugin"}),
    "integrations": frozenset({"write"}),
    "porting": frozenset({"_core", "format", "kinds", "write", "store"}),
    "cli": EVERYTHING,
    # `import seamark` is for writing: it must stay light.
    "seamark": frozenset({"_core", "format", "kinds", "write", "integrations"}),
    "__main__": EVERYTHING,
}
# Modules of the package itself that belong to a room: public names should be short.
ROOM_OF_MODULE = {"hooks": "write", "summary": "write"}
WEB_ROOMS: Mapping[str, frozenset[str]] = {
    "base": frozenset(),
    "data": frozenset({"base"}),
    "chart": frozenset({"base", "data"}),
    "ui": frozenset({"base", "data", "chart"}),
    "public": frozenset({"base", "data", "chart", "ui"}),
    # The page of `seamark export html`: one file without a server, so without the shell.
    "report": frozenset({"base", "data", "chart", "ui"}),
    # A dashboard sees what `public` shows it, as third parties do.
    "views": frozenset({"public"}),
    "shell": EVERYTHING,
}
# One code, several tabs: the first may import the second's view.
SHARED_DASHBOARDS = frozenset(
    {("timeseries", "scalars"), ("custom_scalars", "scalars"), ("distributions", "histograms"), ("video", "images")}
)
# What web/vite.config.ts calls web/src/public.
PUBLIC_ALIAS = "$public"
# The core knows Python in core/bind only, files and threads in core/disk only.
PYTHON_HEADERS = re.compile(r"Python\.h|nanobind/.*|pybind11/.*|numpy/.*")
WORLD_HEADERS = re.compile(
    r"filesystem|fstream|thread|mutex|shared_mutex|condition_variable|future|chrono|ctime|time\.h|unistd\.h|pthread\.h"
    r"|dirent\.h|fcntl\.h|sys/stat\.h"
)
BINDING, DISK = "bind", "disk"

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
WEB_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(?P<target>[^"'\n]+)\1""")
DIAGRAM_BEGIN, DIAGRAM_END = "<!-- rooms:begin -->", "<!-- rooms:end -->"


@dataclass(frozen=True, order=True)
class Violation:
    path: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.path}:{self.line}"


def violations(root: Path = ROOT) -> list[Violation]:
    return sorted([*python_violations(root), *web_violations(root), *core_violations(root)])


# Python


def python_violations(root: Path) -> Iterator[Violation]:
    source = root / "src"
    for path in sorted((source / "seamark").rglob("*.py")):
        if is_test(path):
            continue  # tests do not ship, and meet on disk what their room must not import
        parts = path.relative_to(source).with_suffix("").parts
        room = python_room(parts)
        if room not in PYTHON_ROOMS:
            reason = f"'{room}' is no room of the house; add it to tools/check_rooms.py or move the file"
            yield Violation(path.relative_to(root).as_posix(), 1, reason)
            continue
        for line, target in python_imports(path, parts):
            reason = python_reason(parts, target)
            if reason:
                yield Violation(path.relative_to(root).as_posix(), line, reason)


def is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name == "conftest.py"


def python_reason(importer: tuple[str, ...], target: tuple[str, ...]) -> str:
    here, there = python_room(importer), python_room(target)
    if there == "seamark" or (len(target) == 2 and there not in PYTHON_ROOMS):
        return ""  # the package itself: its version, or whatever its own room lets it show
    if here == there:
        both_are_dashboards = here == "dashboards" and len(importer) > 2 and len(target) > 2
        if both_are_dashboards and importer[2] != target[2] and (importer[2], target[2]) not in SHARED_DASHBOARDS:
            return f"the dashboard '{importer[2]}' must not import the dashboard '{target[2]}'"
        return ""
    return "" if may(PYTHON_ROOMS[here], there) else f"'{here}' must not import '{there}'"


def python_room(parts: tuple[str, ...]) -> str:
    """The first component below seamark; the package's own __init__ is the room 'seamark'."""
    room = parts[1] if len(parts) > 1 and parts[1] != "__init__" else "seamark"
    return ROOM_OF_MODULE.get(room, room)


def python_imports(path: Path, parts: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every module of ours that a file imports, wherever in the file, as path components."""
    package = parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        for target in imported_by(node, package):
            if target[0] == "seamark":
                yield getattr(node, "lineno", 0), target


def imported_by(node: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(node, ast.Import):
        yield from (tuple(alias.name.split(".")) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else ()
        base += tuple((node.module or "").split(".")) if node.module else ()
        # `from seamark import store` names a room in the list of names, not in the module.
        yield from ((*base, alias.name) for alias in node.names)
    elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
            yield tuple(node.args[0].value.split("."))


# Web


def web_violations(root: Path) -> Iterator[Violation]:
    for path in sorted(web_files(root)):
        place = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for match in WEB_IMPORT.finditer(text):
            target = resolved(match["target"], place)
            if target is None:
                continue  # a package from the registry
            reason = web_reason(place, target)
            if reason:
                yield Violation(place, text.count("\n", 0, match.start()) + 1, reason)


def resolved(target: str, importer: str) -> str | None:
    """The file that an import names, from the root; None for a package."""
    if target.split("/")[0] == PUBLIC_ALIAS:
        return f"web/src/public{target.removeprefix(PUBLIC_ALIAS) or '/index'}"
    if target.startswith("."):
        return posixpath.normpath(posixpath.join(posixpath.dirname(importer), target))
    return None


def web_files(root: Path) -> Iterator[Path]:
    for suffix in ("ts", "svelte"):
        yield from (root / "web" / "src").rglob(f"*.{suffix}")
        yield from (root / "src" / "seamark" / "dashboards").glob(f"*/view/**/*.{suffix}")


def web_reason(importer: str, target: str) -> str:
    here, there = web_room(importer), web_room(target)
    if here == "":
        return ""  # main.ts puts everything together
    if here is None or here not in WEB_ROOMS:
        return f"'{here}' is no room of the page; add it to tools/check_rooms.py or move the file"
    if there is None:
        return f"'{here}' must not import what lies outside the page ('{target}')"
    if here == there == "views" and importer.split("/")[3] != target.split("/")[3]:
        pair = (importer.split("/")[3], target.split("/")[3])
        return "" if pair in SHARED_DASHBOARDS else f"the view of '{pair[0]}' must not import the view of '{pair[1]}'"
    return "" if here == there or may(WEB_ROOMS[here], there) else f"web: '{here}' must not import '{there}'"


def web_room(place: str) -> str | None:
    match place.split("/"):
        case ["web", "src", _]:
            return ""
        case ["web", "src", room, *_]:
            return room
        case ["src", "seamark", "dashboards", _, "view", *_]:
            return "views"
    return None


def may(allowed: frozenset[str], room: str) -> bool:
    return allowed is EVERYTHING or room in allowed


# Core


def core_violations(root: Path) -> Iterator[Violation]:
    core = root / "core"
    for path in sorted([*core.rglob("*.h"), *core.rglob("*.cc")]):
        text = path.read_text(encoding="utf-8")
        folder = path.parent.relative_to(core).as_posix()
        is_helper = folder == "fuzz" or path.stem.endswith("_test") or path.stem.startswith("testing")
        for match in INCLUDE.finditer(text):
            reason = ""
            if folder != BINDING and PYTHON_HEADERS.fullmatch(match[1]):
                reason = f"only core/{BINDING} knows Python, this includes <{match[1]}>"
            elif folder != DISK and not is_helper and WORLD_HEADERS.fullmatch(match[1]):
                reason = f"only core/{DISK} knows files and threads, this includes <{match[1]}>"
            if reason:
                yield Violation(path.relative_to(root).as_posix(), text.count("\n", 0, match.start(1)) + 1, reason)


# Diagram


def diagram() -> str:
    """The table as a Mermaid graph: an arrow says "imports"; what follows from other arrows is left out."""
    lines = ["```mermaid", "flowchart LR", "  subgraph Python"]
    lines += [f"    {name(room)} --> {name(other)}" for room, other in arrows(PYTHON_ROOMS)]
    lines += ["    cli -.-> everything", "  end", "  subgraph Web"]
    lines += [f"    {name(room, 'web_')} --> {name(other, 'web_')}" for room, other in arrows(WEB_ROOMS)]
    lines += ["    web_shell[shell] -.-> web_everything[everything]", "  end", "```"]
    return "\n".join(lines)


def name(room: str, prefix: str = "") -> str:
    title = {"_core": "core", "views": "dashboards/*/view", "seamark": "import seamark"}.get(room, room)
    identity = prefix + room.strip("_")
    return identity if identity == title else f'{identity}["{title}"]'


def arrows(rooms: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    for room, allowed in rooms.items():
        if allowed is EVERYTHING:
            continue
        implied = {further for other in allowed for further in rooms[other]}
        yield from ((room, other) for other in sorted(allowed - implied))


def with_diagram(document: str) -> str:
    before, _, rest = document.partition(DIAGRAM_BEGIN)
    _, found, after = rest.partition(DIAGRAM_END)
    if not found:
        raise SystemExit(f"no place for the diagram: want {DIAGRAM_BEGIN} and {DIAGRAM_END} in ARCHITECTURE.md")
    return f"{before}{DIAGRAM_BEGIN}\n{diagram()}\n{DIAGRAM_END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--diagram", action="store_true", help="print the diagram")
    parser.add_argument("--write", action="store_true", help="put the diagram into ARCHITECTURE.md")
    args = parser.parse_args()
    if args.diagram:
        print(diagram())
        return 0
    if args.write:
        document = ROOT / "ARCHITECTURE.md"
        document.write_text(with_diagram(document.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    found = violations()
    for violation in found:
        print(violation, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
