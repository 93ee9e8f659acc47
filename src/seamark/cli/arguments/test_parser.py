"""Where the log directory may stand on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark import cli
from seamark.cli.commands import serve
from seamark.compare.test_support import log_run


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    log_run(tmp_path / "runs" / "a", {"lr": 0.1}, loss=[2.0, 1.0])
    log_run(tmp_path / "runs" / "b", {"lr": 0.2}, loss=[2.0, 1.5])
    return tmp_path / "runs"


def served_logdir(monkeypatch: pytest.MonkeyPatch, *words: str) -> str | None:
    """What `seamark serve` would show; nothing is served."""
    seen = []
    monkeypatch.setattr(serve, "run", lambda args: seen.append(args.logdir) or 0)
    return seen[0] if cli.main(list(words)) == 0 else None


@pytest.mark.parametrize(
    "words", ["runs", "./runs", "serve runs", "--logdir runs", "runs --port 0", "--port 0 runs", "serve --port 0 runs"]
)
def test_a_folder_is_served_without_a_command(runs: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    assert served_logdir(monkeypatch, *words.split()) in ("runs", "./runs")


def test_a_path_that_is_not_there_yet_is_served_and_a_lone_word_is_not(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert served_logdir(monkeypatch, "./later") == "./later"
    assert served_logdir(monkeypatch, "later") is None
    assert "no command or folder called 'later'" in capsys.readouterr().err


def test_a_command_wins_over_a_folder_of_its_name(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs.parent / "inspect").mkdir()
    assert cli.main(["inspect", "runs"]) == 0
    assert capsys.readouterr().out.startswith("2 runs")


@pytest.mark.parametrize(
    "words",
    [
        ["query", "lr < 0.15", "runs"],
        ["query", "lr < 0.15", "--columns", "lr", "runs"],
        ["query", "--columns", "lr", "lr < 0.15", "--logdir=runs"],
    ],
)
def test_a_query_and_a_folder(runs: Path, words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[1].startswith("a ")


def test_a_lone_folder_is_no_query(runs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["query", "runs"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 3


def test_a_query_without_a_match_says_so(runs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["query", "lr > 5", "runs"]) == 0
    assert capfd.readouterr().err == "seamark query: no run matches\n"
    runs.parent.joinpath("empty").mkdir()
    assert cli.main(["query", "empty"]) == 0
    assert capfd.readouterr().err == "seamark query: no runs in 'empty'\n"


def test_the_last_word_of_diff_may_be_the_folder(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", "a", "b", "runs"]) == 0
    assert "lr" in capsys.readouterr().out
    assert cli.main(["diff", "a", "b"]) == 2
    assert "no log directory given" in capsys.readouterr().err


def test_the_folder_is_given_once(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", "--logdir", "runs", "runs"]) == 2
    assert "--logdir already names the log directory" in capsys.readouterr().err


def test_a_metric_that_no_run_has_is_an_error_of_top(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["top", "--once", "--metric", "los", "runs"]) == 2
    assert capsys.readouterr().err == "seamark top: no run has the metric 'los'; did you mean 'loss'?\n"
