"""A new package has the files of a dashboard, under its own name."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from seamark.plugin.new_package import write_package


def test_a_package_has_an_entry_point_a_view_and_its_types(tmp_path: Path) -> None:
    folder = tmp_path / "my-tab"
    files = [str(path.relative_to(folder)) for path in write_package("my-tab", folder)]
    names = ("__init__.py", "routes.py", "seamark-plugin.d.ts", "view.css", "view.js")
    assert files == ["README.md", "pyproject.toml", *(f"seamark_my_tab/{name}" for name in names), "test_routes.py"]
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["test"] == ["httpx2", "pytest"]
    assert project["entry-points"]["seamark.dashboards"] == {"my-tab": "seamark_my_tab:dashboard"}
    assert 'title="My tab"' in (folder / "seamark_my_tab" / "__init__.py").read_text(encoding="utf-8")
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()]
    assert not any("skeleton" in text.lower() for text in texts)


def test_the_test_of_a_new_package_passes(tmp_path: Path) -> None:
    folder = tmp_path / "my-tab"
    write_package("my-tab", folder)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), *sys.path)))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "test_routes.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_nothing_is_overwritten_and_a_name_must_fit_into_a_url(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="want a folder that does not exist yet"):
        write_package("mine", tmp_path)
    with pytest.raises(ValueError, match="lower case letters"):
        write_package("Mine", tmp_path / "mine")
    assert not (tmp_path / "mine").exists()
