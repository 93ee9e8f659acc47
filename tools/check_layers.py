"""Checks that imports follow the layers, form no cycles and use no private names of other modules.

python tools/check_layers.py              exits with 1 and prints one line for each broken rule
python tools/check_layers.py --cycles     prints the modules of each import cycle
python tools/check_layers.py --diagram    prints the diagram of the imports between layers
python tools/check_layers.py --write      puts the diagram into ARCHITECTURE.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.layers import core_includes, python_imports, web_imports
from tools.layers.cycles import find_cycles
from tools.layers.diagram import diagram, with_diagram
from tools.layers.private_names import private_uses
from tools.layers.violation import Violation

ROOT = Path(__file__).resolve().parent.parent
Modules = dict[str, python_imports.Module]


def violations(root: Path = ROOT) -> list[Violation]:
    modules = python_imports.python_modules(root)
    found = [
        *python_imports.layer_violations(root, modules),
        *web_imports.layer_violations(web_imports.web_files(root)),
        *core_includes.layer_violations(core_includes.core_files(root)),
        *private_name_violations(root, modules),
        *cycle_violations(root, modules),
    ]
    return sorted(found)


def private_name_violations(root: Path, modules: Modules) -> Iterator[Violation]:
    for module in modules.values():
        yield from private_uses(root, module)


def cycle_violations(root: Path, modules: Modules) -> Iterator[Violation]:
    """One violation for each module of a cycle."""
    for _, cycle in cycles(root, modules):
        for path in cycle:
            others = ", ".join(other for other in cycle if other != path)
            yield Violation(path, 1, f"import cycle with {others}")


def cycles(root: Path, modules: Modules) -> Iterator[tuple[str, list[str]]]:
    """The layer and the files of each import cycle in Python, on the page and in the core."""
    for cycle in find_cycles(python_imports.import_graph(modules)):
        files = [modules[name].path.relative_to(root).as_posix() for name in cycle]
        yield modules[cycle[0]].layer, files
    for cycle in find_cycles(web_imports.import_graph(web_imports.web_files(root))):
        yield "web", cycle
    for cycle in find_cycles(core_includes.include_graph(core_includes.core_files(root))):
        yield "core", cycle


def write_diagram() -> None:
    document = ROOT / "ARCHITECTURE.md"
    document.write_text(with_diagram(document.read_text(encoding="utf-8"), ROOT), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", action="store_true", help="print the modules of each import cycle")
    parser.add_argument("--diagram", action="store_true", help="print the diagram")
    parser.add_argument("--write", action="store_true", help="put the diagram into ARCHITECTURE.md")
    args = parser.parse_args()
    if args.cycles:
        for layer, cycle in cycles(ROOT, python_imports.python_modules(ROOT)):
            print(f"{layer}: {' '.join(cycle)}")
        return 0
    if args.diagram:
        print(diagram(ROOT))
        return 0
    if args.write:
        write_diagram()
        return 0
    found = violations()
    for violation in found:
        print(violation, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
