"""Every command on a database: it works, or it says in one sentence that it needs event files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seamark.cli import all_commands, main
from seamark.cli.arguments.log_directory import NEEDS_FILES
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.compare.test_support import log_run
from seamark.store.test_support import loaded
from tests.clickhouse.conftest import PASSWORD, USER, with_login

# The arguments, with ADDRESS for the database, and what the output has.
WORKING = {
    "diff": (["a", "b", "ADDRESS"], "loss"),
    "export": (["csv", "ADDRESS", "--query", "lr < 0.2"], "loss,a,"),
    "inspect": (["ADDRESS"], "2 runs"),
    "query": (["lr < 0.2", "ADDRESS"], "a"),
    "sql": (["select run, count(*) as n from scalars group by run order by run", "--logdir", "ADDRESS"], "a"),
    "store": (["info", "ADDRESS"], "2 runs"),
    "top": (["ADDRESS", "--once"], "2 runs"),
    "graph": (["ADDRESS"], "no graph found"),
}
ON_FILES = {
    "demo": ["--logdir", "ADDRESS"],
    "import": ["csv", "x.csv", "--logdir", "ADDRESS"],
    "index": ["ADDRESS"],
    "ingest": ["ADDRESS", "--to", "ADDRESS"],
    "profile": ["--logdir", "ADDRESS"],
    "publish": ["ADDRESS", "-o", "OUTPUT"],
    "pull": ["--output", "ADDRESS"],
    "push": ["--logdir", "ADDRESS", "--server", "http://localhost:1", "--project", "lab/vision"],
    "verify": ["ADDRESS"],
}
# Servers, which other tests start, and commands that read no log directory.
OTHERS = {"serve", "dashboard", "login", "projector", "share", "team", "whatif"}


@pytest.fixture(scope="module")
def address(databases: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    logs = tmp_path_factory.mktemp("logs")
    log_run(logs / "a", {"lr": 0.1}, loss=[3.0, 2.0, 1.0])
    log_run(logs / "b", {"lr": 0.5}, loss=[3.0, 2.5, 2.0])
    made = databases.make()
    with loaded(logs) as embedded:
        ingest_all(HttpClient(made), embedded)
    return with_login(made)


def test_every_command_is_listed_here() -> None:
    assert set(all_commands()) == {*WORKING, *ON_FILES, *OTHERS}


def run(words: list[str], address: str, output: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main([word.replace("ADDRESS", address).replace("OUTPUT", str(output)) for word in words])
    captured = capsys.readouterr()
    text = captured.out + captured.err
    assert PASSWORD not in text and f"{USER}:" not in text
    assert "Traceback" not in text
    return code, text


@pytest.mark.parametrize("command", WORKING)
def test_a_command_on_a_database(
    command: str, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, wanted = WORKING[command]
    code, text = run([command, *words], address, tmp_path, capsys)
    assert wanted in text
    assert code == (1 if command == "graph" else 0), text


@pytest.mark.parametrize("command", ON_FILES)
def test_a_command_that_needs_event_files_says_so(
    command: str,
    address: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SEAMARK_TOKEN", "made-up")
    monkeypatch.chdir(tmp_path)  # a command that takes the address for a folder makes one
    code, text = run([command, *ON_FILES[command]], address, tmp_path, capsys)
    assert code == 2
    (line,) = text.strip().splitlines()
    assert NEEDS_FILES in line


def test_a_report_of_a_database(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "report.html"
    code, text = run(["export", "html", "ADDRESS", "-o", "OUTPUT"], address, output, capsys)
    assert (code, "1 chart" in text) == (0, True), text
    assert PASSWORD not in output.read_text()


@pytest.mark.parametrize("command", ["query", "inspect", "top", "export"])
def test_a_database_that_is_away_is_one_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, *(["csv"] if command == "export" else []), "ADDRESS"]
    away = f"clickhouse://{USER}:{PASSWORD}@localhost:1/db"
    code, text = run(words, away, tmp_path, capsys)
    assert code == 2
    (line,) = text.strip().splitlines()
    assert "ClickHouse cannot be reached" in line
