"""Settings from a file, and flags that win over them."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from seamark import cli
from seamark.cli.arguments.config_file import ConfigError
from seamark.cli.commands import serve


def args_of(*words: str) -> argparse.Namespace:
    return cli.parsed(cli.parser_of("serve", serve), words)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_file_in_the_working_directory_is_read_and_flags_win(folder: Path) -> None:
    (folder / "seamark.toml").write_text(
        'logdir = "runs"\nport = 7007\nbind_all = true\nsamples_per_plugin = "scalars=5"'
    )
    args = args_of()
    assert (args.logdir, args.port, args.bind_all) == ("runs", 7007, True)
    assert args.samples_per_plugin == {"scalars": 5}
    assert args.config_file == Path("seamark.toml")
    assert args_of("--port", "1", "--logdir", "x").port == 1
    assert args_of("--config", "none").logdir is None


def test_the_json_form(folder: Path) -> None:
    path = folder / "deep" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"runs_dir": "runs", "port": 6006, "histogram_interval": 100}')
    args = args_of("--config", str(path))
    assert (args.logdir, args.port) == (str(folder / "deep" / "runs"), 6006)


def test_with_a_file_the_bare_command_serves(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    assert "seamark COMMAND" in capsys.readouterr().out
    (folder / "seamark.toml").write_text("port = 6006")
    assert cli.main([]) == 2
    assert "no log directory given" in capsys.readouterr().err


def test_no_file_is_no_settings(folder: Path) -> None:
    args = args_of("--logdir", "x")
    assert (args.config_file, args.port) == (None, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("prot = 1", "unknown setting 'prot'; did you mean 'port'?"),
        ("zzzzqqq = 1", "unknown setting 'zzzzqqq'; there are allow_delete, allow_framing,"),
        ("port = 'many'", "port cannot be 'many' .*0 to 65535"),
        ("port = 70000", "port cannot be 70000"),
        ("bind_all = 'yes'", "bind_all must be true or false"),
        ("logdir = {a = 1}", "logdir must be a single value"),
        ("port = ", "the settings are not TOML"),
        ("config = 'other'", "unknown setting 'config'"),
    ],
)
def test_what_is_wrong_is_one_sentence(folder: Path, text: str, reason: str) -> None:
    (folder / "seamark.toml").write_text(text)
    with pytest.raises(ConfigError, match=reason):
        args_of()
    assert cli.main(["serve"]) == 2


def test_a_file_that_was_named_must_be_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--config", "gone.toml"]) == 2
    assert "cannot read the settings (No such file or directory): 'gone.toml'" in capsys.readouterr().err
    (folder / "list.json").write_text("[]")
    with pytest.raises(ConfigError, match="not an object"):
        args_of("--config", "list.json")


@pytest.mark.parametrize(
    "setting",
    ["no_token = true", "allow_delete = true", 'allow_host = "*"', 'allow_framing = "local"', 'allow_predict = "m:f"'],
)
def test_what_opens_the_server_is_taken_only_from_a_file_that_is_named(folder: Path, setting: str) -> None:
    (folder / "seamark.toml").write_text(setting)
    with pytest.raises(ConfigError, match="only from a file named with --config"):
        args_of()
    name, _, _ = setting.partition(" ")
    assert getattr(args_of("--config", "seamark.toml"), name)


def test_the_file_is_for_every_command_that_reads_a_log_directory(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "logs").mkdir()
    (folder / "seamark.toml").write_text('runs_dir = "logs"\nport = 6006')
    for command in ("query", "top --once", "inspect", "index --clear", "export csv"):
        assert cli.main(command.split()) == 0, capsys.readouterr().err
    # A folder on the command line wins.
    assert cli.main(["inspect", "nowhere"]) == 2
    assert "no such log directory" in capsys.readouterr().err
