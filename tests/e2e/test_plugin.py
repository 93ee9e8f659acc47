"""The tutorial for dashboards, followed to the letter: its files become a package, and the package a tab."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tools.browser import served

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "dashboards.md"
# ```python path/of/the/file
BLOCK = re.compile(r"^```\w+ (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the tutorial, installed into a folder of its own."""
    source = tmp_path_factory.mktemp("tutorial")
    for block in BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8")):
        path = source / block["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block["text"], encoding="utf-8")
    target = tmp_path_factory.mktemp("site")
    # What `pip install` has the build backend do, in an environment that may have neither a network nor `wheel`.
    build = [sys.executable, "-c", "from setuptools import setup; setup()", "--quiet"]
    steps = ["install_lib", "--install-dir", str(target), "install_egg_info", "--install-dir", str(target)]
    subprocess.run([*build, *steps], check=True, cwd=source)
    return target


@pytest.fixture
def with_package(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    return site


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    for name in ("<b>alpha</b>", "beta"):
        with EventFile(tmp_path / "runs" / name) as file:
            # The file itself carries the time at which it was begun.
            begun = time.time()
            file.add_scalar("loss", 1.0, 0, wall_time=begun)
            file.add_scalar("loss", 0.5, 1, wall_time=begun + 12.5)
    return tmp_path / "runs"


def test_the_tutorials_package_becomes_a_tab_that_follows_the_runs_table(
    with_package: Path, logdir: Path, open_page: OpenPage
) -> None:
    with served("--logdir", str(logdir)) as address:
        page = open_page(address)
        page.get_by_role("link", name="Run lengths").click()
        items = page.get_by_role("main").get_by_role("listitem")
        expect(items).to_have_text(["<b>alpha</b>: 12.5 s", "beta: 12.5 s"])
        page.get_by_role("checkbox", name="Show beta").click()
        expect(items).to_have_text(["<b>alpha</b>: 12.5 s"])
        expect(page).to_have_url(re.compile(r"#run_lengths&runs=-beta$"))
        page.reload()
        expect(items).to_have_text(["<b>alpha</b>: 12.5 s"])
        page.close()


def test_a_broken_package_is_told_under_more_and_harms_nothing(
    with_package: Path, logdir: Path, open_page: OpenPage
) -> None:
    package = with_package / "seamark_run_lengths" / "__init__.py"
    good = package.read_text(encoding="utf-8")
    package.write_text("raise RuntimeError('half installed')\n", encoding="utf-8")
    try:
        with served("--logdir", str(logdir)) as address:
            page = open_page(address)
            page.get_by_role("button", name="More").click()
            page.get_by_role("menuitem", name="run_lengths").click()
            expect(page.get_by_role("alert")).to_contain_text("RuntimeError: half installed")
            page.close()
    finally:
        package.write_text(good, encoding="utf-8")
