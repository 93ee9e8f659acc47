"""Every integration is in the matrix, and libraries that cannot be installed are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import integrations
from tools.integrations import GROUPS, Group, Library

ROOT = Path(__file__).resolve().parent.parent
# Modules that the integrations share.
SHARED = {
    "__init__",
    "autolog",
    "confusion",
    "import_hook",
    "keras_profile",
    "keras_weights",
    "notebook",
    "notebook_page",
    "notebook_servers",
    "patch",
    "shim",
    "tables",
    "target",
}


# Not integrations, but tested with the real libraries as well.
BESIDE = {
    "aim",
    "arrays",
    "azure",
    "fairlearn",
    "graphs",
    "oidc",
    "predict",
    "profiles",
    "projections",
    "tensorboard_buckets",
    "tensorflow_checkpoints",
    "tensorflow_examples",
    "tensorflow_graphs",
    "videos",
}


def test_every_integration_has_its_tests_in_the_matrix_and_a_section_in_the_docs() -> None:
    folder = ROOT / "src" / "seamark" / "integrations"
    there = {path.stem for path in folder.glob("*.py") if not path.name.startswith("test_")} - SHARED
    listed = {library.name for group in GROUPS for library in group.libraries} - BESIDE
    assert there == listed
    assert [library.test.name for group in GROUPS for library in group.libraries if not library.test.exists()] == []
    docs = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    assert [name for name in listed if f"seamark.integrations.{name} import" not in docs] == []


def test_libraries_and_groups_are_selected_by_name() -> None:
    assert [(group.name, library.name) for group, library in integrations.selected(["keras"])] == [
        ("tensorflow", "keras")
    ]
    assert len(list(integrations.selected(["trees"]))) == 7
    assert len(list(integrations.selected([]))) == sum(len(group.libraries) for group in GROUPS)
    with pytest.raises(SystemExit, match="got 'kears', want one of"):
        list(integrations.selected(["kears"]))


def test_a_library_that_cannot_be_installed_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(integrations, "ROOT", tmp_path)
    monkeypatch.setattr(integrations, "ENVIRONMENTS", tmp_path / "build")
    missing = Library("nothing", (str(tmp_path / "there-is-no-such-wheel-1.0-py3-none-any.whl"),))
    assert integrations.run([(Group("none", (missing,), why="nothing"), missing)]) == 0
    output = capsys.readouterr().out
    assert "skipped nothing: could not install" in output
    assert "there-is-no-such-wheel" in output
    assert "integrations passed: none; skipped: nothing; failed: none" in output
