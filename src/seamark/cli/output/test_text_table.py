from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from seamark.cli.output import text_table
from seamark.cli.output.text import width_of
from seamark.cli.output.text_table import OutputColumn, text_lines
from seamark.compare.test_support import log_run

CODES = re.compile(r"\x1b\[[0-9;]*m")
MARKUP = "[bold red]run[/] :wave: \\[x]"
COLUMNS = [
    OutputColumn("name", "text", [MARKUP, "長い", "\x1b[31mred"]),
    OutputColumn("loss", "number", [0.5, 12, None]),
]
SEAMARK = [sys.executable, "-c", "import sys; from seamark.cli import main; sys.exit(main(sys.argv[1:]))"]


@pytest.fixture(autouse=True)
def size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.parametrize("is_terminal", [False, True])
def test_names_are_shown_literally_and_columns_are_aligned(is_terminal: bool) -> None:
    head, *rows = (CODES.sub("", line).rstrip() for line in text_lines(COLUMNS, is_terminal=is_terminal))
    assert head == f"name{' ' * (len(MARKUP) - 4)}  loss"
    assert rows[0] == f"{MARKUP}   0.5"
    assert rows[1].startswith("長い ") and rows[2].startswith("�[31mred ")
    assert {width_of(row) for row in rows} == {len(MARKUP) + 6}


def test_a_terminal_gets_a_bold_header_unless_no_color_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    head, *rows = text_lines(COLUMNS, is_terminal=True)
    assert "\x1b[1m" in head and "\x1b" not in "".join(rows)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in "".join(text_lines(COLUMNS, is_terminal=True))


def test_a_narrow_terminal_cuts_text_but_neither_names_nor_numbers() -> None:
    columns = [OutputColumn("name", "text", ["n" * 20]), OutputColumn("note", "text", ["長" * 50])]
    columns += [OutputColumn(f"metric {at}", "number", [-1.23456e-300]) for at in range(2)]
    _, line = (CODES.sub("", line) for line in text_lines(columns, is_terminal=True, indent=2))
    assert width_of(line) <= 80 and line.startswith("  " + "n" * 20 + "  長") and line.count("…") == 1
    assert line.count("-1.23456e-300") == 2
    narrow = [OutputColumn(f"metric {at}", "number", [-1.23456e-300]) for at in range(20)]
    assert list(text_lines(narrow, is_terminal=True))[1].count("-1.23456e-300") == 20


def test_text_can_wrap_instead_of_being_cut() -> None:
    columns = [OutputColumn("note", "text", ["word " * 30]), OutputColumn("", "number", [1])]
    lines = [CODES.sub("", line) for line in text_lines(columns, is_terminal=True, has_wrapping=True)]
    assert max(map(width_of, lines)) <= 80 and "".join(lines).count("word") == 30


def test_other_output_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"):
        monkeypatch.setenv(variable, "1")
    columns = [OutputColumn("name", "text", ["n" * 300, "m"]), OutputColumn("loss", "number", [1, 2])]
    assert list(text_lines(columns, is_terminal=False)) == [
        f"name{' ' * 96}  loss", f"{'n' * 300}     1", f"m{' ' * 99}     2",
    ]  # fmt: skip


def test_a_large_table_has_every_row_on_a_terminal() -> None:
    rows = text_table.MAX_RICH_ROWS + 1
    lines = list(text_lines([OutputColumn("step", "number", range(rows))], is_terminal=True))
    assert len(lines) == rows + 1 and lines[-1] == f"{rows - 1:>4}"


def test_piped_and_terminal_output_of_query_have_the_same_text(tmp_path: Path) -> None:
    log_run(tmp_path / "[bold]長", {"lr": 0.1}, loss=[1.0])
    command = [*SEAMARK, "query", str(tmp_path), "--columns", "lr,loss", "--index_dir", "none", "--state_dir", "none"]
    environment = {**os.environ, "TERM": "xterm", "FORCE_COLOR": "1"}
    piped = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout.decode()
    assert piped == "name       lr  loss\n[bold]長  0.1     1\n"
    main_end, terminal_end = pty.openpty()
    with os.fdopen(main_end, "rb", buffering=0) as shown:
        subprocess.run(command, env=environment, stdout=terminal_end, check=True)
        os.close(terminal_end)
        drawn = shown.read(10_000).decode().replace("\r\n", "\n")
    assert drawn != piped and re.sub(" +\n", "\n", CODES.sub("", drawn)) == piped


def test_the_server_does_not_import_rich() -> None:
    program = (
        "import sys, seamark.cli.commands.serve, seamark.cli.serving, seamark.serve; assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
