from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from seamark import _core
from seamark.cli import main
from seamark.cli.commands.verify import findings

HEAD = _core.encode_file_version(1_700_000_000.0)
FIRST = _core.encode_scalar(b"loss", 0.5, 1, 1_700_000_001.0)
SECOND = _core.encode_scalar(b"loss", 0.25, 2, 1_700_000_002.0)
THIRD = _core.encode_scalar(b"loss", 0.125, 3, 1_700_000_003.0)


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def event_file(folder: Path, *records: bytes) -> Path:
    path = folder / "events.out.tfevents.1.host"
    path.write_bytes(b"".join(records))
    return path


def test_a_clean_file_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(event_file(tmp_path, HEAD, FIRST, SECOND))]) == 0
    assert capsys.readouterr().out == "1 file, no damage\n"


def test_a_damaged_record_is_named_with_its_offset_and_checksums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = event_file(tmp_path, HEAD, flip(FIRST, 14), SECOND)
    got = int.from_bytes(FIRST[-4:], "little")
    want = _core.masked_crc32c(flip(FIRST, 14)[12:-4])
    assert main(["verify", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"damage at byte {len(HEAD)}: data checksum mismatch: got {got:#010x}, want {want:#010x}; "
        f"the record of {len(FIRST) - 16} bytes is skipped: '{path}'",
        "1 damaged record in 1 of 1 file",
    ]


def test_a_damaged_length_ends_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = event_file(tmp_path, HEAD, FIRST, flip(SECOND, 0), THIRD)
    assert main(["verify", str(path)]) == 1
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith(f"damage at byte {len(HEAD + FIRST)}: length checksum mismatch: got 0x")
    assert f"; the last {len(SECOND + THIRD)} bytes of the file cannot be read: '" in line


def test_a_record_that_is_no_event_is_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = event_file(tmp_path, HEAD, _core.frame(b"\xff\xff\xff"), FIRST)
    assert main(["verify", str(path)]) == 1
    assert f"damage at byte {len(HEAD)}: not an event message" in capsys.readouterr().out


def test_an_incomplete_tail_is_a_note_and_no_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for cut in (1, 12, len(SECOND) - 1):
        path = event_file(tmp_path, HEAD, FIRST, SECOND[:cut])
        assert main(["verify", str(path)]) == 0
        assert capsys.readouterr().out.startswith(
            f"note at byte {len(HEAD + FIRST)}: the last record is incomplete ({cut} byte"
        )


def test_every_one_of_many_damaged_records_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = _core.frame(b"")
    path = event_file(tmp_path, HEAD, flip(tiny, 15) * 5000, FIRST)
    assert main(["verify", str(path)]) == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    assert [int(line.split()[3].rstrip(":")) for line in lines] == [len(HEAD) + 16 * number for number in range(5000)]
    assert summary == "5,000 damaged records in 1 of 1 file"


def test_a_record_bigger_than_a_read_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Field 100, unknown to events and so skipped, with 4 x 2^21 bytes (a varint of 7-bit groups).
    big = _core.frame(b"\xa2\x06" + b"\x80\x80\x80\x04" + bytes(4 << 21))
    assert main(["verify", str(event_file(tmp_path, HEAD, big, FIRST))]) == 0
    assert main(["verify", str(event_file(tmp_path, HEAD, flip(big, 5_000_000), FIRST))]) == 1
    assert f"damage at byte {len(HEAD)}: data checksum" in capsys.readouterr().out


def test_a_folder_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, records in {"a": [HEAD, FIRST], "b/c": [HEAD, flip(FIRST, 20)]}.items():
        (tmp_path / name).mkdir(parents=True)
        event_file(tmp_path / name, *records)
    (tmp_path / "notes.txt").write_text("not an event file")
    assert main(["verify", str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith("1 damaged record in 1 of 2 files\n")


@pytest.mark.parametrize(("name", "reason"), [("gone", "no such file or folder"), ("", "no event file")])
def test_a_path_that_leads_nowhere_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    assert main(["verify", str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"seamark verify: {reason}")
    assert captured.err.count("\n") == 1


def test_a_file_that_is_cut_while_it_is_checked_ends_the_check(tmp_path: Path) -> None:
    path = event_file(tmp_path, HEAD, FIRST[:-1])
    with path.open("rb") as file:
        claimed_size = len(HEAD + FIRST + SECOND)
        assert [finding.offset for finding in findings(file, claimed_size)] == [len(HEAD)]


def test_a_file_of_another_program_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "events.out.tfevents.1.host.meta"
    path.write_text("fileFormatVersion: 2\nguid: 0f3a\n")
    assert main(["verify", str(path)]) == 1
    assert "damage at byte 0: not an event file" in capsys.readouterr().out
    assert main(["inspect", str(tmp_path)]) == 0
    assert "warning: this is not an event file, though its name has 'tfevents'" in capsys.readouterr().out


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(event_file(tmp_path))]) == 0
    assert "note at byte 0: the file is empty" in capsys.readouterr().out


def test_whether_an_incomplete_file_is_still_written_follows_from_its_age(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = event_file(tmp_path, HEAD, FIRST[:-1])
    assert main(["verify", str(path)]) == 0
    assert "probably still being written" in capsys.readouterr().out
    os.utime(path, (1_590_000_000, 1_590_000_000))
    assert main(["verify", str(path)]) == 0
    assert "last written 2020-05-2" in (out := capsys.readouterr().out) and "probably killed" in out


def test_a_pipe_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "events.out.tfevents.pipe"
    os.mkfifo(path)
    assert main(["verify", str(path)]) == 2
    assert capsys.readouterr().err == f"seamark verify: not a regular file: '{path}'\n"


def test_no_name_reaches_the_terminal_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a\x1b]0;owned\x07"
    folder.mkdir()
    event_file(folder, HEAD, flip(FIRST, 14), _core.encode_scalar(b"loss\x1b[2J", 0.5, 1, 1_700_000_001.0))
    shutil.copytree(folder, tmp_path / "b\x1b[2J")
    for command in ("verify", "inspect", "query", "top --once", f"diff {folder.name} b\x1b[2J", "index"):
        words = [*command.split(" "), str(tmp_path)]
        main([*words, "--index_dir", str(tmp_path / "index")] if command == "index" else words)
        captured = capsys.readouterr()
        assert "\x1b" not in captured.out + captured.err and captured.out + captured.err, command
