"""`%seamark` in a real kernel, and the page it shows in a real JupyterLab in a real browser."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from seamark.integrations import notebook_servers
from seamark.write.append.event_file import EventFile
from tools.browser import end_process

pytestmark = [pytest.mark.timed, pytest.mark.timeout(600)]

nbclient = pytest.importorskip("nbclient", reason="the notebook's tests need nbclient and ipykernel")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

START_SECS = 120
FLAGS = "--index_dir none --state_dir none"
KERNEL = "sessionContext?.session?.kernel"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a run in it, and a runtime directory of its own; servers that a test leaves are ended."""
    for name, folder in {"XDG_RUNTIME_DIR": "run", "JUPYTER_RUNTIME_DIR": "jupyter", "IPYTHONDIR": "ipython"}.items():
        (tmp_path / folder).mkdir(mode=0o700)
        monkeypatch.setenv(name, str(tmp_path / folder))
    for name in ("TENSORBOARD_PROXY_URL", "JUPYTERHUB_SERVICE_PREFIX", "VSCODE_PID", "VSCODE_CWD", "JPY_PARENT_PID"):
        monkeypatch.delenv(name, raising=False)
    with EventFile(tmp_path / "runs" / "first <b>") as file:
        for step in range(30):
            file.add_scalar("train/loss", 1 / (1 + step), step)
    yield tmp_path
    for server in notebook_servers.running():
        notebook_servers.stop(server)


def executed(folder: Path, *cells: str) -> list[Any]:
    """The outputs of each cell, run by a real kernel in the folder."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(notebook, timeout=START_SECS, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [cell.outputs for cell in notebook.cells]


def frame_of(outputs: list[Any]) -> str:
    """The address in the frame that a cell shows."""
    [output] = outputs
    found = re.search(r'src="([^"]+)"', output["data"]["text/html"])
    assert found, output
    return found[1]


def text_of(outputs: list[Any]) -> str:
    return "".join(output.get("text", "") for output in outputs)


def test_a_kernel_starts_a_server_shows_it_finds_it_again_and_ends_it(place: Path) -> None:
    (place / "other").mkdir()
    _, first, again, elsewhere, listed, stopped, ended = executed(
        place,
        "%load_ext seamark",
        f"%seamark --logdir runs {FLAGS} --height 500",
        f"%seamark --logdir={place}/runs {FLAGS}",
        f"%seamark --logdir other {FLAGS}",
        "%seamark list",
        "%seamark stop",
        "%seamark stop all\n%seamark list",
    )
    address = frame_of(first)
    assert re.fullmatch(r"http://localhost:\d+/", address)
    assert 'height="500"' in first[0]["data"]["text/html"]
    assert frame_of(again) == address, "the same folder, spelled otherwise, has the same server"
    assert frame_of(elsewhere) != address
    lines = text_of(listed).splitlines()
    assert len(lines) == 2 and any(address in line and str(place / "runs") in line for line in lines)
    assert "name the server by its port" in text_of(stopped)
    assert "no server is running" in text_of(ended)


def test_the_next_kernel_finds_the_server_of_the_last(place: Path) -> None:
    """It outlives its kernel. And the Python interface does the same as the magic."""
    [first] = executed(place, f"import seamark\nseamark.notebook.start('--logdir runs {FLAGS}')")
    address = frame_of(first)
    with urlopen(address + "api/runs") as answer:
        assert [run["name"] for run in json.load(answer)["runs"]] == ["first <b>"]
    again, shown, count = executed(
        place,
        f"import seamark\nserver = seamark.notebook.start('--logdir runs {FLAGS}')\nprint(server.port)",
        "seamark.notebook.display(server, height=300)",
        "print(len(seamark.notebook.list()))\nseamark.notebook.stop(server)\nprint(len(seamark.notebook.list()))",
    )
    assert f":{text_of(again).strip()}/" in address
    assert frame_of(shown) == address
    assert text_of(count).split() == ["1", "0"]


def test_a_server_that_died_is_forgotten_and_started_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    flags = f"--logdir runs {FLAGS}".split()
    first = notebook_servers.started(flags)
    os.kill(first.pid, 9)
    notebook_servers._children[first.pid].wait()
    assert notebook_servers.running() == []
    second = notebook_servers.started(flags)
    assert second.pid != first.pid and second.is_answering()
    assert [path.name for path in (place / "run" / "seamark").glob("*.json")] == [f"server-{second.pid}.json"]


def test_what_is_wrong_is_one_sentence_in_the_cell(place: Path) -> None:
    cells = [
        "%load_ext seamark",
        "%seamark --logdir runs --port 99999999",
        "%seamark stop",
        "%seamark",
        "%seamark --logdir runs --height tall",
    ]
    _, refused, nothing, usage, height = executed(place, *cells)
    assert "want a port from 0 to 65535" in text_of(refused) and len(text_of(refused).splitlines()) == 1
    assert "no server is running" in text_of(nothing)
    assert "%seamark list" in text_of(usage)
    assert "--height is a number of pixels" in text_of(height)
    assert list((place / "run" / "seamark").iterdir()) == []


def test_a_runtime_directory_that_others_may_read_is_refused(place: Path) -> None:
    (place / "run" / "seamark").mkdir(mode=0o755)
    (place / "run" / "seamark").chmod(0o755)
    with pytest.raises(notebook_servers.ServerError, match="open to others"):
        notebook_servers.running()
    (place / "run" / "seamark").chmod(0o700)


@pytest.mark.parametrize(
    ("environment", "address", "flags"),
    [
        ({}, "http://localhost:1234/p/", ["--allow_framing", "local"]),
        (
            {"JUPYTERHUB_SERVICE_PREFIX": "/user/me/"},
            "/user/me/proxy/1234/p/",
            ["--allow_framing", "local", "--allow_host", "*"],
        ),
        ({"TENSORBOARD_PROXY_URL": "https://x/port/%PORT%/"}, "https://x/port/1234/p/", ["--allow_framing", "local"]),
        (
            {"VSCODE_PID": "1"},
            "http://localhost:1234/p/",
            ["--allow_framing", "local,vscode-webview:,vscode-file:,https://*.vscode-cdn.net"],
        ),
    ],
)
def test_where_the_browser_finds_the_server(
    environment: dict[str, str], address: str, flags: list[str], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from seamark.integrations import notebook_page

    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    server = notebook_servers.Server(pid=1, port=1234, path_prefix="/p", logdir="", flags=(), folder="")
    assert notebook_page.page_address(server) == address
    assert list(notebook_page.surroundings(["--logdir", "runs"])) == flags
    assert list(notebook_page.surroundings(["--allow_framing=x", "--allow_host", "y"])) == []


@pytest.mark.parametrize(("hostname", "proxied"), [("0.0.0.0", True), ("localhost", False)])
def test_on_another_machine_the_way_leads_through_the_proxy_beside_jupyter(
    hostname: str, proxied: bool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jupyter_server_proxy", reason="jupyter-server-proxy is not installed")
    from seamark.integrations import notebook_page

    about = {"hostname": hostname, "base_url": "/lab/", "url": "http://machine:8888/lab/"}
    (place / "jupyter" / "jpserver-77.json").write_text(json.dumps(about))
    monkeypatch.setenv("JPY_PARENT_PID", "77")
    server = notebook_servers.Server(pid=1, port=1234, path_prefix="", logdir="", flags=(), folder="")
    assert notebook_page.page_address(server) == ("/lab/proxy/1234/" if proxied else "http://localhost:1234/")
    flags = notebook_page.surroundings(["--logdir", "runs"])
    assert ("machine" in flags[-1].split(",")) is proxied and "*" not in flags


def test_colab_gets_a_script_that_asks_for_the_port(place: Path) -> None:
    """Colab itself cannot run here: its module is stood in for, and what the cell gets is looked at."""
    _, shown = executed(
        place,
        "import sys, types\nsys.modules['google.colab'] = types.ModuleType('google.colab')\n%load_ext seamark",
        f"%seamark --logdir runs {FLAGS} --height 700",
    )
    script = shown[0]["data"]["application/javascript"]
    [server] = notebook_servers.running()
    assert f"proxyPort({server.port}, " in script and "frame.height = 700" in script and '"/"' in script
    with urlopen(server.address) as answer:
        assert "https://colab.research.google.com" in answer.headers["content-security-policy"]


@pytest.fixture(params=["/", "/user/me/"], ids=["alone", "behind a proxy"])
def lab(place: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """JupyterLab in the folder, alone or as JupyterHub starts it, with jupyter-server-proxy; yields its address."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    base = str(request.param)
    if base != "/":
        pytest.importorskip("jupyter_server_proxy", reason="jupyter-server-proxy is not installed")
        monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", base)
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell("%load_ext seamark"),
            nbformat.v4.new_code_cell(f"%seamark --logdir runs {FLAGS}"),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(notebook, place / "cells.ipynb")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.port=0"]
    command += ["--IdentityProvider.token=let-me-in", f"--ServerApp.root_dir={place}", "--expose-app-in-browser"]
    command += [f"--ServerApp.base_url={base}"]
    command += [f"--LabApp.{name}={place / 'lab' / name}" for name in ("user_settings_dir", "workspaces_dir")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=place)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            found = re.search(r"http://localhost:(\d+)/\S*lab\?token=", line)
            if found:
                break
        else:
            pytest.fail("JupyterLab ended before it printed its address")
        # Keep reading: the process blocks when the pipe is full.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield f"http://localhost:{found[1]}{base}"
    finally:
        end_process(process)


def test_the_page_is_shown_in_a_cell_of_jupyterlab(lab: str, place: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    from tools.browser import launch

    with playwright.sync_playwright() as started:
        browser = launch(started)
        page = browser.new_page(viewport={"width": 1440, "height": 1100})
        page.set_default_timeout(180_000)
        messages: list[tuple[str, str]] = []
        page.on("console", lambda message: messages.append((message.location.get("url", ""), message.text)))
        page.goto(f"{lab}lab/tree/cells.ipynb?token=let-me-in")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        # Without a kernel it would show a dialog to choose one.
        page.wait_for_function(f"() => window.jupyterapp?.shell.currentWidget?.{KERNEL}?.status === 'idle'")
        page.evaluate("() => void window.jupyterapp.commands.execute('notebook:run-all-cells')")
        frame = page.frame_locator(".jp-OutputArea iframe")
        card = frame.get_by_role("article", name="train/loss", exact=True)
        card.get_by_text("1 run · 30 points").wait_for()
        card.locator(".chart[data-drawn]").wait_for()
        frame.get_by_text("first <b>").first.wait_for()
        [server] = notebook_servers.running()
        source = page.locator(".jp-OutputArea iframe").get_attribute("src")
        ours = [text for url, text in messages if f"{server.port}/" in url or str(server.port) in text]
        browser.close()
    assert source == (
        f"/user/me/proxy/{server.port}/" if lab.endswith("/user/me/") else f"http://localhost:{server.port}/"
    )
    assert ours == []
