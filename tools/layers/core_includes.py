"""The includes of the C++ core, and those that belong in another folder of it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from tools.layers.rules import BINDING, DISK, PYTHON_HEADERS, SYSTEM_HEADERS
from tools.layers.violation import Violation

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def core_files(root: Path) -> dict[str, str]:
    """The text of every source file of the core, by its path from the root."""
    core = root / "core"
    paths = sorted([*core.rglob("*.h"), *core.rglob("*.cc")])
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def include_graph(files: dict[str, str]) -> dict[str, set[str]]:
    """Each file's includes, as paths from the root. An include is relative to the file or to core/."""
    graph: dict[str, set[str]] = {}
    for path, text in files.items():
        names = INCLUDE.findall(text)
        candidates = {
            posixpath.normpath(f"{base}/{name}") for name in names for base in (posixpath.dirname(path), "core")
        }
        graph[path] = {target for target in candidates if target in files and target != path}
    return graph


def layer_violations(files: dict[str, str]) -> Iterator[Violation]:
    for path, text in files.items():
        for match in INCLUDE.finditer(text):
            reason = why_forbidden(path, match[1])
            if reason:
                yield Violation(path, text.count("\n", 0, match.start(1)) + 1, reason)


def why_forbidden(path: str, header: str) -> str:
    """The broken rule as a sentence, or nothing."""
    folder, stem = posixpath.dirname(path).removeprefix("core").strip("/"), Path(path).stem
    is_for_tests = folder == "fuzz" or stem.endswith("_test") or stem.startswith("testing")
    if folder != BINDING and PYTHON_HEADERS.fullmatch(header):
        return f"only core/{BINDING} may use Python, this includes <{header}>"
    if folder != DISK and not is_for_tests and SYSTEM_HEADERS.fullmatch(header):
        return f"only core/{DISK} may use files and threads, this includes <{header}>"
    return ""
