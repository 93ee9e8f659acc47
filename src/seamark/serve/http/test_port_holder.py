"""The process that listens on a port."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from seamark.serve.http.port_holder import port_holder, read_command


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_process_that_listens_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        assert port_holder(holder.getsockname()[1]).startswith(f"process {os.getpid()} (")


def test_an_unknown_process_is_an_empty_string(tmp_path: Path) -> None:
    assert port_holder(6006, proc=tmp_path) == ""


def test_a_long_or_unprintable_command_is_cut_and_cleaned(tmp_path: Path) -> None:
    (tmp_path / "cmdline").write_bytes(b"/usr/bin/python3\0/opt/bin/tensorboard\0--logdir\0\x1b[31m" + b"x" * 99)
    shown = read_command(tmp_path)
    assert shown.startswith("python3 tensorboard --logdir ?[31mx")
    assert len(shown) == 60
