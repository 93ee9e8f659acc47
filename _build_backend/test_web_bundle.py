"""The bundle is rebuilt when its sources change, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from _build_backend import web_bundle


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "package.json").write_text("{}")
    (tmp_path / "web" / "src" / "main.ts").write_text("export {}\n")
    web_bundle.static_folder(tmp_path).mkdir(parents=True)
    return tmp_path


def stamp(tree: Path) -> None:
    (web_bundle.static_folder(tree) / web_bundle.STAMP).write_text(web_bundle.sources_hash(tree) + "\n")


def test_a_tree_without_a_bundle_is_stale(tree: Path) -> None:
    assert web_bundle.is_stale(tree)


def test_a_current_bundle_needs_no_node(tree: Path) -> None:
    stamp(tree)
    assert not web_bundle.is_stale(tree)
    assert web_bundle.requirements(tree) == []


def test_a_changed_an_added_and_a_renamed_source_make_it_stale(tree: Path) -> None:
    source = tree / "web" / "src" / "main.ts"
    stamp(tree)
    source.write_text("export const changed = 1\n")
    assert web_bundle.is_stale(tree)
    stamp(tree)
    (tree / "web" / "src" / "App.svelte").write_text("<p>hello</p>")
    assert web_bundle.is_stale(tree)
    stamp(tree)
    source.rename(source.with_name("start.ts"))
    assert web_bundle.is_stale(tree)


def test_a_dashboard_view_is_part_of_the_bundle(tree: Path) -> None:
    stamp(tree)
    view = tree / "src" / "seamark" / "dashboards" / "scalars" / "view"
    view.mkdir(parents=True)
    (view / "index.ts").write_text("export {}\n")
    assert web_bundle.is_stale(tree)


def test_tests_and_packages_do_not_make_it_stale(tree: Path) -> None:
    stamp(tree)
    (tree / "web" / "src" / "main.test.ts").write_text("test")
    (tree / "web" / "node_modules").mkdir()
    (tree / "web" / "node_modules" / "a.js").write_text("1")
    assert not web_bundle.is_stale(tree)


def test_a_source_tree_without_web_sources_is_not_stale(tmp_path: Path) -> None:
    assert not web_bundle.is_stale(tmp_path)


@pytest.mark.parametrize(
    ("version", "suitable"),
    [
        ("v20.18.3\n", False),
        ("v20.19.0\n", True),
        ("v21.9.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("v26.0.0", True),
        ("v18.20.0", False),
        ("", False),
        ("not a version", False),
    ],
)
def test_node_is_used_if_its_version_suits_vite(version: str, suitable: bool) -> None:
    assert web_bundle.is_suitable(version) is suitable


def test_node_from_pypi_is_required_if_the_machine_has_none(
    tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert web_bundle.requirements(tree) == [web_bundle.NODE_REQUIREMENT]
