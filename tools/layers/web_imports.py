"""The imports between the page's modules, and those that the layer table forbids."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from tools.layers.rules import PUBLIC_ALIAS, SHARED_DASHBOARDS, WEB_LAYERS, may_import
from tools.layers.violation import Violation

WEB_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(?P<target>[^"'\n]+)\1""")
VIEWS = "src/seamark/dashboards"


def web_files(root: Path) -> dict[str, str]:
    """The text of every module of the page, by its path from the root."""
    paths = (
        path
        for suffix in ("ts", "svelte")
        for path in (*(root / "web/src").rglob(f"*.{suffix}"), *(root / VIEWS).glob(f"*/view/**/*.{suffix}"))
    )
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def imports_of(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The line of each import of one of our modules, and the path from the root that it names."""
    for match in WEB_IMPORT.finditer(text):
        target = path_of_import(match["target"], path)
        if target is not None:
            yield text.count("\n", 0, match.start()) + 1, target


def path_of_import(target: str, importer: str) -> str | None:
    """The path that an import names, from the root; None for an npm package."""
    if target.split("/")[0] == PUBLIC_ALIAS:
        return f"web/src/public{target.removeprefix(PUBLIC_ALIAS) or '/index'}"
    if target.startswith("."):
        return posixpath.normpath(posixpath.join(posixpath.dirname(importer), target))
    return None


def import_graph(files: dict[str, str]) -> dict[str, set[str]]:
    """Each module's imports, imports of types included. Tests are left out: nothing imports them."""
    graph: dict[str, set[str]] = {}
    for path, text in files.items():
        if not path.endswith(".test.ts"):
            targets = {file_of_import(target, files) for _, target in imports_of(path, text)}
            graph[path] = {target for target in targets if target is not None and target != path}
    return graph


def file_of_import(target: str, files: dict[str, str]) -> str | None:
    candidates = (target, f"{target}.ts", f"{target}/index.ts")
    return next((path for path in candidates if path in files), None)


def layer_violations(files: dict[str, str]) -> Iterator[Violation]:
    for path, text in files.items():
        for line, target in imports_of(path, text):
            reason = why_forbidden(path, target)
            if reason:
                yield Violation(path, line, reason)


def why_forbidden(importer: str, target: str) -> str:
    """The broken rule as a sentence, or nothing."""
    here, there = web_layer(importer), web_layer(target)
    if here == "":
        return ""  # main.ts starts everything
    if here is None or here not in WEB_LAYERS:
        return f"'{here}' is not a layer of the page; add it to tools/layers/rules.py or move the file"
    if there is None:
        return f"'{here}' must not import a file outside the page ('{target}')"
    if here == there == "views" and importer.split("/")[3] != target.split("/")[3]:
        pair = (importer.split("/")[3], target.split("/")[3])
        return "" if pair in SHARED_DASHBOARDS else f"the view of '{pair[0]}' must not import the view of '{pair[1]}'"
    return "" if here == there or may_import(WEB_LAYERS[here], there) else f"web: '{here}' must not import '{there}'"


def web_layer(path: str) -> str | None:
    match path.split("/"):
        case ["web", "src", _]:
            return ""
        case ["web", "src", layer, *_]:
            return layer
        case ["src", "seamark", "dashboards", _, "view", *_]:
            return "views"
    return None
