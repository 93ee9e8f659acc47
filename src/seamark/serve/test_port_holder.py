"""Who holds a port."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from seamark.serve.port_holder import command_of, port_holder


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_process_that_listens_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        assert port_holder(holder.getsockname()[1]).startswith(f"process {os.getpid()} (")


def test_where_it_cannot_be_known_nothing_is_said(tmp_path: Path) -> None:
    assert port_holder(6006, proc=tmp_path) == ""


def test_a_long_or_odd_command_is_made_fit_to_print(tmp_path: Path) -> None:
    (tmp_path / "cmdline").write_bytes(b"/usr/bin/python3\0/opt/bin/tensorboard\0--logdir\0\x1b[31m" + b"x" * 99)
    shown = command_of(tmp_path)
    assert shown.startswith("python3 tensorboard --logdir ?[31mx")
    assert len(shown) == 60
