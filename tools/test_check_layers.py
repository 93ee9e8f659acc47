"""The rules hold for this repository, and the tool reports code that breaks them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_layers


def reasons(root: Path) -> list[str]:
    return [violation.reason for violation in check_layers.violations(root)]


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_this_repository_follows_the_rules() -> None:
    assert [str(violation) for violation in check_layers.violations()] == []


def test_the_diagram_in_the_architecture_shows_the_imports_of_this_repository() -> None:
    document = (check_layers.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert check_layers.with_diagram(document, check_layers.ROOT) == document, (
        "run: python tools/check_layers.py --write"
    )


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("write/a.py", "from seamark.store import Store", "'write' must not import 'store'"),
        ("write/a.py", "from seamark import store", "'write' must not import 'store'"),
        ("write/a.py", "import seamark.store.index", "'write' must not import 'store'"),
        ("write/a.py", "from ..store import Store", "'write' must not import 'store'"),
        ("write/a.py", "from .. import store", "'write' must not import 'store'"),
        ("write/deep/a.py", "from ...store import Store", "'write' must not import 'store'"),
        ("write/a.py", "def f():\n    import seamark.store", "'write' must not import 'store'"),
        ("write/a.py", "if TYPE_CHECKING:\n    from seamark.store import Store", "'write' must not import 'store'"),
        ("store/a.py", "from seamark.write.append.event_file import EventFile", "'store' must not import 'write'"),
        ("kinds/a.py", "from seamark.serve import app", "'kinds' must not import 'serve'"),
        ("format/a.py", "from seamark.kinds import text", "'format' must not import 'kinds'"),
        ("serve/a.py", "from seamark.dashboards import scalars", "'serve' must not import 'dashboards'"),
        ("serve/a.py", "from seamark import _core", "'serve' must not import '_core'"),
        ("integrations/a.py", "from seamark.kinds import text", "'integrations' must not import 'kinds'"),
        ("plugin.py", "from seamark.serve import app", "'plugin' must not import 'serve'"),
        ("__init__.py", "from seamark.store import Store", "'seamark' must not import 'store'"),
        (
            "dashboards/text/a.py",
            "from seamark.dashboards.images import x",
            "the dashboard 'text' must not import the dashboard 'images'",
        ),
        ("utils/a.py", "import os", "'utils' is not a layer; add it to tools/layers/rules.py or move the file"),
    ],
)
def test_a_forbidden_python_import_is_reported(tmp_path: Path, path: str, text: str, reason: str) -> None:
    put(tmp_path, f"src/seamark/{path}", text)
    assert reasons(tmp_path) == [reason]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("store/a.py", "from seamark.kinds import text\nfrom seamark import _core\nfrom . import b"),
        ("cli/a.py", "from seamark.serve import app\nfrom seamark.write import event_file"),
        ("write/a.py", "import storage\nfrom seamark_store import x\nfrom seamark import __version__"),
        ("write/test_a.py", "from seamark.store import Store"),
        ("dashboards/text/a.py", "from seamark.dashboards.text import b\nfrom seamark.plugin import Dashboard"),
    ],
)
def test_an_allowed_python_import_passes(tmp_path: Path, path: str, text: str) -> None:
    put(tmp_path, f"src/seamark/{path}", text)
    assert reasons(tmp_path) == []


def test_layers_are_compared_by_component_not_by_prefix(tmp_path: Path) -> None:
    put(tmp_path, "src/seamark/write/a.py", "from seamark.stored import x")
    assert reasons(tmp_path) == ["'write' must not import 'stored'"]
    put(tmp_path, "src/seamark/write/a.py", "from seamark.write_more import x")
    assert reasons(tmp_path) == ["'write' must not import 'write_more'"]


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("web/src/base/a.ts", 'import { x } from "../data/api";', "web: 'base' must not import 'data'"),
        ("web/src/data/a.ts", 'export * from "../chart/draw"', "web: 'data' must not import 'chart'"),
        (
            "web/src/chart/A.svelte",
            "<script>import x from '../shell/App.svelte';</script>",
            "web: 'chart' must not import 'shell'",
        ),
        ("web/src/ui/a.ts", 'const x = await import("../public/plugin");', "web: 'ui' must not import 'public'"),
        ("web/src/ui/a.ts", 'import "../shell/start";', "web: 'ui' must not import 'shell'"),
        (
            "web/src/lib/a.ts",
            'import x from "../base/a";',
            "'lib' is not a layer of the page; add it to tools/layers/rules.py or move the file",
        ),
        (
            "web/src/base/a.ts",
            'import x from "../../../secrets";',
            "'base' must not import a file outside the page ('secrets')",
        ),
        (
            "src/seamark/dashboards/a/view/index.ts",
            'import x from "../../b/view/model";',
            "the view of 'a' must not import the view of 'b'",
        ),
        (
            "src/seamark/dashboards/a/view/index.ts",
            'import x from "../../../../../web/src/shell/App.svelte";',
            "web: 'views' must not import 'shell'",
        ),
        (
            "src/seamark/dashboards/a/view/index.ts",
            'import x from "../../../../../web/src/data/api";',
            "web: 'views' must not import 'data'",
        ),
        ("web/src/ui/a.ts", 'import x from "$public/plugin";', "web: 'ui' must not import 'public'"),
        ("web/src/chart/a.ts", 'import x from "$public";', "web: 'chart' must not import 'public'"),
    ],
)
def test_a_forbidden_web_import_is_reported(tmp_path: Path, path: str, text: str, reason: str) -> None:
    put(tmp_path, path, text)
    assert reasons(tmp_path) == [reason]


def test_an_allowed_web_import_passes(tmp_path: Path) -> None:
    put(tmp_path, "web/src/main.ts", 'import App from "./shell/App.svelte";')
    put(tmp_path, "web/src/shell/App.svelte", '<script>import x from "../base/a"; import d3 from "d3-scale";</script>')
    put(
        tmp_path,
        "src/seamark/dashboards/a/view/index.ts",
        'import x from "./model";\nimport y from "../../../../../web/src/public/plugin";\n'
        'import z from "$public";\nimport w from "$public/plugin";',
    )
    assert reasons(tmp_path) == []


def test_only_core_bind_includes_python(tmp_path: Path) -> None:
    put(tmp_path, "core/bind/module.cc", "#include <nanobind/nanobind.h>\n#include <Python.h>\n")
    put(tmp_path, "core/scan.cc", '#include "scan.h"\n#include <vector>\n# include <Python.h>\n')
    put(tmp_path, "core/wire.h", "#include <nanobind/ndarray.h>\n")
    found = check_layers.violations(tmp_path)
    assert [(violation.path, violation.line) for violation in found] == [("core/scan.cc", 3), ("core/wire.h", 1)]


def test_only_core_disk_and_tests_include_files_and_threads(tmp_path: Path) -> None:
    put(tmp_path, "core/disk/walk.cc", "#include <dirent.h>\n#include <thread>\n")
    put(tmp_path, "core/scan.cc", "#include <chrono>\n#include <filesystem>\n")
    put(tmp_path, "core/scan_test.cc", "#include <chrono>\n")
    put(tmp_path, "core/fuzz/scan_fuzz.cc", "#include <fstream>\n")
    assert reasons(tmp_path) == [
        "only core/disk may use files and threads, this includes <chrono>",
        "only core/disk may use files and threads, this includes <filesystem>",
    ]


def test_a_violation_names_its_line(tmp_path: Path) -> None:
    put(tmp_path, "src/seamark/write/a.py", "\n\nimport seamark.serve\n")
    assert [str(violation) for violation in check_layers.violations(tmp_path)] == [
        "'write' must not import 'serve': src/seamark/write/a.py:3"
    ]


def test_a_module_named_in_a_string_counts_as_an_import(tmp_path: Path) -> None:
    put(tmp_path, "src/seamark/store/__init__.py", "")
    put(tmp_path, "src/seamark/write/a.py", 'importlib.import_module("seamark.store")')
    assert reasons(tmp_path) == ["'write' must not import 'store'"]
    put(tmp_path, "src/seamark/write/a.py", 'EXPORTS = {"Store": "seamark.store:Store"}')
    assert reasons(tmp_path) == ["'write' must not import 'store'"]
    put(tmp_path, "src/seamark/write/a.py", 'SCHEMA = "seamark.storage"')
    assert reasons(tmp_path) == []


def test_seamark_may_import_the_reader_on_first_use_only(tmp_path: Path) -> None:
    put(tmp_path, "src/seamark/read/opening.py", "")
    put(tmp_path, "src/seamark/__init__.py", '_LAZY_EXPORTS = {"open": "seamark.read.opening:open"}')
    assert reasons(tmp_path) == []
    put(tmp_path, "src/seamark/__init__.py", "from seamark.read.opening import open")
    assert reasons(tmp_path) == ["'seamark' must not import 'read'"]


LAZY_PACKAGE = """
_LAZY_EXPORTS = {"Series": "series:Series"}

def __getattr__(name): ...
"""


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "from seamark.plugin import b", "b.py": "import seamark.plugin.a"},
        {"a.py": "def f():\n    from seamark.plugin import b", "b.py": "from . import a"},
        {"a.py": "if TYPE_CHECKING:\n    from seamark.plugin.b import B", "b.py": "from .a import A"},
        {"a.py": "import_module('seamark.plugin.b')", "b.py": "from .a import A"},
        {"__init__.py": LAZY_PACKAGE, "series.py": "from seamark.plugin import Dashboard"},
    ],
)
def test_an_import_cycle_is_reported_for_each_of_its_modules(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        put(tmp_path, f"src/seamark/plugin/{name}", text)
    put(tmp_path, "src/seamark/plugin/outside.py", "from seamark.plugin import a")
    first, second = sorted(f"src/seamark/plugin/{name}" for name in files)
    assert [str(violation) for violation in check_layers.violations(tmp_path)] == [
        f"import cycle with {second}: {first}:1",
        f"import cycle with {first}: {second}:1",
    ]


def test_a_cycle_through_three_modules_is_found(tmp_path: Path) -> None:
    put(tmp_path, "core/a.h", '#include "b.h"\n')
    put(tmp_path, "core/b.h", '#include "disk/c.h"\n')
    put(tmp_path, "core/disk/c.h", '#include "a.h"\n')
    assert [violation.path for violation in check_layers.violations(tmp_path)] == [
        "core/a.h",
        "core/b.h",
        "core/disk/c.h",
    ]


def test_a_cycle_between_modules_of_the_page_is_found(tmp_path: Path) -> None:
    put(tmp_path, "web/src/base/a.ts", 'import type { B } from "./B.svelte";')
    put(tmp_path, "web/src/base/B.svelte", '<script>import { a } from "./a";</script>')
    put(tmp_path, "web/src/base/a.test.ts", 'import { a } from "./a";')
    assert [layer for layer, _ in check_layers.cycles(tmp_path, {})] == ["web"]


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("def f(runs):\n    return runs._library", "'runs._library' is private to another module"),
        ("class A:\n    def f(self):\n        self.b._c()", "'self.b._c' is private to another module"),
        ("from seamark.plugin.a import _parse", "'_parse' is private to 'seamark.plugin.a'"),
    ],
)
def test_a_private_name_of_another_module_is_reported(tmp_path: Path, text: str, used: str) -> None:
    put(tmp_path, "src/seamark/plugin/b.py", text)
    assert reasons(tmp_path) == [used]


@pytest.mark.parametrize(
    "text",
    [
        "class A:\n    def f(self, other):\n        return self._x == other._x\n    def __init__(self):\n        self._x = 1",
        "class A(B):\n    def f(self):\n        return super()._read() + self._read()",
        "class A:\n    __slots__ = ('_x',)\ndef f(a):\n    return a._x",
        "def f(row):\n    return row._replace(x=1)",
        "from seamark import _core\nimport seamark\nseamark._core.scan()",
    ],
)
def test_private_names_of_the_same_module_are_allowed(tmp_path: Path, text: str) -> None:
    put(tmp_path, "src/seamark/format/b.py", text)
    assert reasons(tmp_path) == []
