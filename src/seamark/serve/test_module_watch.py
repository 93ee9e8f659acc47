"""A changed module is noticed once for each change."""

from __future__ import annotations

import os
from pathlib import Path

from seamark.serve.module_watch import ModuleVersions


def test_each_change_of_a_module_is_noticed_once(tmp_path: Path) -> None:
    view, other = tmp_path / "mine" / "view.js", tmp_path / "other" / "view.js"
    for file in (view, other):
        file.parent.mkdir()
        file.write_text("")
        os.utime(file, (1, 1))
    versions = ModuleVersions({"mine": view, "other": other})
    assert (versions.poll(), versions.changed) == (False, {})
    os.utime(view, (2, 2))
    assert (versions.poll(), versions.changed) == (True, {"mine": 2000})
    assert not versions.poll()
    view.unlink()
    assert not versions.poll()
    view.write_text("")
    os.utime(view, (1, 1))
    assert (versions.poll(), versions.changed) == (True, {"mine": 1000})


def test_a_file_that_the_module_imports_counts_as_well(tmp_path: Path) -> None:
    view, helper = tmp_path / "view.js", tmp_path / "helper.js"
    for file in (view, helper):
        file.write_text("")
        os.utime(file, (1, 1))
    versions = ModuleVersions({"mine": view})
    os.utime(helper, (3, 3))
    assert (versions.poll(), versions.changed) == (True, {"mine": 3000})
