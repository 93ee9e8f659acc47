"""How the command line finds its commands, and what it says when it cannot."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from seamark import cli
from seamark.cli.log_setup import log_level


def test_commands_are_found_by_file() -> None:
    found = cli.all_commands()
    assert {"serve", "demo", "inspect", "verify"} <= set(found)
    assert "log_directory" not in found
    assert all((module.__doc__ or "").strip() for module in found.values())


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in cli.all_commands())


def test_an_unknown_command_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sevre"]) == 2
    assert "no command or folder called 'sevre'" in capsys.readouterr().err


def test_a_folder_that_does_not_exist_yet_is_named_by_its_flag(capsys: pytest.CaptureFixture[str]) -> None:
    """As in the README, before the first run."""
    assert cli.main(["runs later"]) == 2
    assert "seamark --logdir 'runs later'" in capsys.readouterr().err


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


def test_verbosity_takes_names_and_the_numbers_of_tensorboard(capsys: pytest.CaptureFixture[str]) -> None:
    assert [log_level(text) for text in ("debug", "WARNING", "1", "0", "-1", "-3")] == [10, 30, 10, 20, 30, 50]
    assert cli.main(["verify", "x", "--verbosity", "loud"]) == 2
    assert "want one of debug, info, warning, error, critical" in capsys.readouterr().err


def test_problems_are_logged_in_one_line_from_the_level_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("seamark.test")
    cli.main(["inspect", str(tmp_path)])
    logger.warning("the disk is full")
    logger.info("reading")
    assert capsys.readouterr().err == "seamark: WARNING: the disk is full\n"
    cli.main(["inspect", str(tmp_path), "--verbosity", "info"])
    logger.info("reading")
    assert capsys.readouterr().err.endswith("seamark: INFO: reading\n")
    cli.main(["inspect", str(tmp_path), "--verbosity=-2"])
    logger.warning("the disk is full")
    assert capsys.readouterr().err == ""


def test_importing_the_command_changes_nothing_in_the_process() -> None:
    program = (
        "import gc, os, sys; before = gc.get_threshold(), dict(os.environ); import seamark.cli; "
        "assert before == (gc.get_threshold(), dict(os.environ)); assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
