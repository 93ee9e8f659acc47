"""How the command line finds its commands, and what it says when it cannot."""

from __future__ import annotations

import pytest

from seamark import cli


def test_commands_are_found_by_file() -> None:
    found = cli.commands()
    assert {"serve", "demo", "inspect", "verify"} <= set(found)
    assert "log_directory" not in found
    assert all((module.__doc__ or "").strip() for module in found.values())


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in cli.commands())


def test_an_unknown_command_is_one_sentence_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sevre"]) == 2
    assert "no command or folder called 'sevre'" in capsys.readouterr().err


def test_no_log_directory_is_one_sentence_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve"]) == 2
    assert "seamark --logdir runs" in capsys.readouterr().err
    for command in ("query", "top", "inspect", "index", "diff a b", "export csv", "sql select"):
        assert cli.main(command.split()) == 2
        error = capsys.readouterr().err
        assert "no log directory given" in error and error.count("\n") == 1
    assert cli.main(["--logdir", "a", "--logdir_spec", "b:c"]) == 2


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("seamark 0.")
