"""The rule holds for this repository, and the tool would notice if it did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_rooms


def reasons(root: Path) -> list[str]:
    return [violation.reason for violation in check_rooms.violations(root)]


def put(root: Path, place: str, text: str) -> None:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_every_import_here_goes_the_right_way() -> None:
    assert [str(violation) for violation in check_rooms.violations()] == []


def test_the_diagram_in_the_architecture_is_this_table() -> None:
    document = (check_rooms.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert check_rooms.with_diagram(document) == document, "run: python tools/check_rooms.py --write"


@pytest.mark.parametrize(
    ("place", "text", "reason"),
    [
        ("write/a.py", "from seamark.store import Store", "'write' must not import 'store'"),
        ("write/a.py", "from seamark import store", "'write' must not import 'store'"),
        ("write/a.py", "import seamark.store.index", "'write' must not import 'store'"),
        ("write/a.py", "from ..store import Store", "'write' must not import 'store'"),
        ("write/a.py", "from .. import store", "'write' must not import 'store'"),
        ("write/deep/a.py", "from ...store import Store", "'write' must not import 'store'"),
        ("write/a.py", "def f():\n    import seamark.store", "'write' must not import 'store'"),
        ("write/a.py", "if TYPE_CHECKING:\n    from seamark.store import Store", "'write' must not import 'store'"),
        ("write/a.py", "importlib.import_module('seamark.store')", "'write' must not import 'store'"),
        ("store/a.py", "from seamark.write.event_file import EventFile", "'store' must not import 'write'"),
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
        ("utils/a.py", "import os", "'utils' is no room of the house; add it to tools/check_rooms.py or move the file"),
    ],
)
def test_a_python_import_the_wrong_way_is_named(tmp_path: Path, place: str, text: str, reason: str) -> None:
    put(tmp_path, f"src/seamark/{place}", text)
    assert reasons(tmp_path) == [reason]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("store/a.py", "from seamark.kinds import text\nfrom seamark import _core\nfrom . import b"),
        ("cli/a.py", "from seamark.serve import app\nfrom seamark.write import event_file"),
        ("write/a.py", "import storeroom\nfrom seamark_store import x\nfrom seamark import __version__"),
        ("write/test_a.py", "from seamark.store import Store"),
        ("dashboards/text/a.py", "from seamark.dashboards.text import b\nfrom seamark.plugin import Dashboard"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, place: str, text: str) -> None:
    put(tmp_path, f"src/seamark/{place}", text)
    assert reasons(tmp_path) == []


def test_rooms_are_compared_by_component_not_by_prefix(tmp_path: Path) -> None:
    put(tmp_path, "src/seamark/write/a.py", "from seamark.stored import x")
    assert reasons(tmp_path) == ["'write' must not import 'stored'"]
    put(tmp_path, "src/seamark/write/a.py", "from seamark.write_more import x")
    assert reasons(tmp_path) == ["'write' must not import 'write_more'"]


@pytest.mark.parametrize(
    ("place", "text", "reason"),
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
            "'lib' is no room of the page; add it to tools/check_rooms.py or move the file",
        ),
        (
            "web/src/base/a.ts",
            'import x from "../../../secrets";',
            "'base' must not import what lies outside the page ('secrets')",
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
def test_a_web_import_the_wrong_way_is_named(tmp_path: Path, place: str, text: str, reason: str) -> None:
    put(tmp_path, place, text)
    assert reasons(tmp_path) == [reason]


def test_web_imports_down_the_line_pass(tmp_path: Path) -> None:
    put(tmp_path, "web/src/main.ts", 'import App from "./shell/App.svelte";')
    put(tmp_path, "web/src/shell/App.svelte", '<script>import x from "../base/a"; import d3 from "d3-scale";</script>')
    put(
        tmp_path,
        "src/seamark/dashboards/a/view/index.ts",
        'import x from "./model";\nimport y from "../../../../../web/src/public/plugin";\n'
        'import z from "$public";\nimport w from "$public/plugin";',
    )
    assert reasons(tmp_path) == []


def test_the_core_knows_python_in_one_folder_only(tmp_path: Path) -> None:
    put(tmp_path, "core/bind/module.cc", "#include <nanobind/nanobind.h>\n#include <Python.h>\n")
    put(tmp_path, "core/scan.cc", '#include "scan.h"\n#include <vector>\n# include <Python.h>\n')
    put(tmp_path, "core/wire.h", "#include <nanobind/ndarray.h>\n")
    found = check_rooms.violations(tmp_path)
    assert [(violation.path, violation.line) for violation in found] == [("core/scan.cc", 3), ("core/wire.h", 1)]


def test_the_core_knows_threads_and_paths_in_one_folder_only_but_its_tests_may(tmp_path: Path) -> None:
    put(tmp_path, "core/disk/walk.cc", "#include <dirent.h>\n#include <thread>\n")
    put(tmp_path, "core/scan.cc", "#include <chrono>\n#include <filesystem>\n")
    put(tmp_path, "core/scan_test.cc", "#include <chrono>\n")
    put(tmp_path, "core/fuzz/scan_fuzz.cc", "#include <fstream>\n")
    assert reasons(tmp_path) == [
        "only core/disk knows files and threads, this includes <chrono>",
        "only core/disk knows files and threads, this includes <filesystem>",
    ]


def test_a_violation_names_its_line(tmp_path: Path) -> None:
    put(tmp_path, "src/seamark/write/a.py", "\n\nimport seamark.serve\n")
    assert [str(violation) for violation in check_rooms.violations(tmp_path)] == [
        "'write' must not import 'serve': src/seamark/write/a.py:3"
    ]
