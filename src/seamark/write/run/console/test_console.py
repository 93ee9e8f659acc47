"""Console output in console.log."""

from __future__ import annotations

import io
import logging
import sys
from pathlib import Path

import pytest

from seamark.write.run.console import console_log
from seamark.write.run.console.console_log import ConsoleLog, Tee
from seamark.write.run.console.terminal_lines import TerminalLineFilter


def filtered(*parts: str) -> str:
    line_filter = TerminalLineFilter()
    return "".join(line_filter.feed(part) for part in parts) + line_filter.rest()


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        (["a\nb\n"], "a\nb\n"),
        (["a", "b", "\nc"], "ab\nc\n"),
        (["\r 1%", "\r 50%", "\r100%\n", "done\n"], "100%\ndone\n"),
        (["windows\r\n", "split\r", "\n"], "windows\nsplit\n"),
        (["50%\r", "100%"], "100%\n"),
        (["\x1b[31mred\x1b[0m\n\x1b]0;title\x07text\n"], "red\ntext\n"),
        (["\x1b[3", "1mred\x1b", "[0m\n"], "red\n"),
        (["\x1b"], ""),
        (["", "\n", "\r\n"], "\n\n"),
        (["🙂 <script>\n"], "🙂 <script>\n"),
    ],
)
def test_progress_bars_are_one_line_and_colours_are_gone(parts: list[str], lines: str) -> None:
    assert filtered(*parts) == lines


def test_streams_do_not_draw_over_each_other(tmp_path: Path) -> None:
    log = ConsoleLog(tmp_path / "console.log")
    log.add("stderr", "\r10%")
    log.add("stdout", "epoch 1\n")
    log.add("stderr", "\r20%\n")
    log.write()
    log.close()
    assert (tmp_path / "console.log").read_text() == "epoch 1\n20%\n"


def test_a_long_output_keeps_its_start_and_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_log, "TAIL_BYTES", 25)
    log = ConsoleLog(tmp_path / "console.log", max_bytes=50)
    for number in range(100):
        log.add("stdout", f"line {number:03d}\n")
        log.write()
    log.close()
    lines = (tmp_path / "console.log").read_text().splitlines()
    assert lines == [f"line {n:03d}" for n in range(5)] + [
        "[837 bytes of output are left out here]",
        "line 098",
        "line 099",
    ]


def test_the_end_is_kept_again_after_a_signal_that_the_process_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_log, "TAIL_BYTES", 18)
    log = ConsoleLog(tmp_path / "console.log", max_bytes=10)
    for numbers in (range(5), range(5, 10)):
        for number in numbers:
            log.add("stdout", f"line {number:03d}\n")
            log.write()
        log.close()
    assert (tmp_path / "console.log").read_text().splitlines() == [
        "line 000",
        "[18 bytes of output are left out here]", "line 003", "line 004",
        "[27 bytes of output are left out here]", "line 008", "line 009",
    ]  # fmt: skip


def test_a_failed_write_is_tried_again(tmp_path: Path) -> None:
    log = ConsoleLog(tmp_path / "not yet" / "console.log")
    log.add("stdout", "early\n")
    with pytest.raises(OSError):
        log.write()
    log.add("stdout", "late\n")
    (tmp_path / "not yet").mkdir()
    log.write()
    assert (tmp_path / "not yet" / "console.log").read_text() == "early\nlate\n"


def test_pending_output_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_log, "MAX_PENDING_CHARACTERS", 10)
    log = ConsoleLog(tmp_path / "console.log")
    for _ in range(5):
        log.add("stdout", "12345\n")
    log.write()
    log.add("stdout", "later\n")
    log.close()
    lines = (tmp_path / "console.log").read_text().splitlines()
    assert lines == ["12345", "[24 characters of output are left out here: the disk was too slow]", "later"]


def test_a_tee_captures_handlers_created_before_it(tmp_path: Path) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    handler = logging.StreamHandler(stream)
    log = ConsoleLog(tmp_path / "console.log")
    tee = Tee(stream, "stdout", log)
    handler.emit(logging.makeLogRecord({"msg": "logged"}))
    print("printed", file=stream)
    stream.writelines(["a\n", "b\n"])
    tee.remove()
    print("unheard", file=stream)
    log.close()
    assert (tmp_path / "console.log").read_text() == "logged\nprinted\na\nb\n"
    assert stream.buffer.getvalue() == b"logged\nprinted\na\nb\nunheard\n"
    assert "write" not in vars(stream)


def test_a_removed_tee_below_another_one_captures_nothing(tmp_path: Path) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    first, second = (ConsoleLog(tmp_path / name) for name in ("first", "second"))
    lower, upper = Tee(stream, "stdout", first), Tee(stream, "stdout", second)
    lower.remove()
    print("x", file=stream)
    upper.remove()
    first.close()
    second.close()
    assert not (tmp_path / "first").exists() and (tmp_path / "second").read_text() == "x\n"


def test_capturing_leaves_the_streams_as_they_were() -> None:
    log = ConsoleLog(Path("unused"))
    before = sys.stdout.write
    Tee(sys.stdout, "stdout", log).remove()
    assert sys.stdout.write == before
