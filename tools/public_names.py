"""Checks the contract for dashboards, web/src/public: every name has a sentence, is used, and is in the docs.

python tools/public_names.py            exits with 1 and prints one line for each problem
python tools/public_names.py --write    puts the tables of names into docs/built-in-dashboards.md
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("core", "charts", "boards", "tables")
# Functions, groups of functions, components and classes. The contract is to have about 70: lower this when names go.
MAX_VALUES = 80
# Types that contexts and views are made of; dashboards need not name them.
CONTRACT = ("plugin.ts", "view_types.ts")
BEGIN, END = "<!-- public:begin -->", "<!-- public:end -->"

COMMENT = r"(?:^/\*\*(?P<comment>(?:(?!\*/).)*)\*/\n)?"
LIST = re.compile(
    COMMENT + r"^export (?P<is_type>type )?\{(?P<names>[^}]*)\}(?: from \"(?P<source>[^\"]+)\")?;", re.M | re.S
)
DECLARATION = re.compile(
    COMMENT
    + r"^export (?P<kind>interface|type|const|function|class|async function) (?P<name>\w+)"
    + r"(?: = \{(?P<members>[^}]*)\} as const)?",
    re.M | re.S,
)
OWN_CODE = re.compile(r"^(?:import|export (?:const|function|class|async function)) ", re.M)
FOLLOWED = re.compile(r"^export \* from \"\./([\w/]+)\";", re.M)
IMPORT = re.compile(r"import (?:type )?\{([^}]*)\} from \"\$public/(\w+)\"", re.S)


@dataclass(frozen=True)
class Export:
    """Names that one statement exports, and the sentence above it."""

    module: str
    file: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    sentence: str
    # Of a group of functions such as `format`.
    members: tuple[str, ...] = ()


def exports(root: Path, module: str) -> list[Export]:
    folder = root / "web" / "src" / "public"
    found: list[Export] = []
    files = [*FOLLOWED.findall((folder / f"{module}.ts").read_text(encoding="utf-8")), module]
    for file in files:
        text = (folder / f"{file}.ts").read_text(encoding="utf-8")
        found += exports_in(text, module, f"{file}.ts")
    return found


def exports_in(text: str, module: str, file: str) -> Iterator[Export]:
    matches = [*LIST.finditer(text), *DECLARATION.finditer(text)]
    for match in sorted(matches, key=lambda match: match.start()):
        groups = match.groupdict()
        if groups.get("names") is not None:
            parts = [part.strip() for part in groups["names"].split(",") if part.strip()]
            values = [] if groups["is_type"] else [part for part in parts if not part.startswith("type ")]
        else:
            parts = [groups["name"]]
            values = [] if groups["kind"] in ("interface", "type") else parts
        members = tuple(
            part.partition(":")[0].strip() for part in (groups.get("members") or "").split(",") if part.strip()
        )
        names = tuple(map(exported_name, parts))
        yield Export(module, file, names, tuple(map(exported_name, values)), first_sentence(groups), members)


def exported_name(part: str) -> str:
    return part.removeprefix("type ").split(" as ")[-1].strip()


def first_sentence(groups: dict[str, str | None]) -> str:
    text = re.sub(r"\s*\n\s*\*?\s*", " ", groups["comment"] or "").strip()
    return re.split(r"(?<=\.) ", text, maxsplit=1)[0].rstrip(".")


def used_names(root: Path) -> set[str]:
    """What dashboards import, as "module.name"."""
    used = set()
    for text in view_texts(root):
        for names, module in IMPORT.findall(text):
            for part in names.split(","):
                used.add(f"{module}.{part.strip().removeprefix('type ').split(' as ')[0].strip()}")
    return used


def used_members(root: Path, group: str) -> set[str]:
    return {member for text in view_texts(root) for member in re.findall(rf"\b{group}\s*\.(\w+)", text)}


def view_texts(root: Path) -> Iterator[str]:
    for path in (root / "src/seamark/dashboards").glob("*/view/**/*"):
        if path.suffix in (".ts", ".svelte"):
            yield path.read_text(encoding="utf-8")


def tables(root: Path) -> str:
    """A table of names for each module, as Markdown."""
    parts = []
    for module in MODULES:
        rows = [
            f"| {', '.join(f'`{name}`' for name in export.names)} | {export.sentence}{member_list(export)} |"
            for export in exports(root, module)
        ]
        parts.append("\n".join([f"| `$public/{module}` | |", "|---|---|", *rows]))
    return f"{BEGIN}\n" + "\n\n".join(parts) + f"\n{END}"


def member_list(export: Export) -> str:
    return f" ({', '.join(f'`.{member}`' for member in export.members)})" if export.members else ""


def with_tables(document: str, root: Path) -> str:
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + tables(root) + after


def problems(root: Path = ROOT) -> Iterator[str]:
    used = used_names(root)
    values: list[str] = []
    for module in MODULES:
        if OWN_CODE.search((root / "web/src/public" / f"{module}.ts").read_text(encoding="utf-8")):
            yield f"web/src/public/{module}.ts: has code of its own; if it only re-exports, start-up loads what it uses"
        for export in exports(root, module):
            values += export.values
            where = f"web/src/public/{export.file}: {', '.join(export.names)}"
            if not export.sentence:
                yield f"{where}: no sentence above the export"
            for name in export.names:
                if f"{module}.{name}" not in used and (name in export.values or export.file not in CONTRACT):
                    yield f"{where}: no dashboard imports '{name}' from $public/{module}"
            for member in export.members:
                if member not in used_members(root, export.names[0]):
                    yield f"{where}: no dashboard uses '{export.names[0]}.{member}'"
    if len(values) > MAX_VALUES:
        yield f"web/src/public: {len(values)} functions, components and classes, want at most {MAX_VALUES}"
    document = (root / "docs" / "built-in-dashboards.md").read_text(encoding="utf-8")
    if with_tables(document, root) != document:
        yield "docs/built-in-dashboards.md: run python tools/public_names.py --write"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/built-in-dashboards.md")
    if parser.parse_args().write:
        path = ROOT / "docs" / "built-in-dashboards.md"
        path.write_text(with_tables(path.read_text(encoding="utf-8"), ROOT), encoding="utf-8")
    found = list(problems())
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
