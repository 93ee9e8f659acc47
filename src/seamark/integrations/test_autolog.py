"""autolog() before the imports, with libraries that are files in a folder."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from seamark.integrations import autolog as autologging
from seamark.integrations import import_hook
from seamark.integrations.autolog import autolog

NAMES = ("sailing", "sailing.crew", "sailing_twin")
INTEGRATION = "seamark.integrations.sailing"


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `sailing` on disk, and an integration for it which counts how often it was turned on and off."""
    (tmp_path / "sailing").mkdir()
    (tmp_path / "sailing" / "__init__.py").write_text("from sailing.crew import hands\nsail = 'up'\n")
    (tmp_path / "sailing" / "crew.py").write_text("hands = 2\n")
    (tmp_path / "sailing" / "log.txt").write_text("fair wind")
    (tmp_path / "sailing_twin.py").write_text("import sailing\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(autologging, "LIBRARIES", {"sailing": ("sailing", "sailing_twin")})
    integration = ModuleType(INTEGRATION)
    integration.calls = []
    integration.autolog = lambda log_dir: turned_on(integration, log_dir)
    monkeypatch.setitem(sys.modules, INTEGRATION, integration)
    before = list(sys.meta_path)
    yield tmp_path
    autolog(disable=True)
    assert sys.meta_path == before
    for name in NAMES:
        sys.modules.pop(name, None)


def turned_on(integration: ModuleType, log_dir: str):
    # Only complete modules are of use to an integration.
    assert sys.modules["sailing"].sail == "up"
    integration.calls.append(f"on {log_dir}")
    return lambda: integration.calls.append("off")


def calls() -> list[str]:
    return sys.modules[INTEGRATION].calls


def test_a_library_is_turned_on_when_it_is_imported_later() -> None:
    assert autolog("logs") == ()
    assert calls() == []
    assert importlib.import_module("sailing").hands == 2
    assert calls() == ["on logs"]
    assert autolog("elsewhere") == ("sailing",)
    assert autolog(disable=True) == ()
    assert calls() == ["on logs", "off"]


def test_a_library_that_is_there_is_turned_on_at_once() -> None:
    importlib.import_module("sailing")
    before = list(sys.meta_path)
    assert autolog("logs") == ("sailing",)
    assert sys.meta_path == before
    importlib.reload(sys.modules["sailing"])
    assert calls() == ["on logs"]


def test_either_of_two_packages_turns_it_on_and_only_once() -> None:
    autolog("logs")
    importlib.import_module("sailing_twin")
    assert calls() == ["on logs"]


def test_disabled_before_the_import_nothing_happens() -> None:
    before = list(sys.meta_path)
    autolog("logs")
    assert sys.meta_path != before
    autolog(disable=True)
    assert sys.meta_path == before
    importlib.import_module("sailing")
    assert calls() == []


def test_looking_for_a_library_does_not_turn_it_on() -> None:
    autolog("logs")
    assert importlib.util.find_spec("sailing") is not None
    assert importlib.util.find_spec("sailing_nowhere") is None
    assert calls() == []


def test_the_module_looks_as_if_it_was_imported_without_us() -> None:
    autolog("logs")
    module = importlib.import_module("sailing")
    assert type(module.__loader__) is importlib.machinery.SourceFileLoader
    assert "exec_module" not in vars(module.__loader__)
    assert module.__spec__.loader is module.__loader__
    assert pkgutil.get_data("sailing", "log.txt") == b"fair wind"


def test_an_import_that_fails_can_be_tried_again(library: Path) -> None:
    (library / "sailing" / "__init__.py").write_text("raise ZeroDivisionError")
    autolog("logs")
    with pytest.raises(ZeroDivisionError):
        importlib.import_module("sailing")
    (library / "sailing" / "__init__.py").write_text("hands, sail = 3, 'up'  # another length for the cached bytecode")
    assert importlib.import_module("sailing").hands == 3
    assert calls() == ["on logs"]


def test_an_integration_that_fails_does_not_fail_the_import(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys.modules[INTEGRATION], "autolog", lambda log_dir: 1 / 0)
    autolog("logs")
    assert importlib.import_module("sailing").hands == 2
    assert autolog(only=[]) == ()
    assert caplog.messages == ["seamark: autolog cannot log sailing (ZeroDivisionError: division by zero)"]


def test_modules_of_an_archive_share_a_loader(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = library / "harbour.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(library / "sailing" / "__init__.py", "sailing/__init__.py")
        file.write(library / "sailing" / "crew.py", "sailing/crew.py")
    monkeypatch.setattr(sys, "path", [str(archive)])
    autolog("logs")
    assert importlib.import_module("sailing").hands == 2
    assert calls() == ["on logs"]


def test_a_lazy_import_turns_it_on_when_it_happens() -> None:
    autolog("logs")
    spec = importlib.util.find_spec("sailing")
    assert spec is not None and spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules["sailing"] = module
    spec.loader.exec_module(module)
    assert calls() == []
    assert module.hands == 2
    assert calls() == ["on logs"]


@pytest.mark.parametrize("position", [0, 1])
def test_another_finder_of_this_sort_is_asked_too(position: int) -> None:
    other = import_hook.AfterImportFinder()
    other.hooks["sailing"] = lambda: calls().append("theirs")
    autolog("logs")
    sys.meta_path.insert(position, other)
    try:
        importlib.import_module("sailing")
    finally:
        sys.meta_path.remove(other)
    assert sorted(calls()) == ["on logs", "theirs"]
