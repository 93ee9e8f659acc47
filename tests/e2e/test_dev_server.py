"""A copy of the skeleton in this repository, as docs/built-in-dashboards.md tells, shown and reloaded by `npm run dev`."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

import seamark.dashboards
from seamark.plugin import dashboard as dashboard_module
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

ROOT = Path(__file__).resolve().parents[2]
DASHBOARDS = Path("src/seamark/dashboards")
START_SECS = 90
END_SECS = 30
# The repository's configuration, with what a copy without its own packages needs.
CONFIG = """
import {{ defineConfig, mergeConfig }} from "vite";
import config from "./vite.config.ts";

const changes = {{
  cacheDir: "./.vite",
  server: {{ port: {port}, strictPort: true, proxy: {{ "/api": {{ target: {server} }} }}, fs: {{ allow: [{packages}] }} }},
}};
export default defineConfig((environment) => mergeConfig(config(environment), changes));
"""


def copy_of_the_repository(folder: Path) -> Path:
    """The page's sources and the dashboards, with the packages of this repository."""
    skipped = shutil.ignore_patterns("node_modules", "__pycache__", ".vite")
    shutil.copytree(ROOT / "web", folder / "web", ignore=skipped)
    (folder / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    shutil.copytree(ROOT / DASHBOARDS, folder / DASHBOARDS, ignore=skipped)
    return folder


def documented_copy() -> str:
    """The commands that copy the skeleton."""
    text = (ROOT / "docs" / "built-in-dashboards.md").read_text(encoding="utf-8")
    block = re.search(r"^```sh\n(cp -R .*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert block
    return block[1]


def wait_until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECS
    while True:
        try:
            # A page, not just a connection: while nobody listens, a socket may connect to itself.
            with urlopen(f"http://127.0.0.1:{port}/", timeout=START_SECS):
                return
        except OSError:
            assert process.poll() is None, "Vite ended"
            assert time.monotonic() < deadline, f"Vite did not listen within {START_SECS} s"
            time.sleep(0.1)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and all that it started, by force if it does not end by itself."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=END_SECS)


@contextmanager
def dev_server(web: Path, server: str) -> Iterator[str]:
    """Vite as `npm run dev` starts it, in front of a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    packages = json.dumps(str((ROOT / "web" / "node_modules").resolve()))
    config = CONFIG.format(port=port, server=json.dumps(server.rstrip("/")), packages=packages)
    (web / "vite.test.config.ts").write_text(config, encoding="utf-8")
    command = ["npm", "run", "dev", "--", "--config", "vite.test.config.ts", "--host", "127.0.0.1"]
    process = subprocess.Popen(command, cwd=web, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        wait_until_listening(port, process)
        yield f"http://127.0.0.1:{port}/"
    finally:
        end(process)


@pytest.mark.timeout(300)
def test_a_copied_skeleton_has_a_tab_with_a_chart_and_reloads(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = copy_of_the_repository(tmp_path / "repository")
    subprocess.run(["sh", "-e", "-c", documented_copy()], cwd=repository, check=True)
    monkeypatch.setattr(dashboard_module, "FOLDER", repository / DASHBOARDS)
    monkeypatch.setattr(seamark.dashboards, "__path__", [*seamark.dashboards.__path__, str(repository / DASHBOARDS)])
    with EventFile(tmp_path / "runs" / "alpha") as file:
        for step in range(20):
            file.add_scalar("loss", 1.0 / (step + 1), step)
    with (
        served_in_process(tmp_path / "runs") as server,
        dev_server(repository / "web", server) as address,
    ):
        page = open_page(f"{address}#my_tab", may_complain=True)  # Vite logs to the console
        expect(page.get_by_role("link", name="My tab")).to_be_visible()
        expect(page.get_by_label("loss of the shown runs")).to_be_visible()
        expect(page.locator("main [data-drawn]")).not_to_have_attribute("data-drawn", "0")
        page.evaluate("window.isTheSamePage = true")
        view = repository / DASHBOARDS / "my_tab" / "view" / "View.svelte"
        text = view.read_text(encoding="utf-8")
        view.write_text(text.replace("of the shown runs`", "while it changes`"), encoding="utf-8")
        expect(page.get_by_label("loss while it changes")).to_be_visible()
        assert page.evaluate("window.isTheSamePage")
        # Views of other packages find the interface there, too.
        assert page.evaluate("import('/seamark-plugin.js').then((module) => typeof module.createChart)") == "function"
        page.close()
