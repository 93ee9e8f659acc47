"""The flags of serving: TensorBoard's by their names, and what they come to."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from seamark import cli
from seamark.cli import serving
from seamark.cli.arguments import tensorboard_flags
from seamark.cli.commands import serve
from seamark.write.append.event_file import EventFile


def args_of(*words: str) -> argparse.Namespace:
    return cli.parsed(cli.parser_of("serve", serve), ["--config", "none", *words])


def flags_of_tensorboard() -> set[str]:
    core_plugin = pytest.importorskip("tensorboard.plugins.core.core_plugin")
    parser = argparse.ArgumentParser()
    core_plugin.CorePluginLoader().define_flags(parser)
    return {flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")} - {
        "--helpfull"
    }


def test_every_flag_of_tensorboard_is_known() -> None:
    ours = set(cli.parser_of("serve", serve)._option_string_actions)
    assert flags_of_tensorboard() - ours == set()


def test_a_flag_without_effect_says_why() -> None:
    args = args_of("--logdir", "x", "--load_fast=false", "--reload_multifile", "true", "--db_import")
    printed = list(tensorboard_flags.remarks(args))
    assert [line.split()[0] for line in printed] == ["--load_fast", "--db_import", "--reload_multifile"]
    assert all("has no effect: " in line for line in printed)
    assert list(tensorboard_flags.remarks(args_of("--logdir", "x"))) == []


def test_this_machine_needs_no_token_and_the_network_does() -> None:
    assert serving.listen_options(args_of()).token is None
    assert serving.listen_options(args_of("--host", "127.0.0.1")).token is None
    everywhere = serving.listen_options(args_of("--bind_all"))
    assert everywhere.host == "::" and len(everywhere.token or "") >= 20
    assert serving.listen_options(args_of("--host", "0.0.0.0")).token != everywhere.token
    assert serving.listen_options(args_of("--host", "0.0.0.0", "--no_token")).token is None
    with pytest.raises(ValueError, match="not both"):
        serving.listen_options(args_of("--host", "a", "--bind_all"))


@pytest.mark.parametrize(
    ("text", "path"), [("", ""), ("/", ""), ("a", "/a"), ("/a/b/", "/a/b"), ("//evil.example/", "/evil.example")]
)
def test_a_path_prefix_is_written_as_one_likes(text: str, path: str) -> None:
    assert args_of("--path_prefix", text).path_prefix == path


@pytest.mark.parametrize(
    "words",
    [["--port", "many"], ["--port", "70000"], ["--samples_per_plugin", "scalars"], ["--max_reload_threads", "0"]],
)
def test_wrong_values_are_refused_in_one_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--config", "none", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("seamark serve: ") and words[0] in error and error.count("\n") == 1


def test_port_default_is_tensorboards_word_for_none() -> None:
    assert args_of("--port", "default").port is None


def test_a_port_that_is_taken_is_one_sentence_with_who_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = str(holder.getsockname()[1])
        words = ["--logdir", str(tmp_path), "--port", port, "--index_dir", "none", "--state_dir", "none"]
        assert cli.main([*words, "--config", "none"]) == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert printed.startswith(f"seamark: port {port} is taken")
    assert "choose another with --port" in printed


def test_inspect_as_tensorboard_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with EventFile(tmp_path / "a") as file:
        file.add_scalar("loss", 1.0, 0)
        file.add_scalar("loss/2", 1.0, 0)
    assert cli.main(["--inspect", "--logdir", str(tmp_path), "--tag", "loss"]) == 0
    printed = capsys.readouterr().out
    assert "loss" in printed and "loss/2" not in printed
    assert cli.main(["--inspect", "--event_file", str(file.path)]) == 0
    assert cli.main(["--inspect"]) == 2


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"SSH_CONNECTION": "10.0.0.2 51000 10.0.0.9 22", "USER": "ada"}, "ssh -L 7007:localhost:7007 ada@10.0.0.9"),
        ({"SSH_CONNECTION": "10.0.0.2 51000 10.0.0.9 2222"}, "ssh -p 2222 -L 7007:localhost:7007 10.0.0.9"),
        ({"SSH_CONNECTION": "a b $(c) 22"}, "ssh -L 7007:localhost:7007 '$(c)'"),
        ({"SSH_CONNECTION": "10.0.0.2 51000 10.0.0.9 22", "TENSORBOARD_PROXY_URL": "/proxy/%PORT%"}, ""),
        ({"SSH_CONNECTION": "unknown"}, ""),
        ({}, ""),
    ],
)
def test_over_ssh_the_command_that_forwards_the_port_is_printed(environment: dict[str, str], command: str) -> None:
    assert serving.ssh_command(environment, "7007") == command


@pytest.mark.parametrize("words", [[], ["--path_prefix", "/a"], ["--host", "0.0.0.0"]])
@pytest.mark.timed
def test_open_gives_a_browser_the_address_that_was_printed(tmp_path: Path, words: list[str]) -> None:
    opened = tmp_path / "opened"
    os.mkfifo(opened)  # reading it waits for the browser
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\nprintf '%s' \"$1\" > '{opened}'\n")
    browser.chmod(0o755)
    command = [sys.executable, "-m", "seamark", "--logdir", str(tmp_path / "runs"), "--port", "0", "--open", *words]
    command += ["--config", "none", "--index_dir", "none", "--state_dir", "none"]
    environment = {**os.environ, "BROWSER": str(browser), "SSH_CONNECTION": "10.0.0.2 51000 10.0.0.9 22"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            printed = process.stdout.readline()
            address = opened.read_text()
            assert address.startswith("http://")
            assert address in printed.split()
            if not words:
                port = address.rstrip("/").rpartition(":")[2]
                assert f"ssh -L {port}:localhost:{port} " in process.stdout.readline()
        finally:
            process.terminate()
