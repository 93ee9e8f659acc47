"""seamark profile: the text, the documented JSON, the newest capture of a log directory, and clear refusals."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from seamark import cli
from seamark.profiles.results import BREAKDOWN_PARTS
from seamark.profiles.testing_events import Event, json_of, slice_event, step_event

MS = 1_000_000
DOCS = Path(__file__).parents[4] / "docs" / "cli.md"


def trace(op_ms: int, wait_ms: int = 6) -> bytes:
    events: list[Event] = []
    for number in range(5):
        start = number * (op_ms + wait_ms) * MS
        loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        events.append(step_event(number, start, (op_ms + wait_ms) * MS))
        events.append(slice_event(loader, start, wait_ms * MS, category="user_annotation"))
        events.append(slice_event("aten::mm", start + wait_ms * MS, op_ms * MS))
    return json_of(events)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run" / "worker0.1700000000000.pt.trace.json"
    path.parent.mkdir()
    path.write_bytes(trace(10))
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert cli.main(["profile", *words, "--index_dir", "none"]) == code
    found = capsys.readouterr()
    return found.out if code == 0 else found.err


def test_the_text_names_steps_findings_and_operators(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, str(file))
    assert "5 steps, 16.00 ms each on average (steps from ProfilerStep#N)" in text
    assert re.search(r"Waiting for input +6\.000 +37\.5%", text)
    assert "-37.5%  The step waits for input in 5 of 5 steps. [input_bound]" in text
    assert re.search(r"aten::mm +1\.0 +10\.000", text)


def test_long_names_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.trace.json"
    path.write_bytes(json_of([slice_event("n" * 5000, 0, 2 * MS)]))
    assert re.search(rf"{'n' * 99}… +1\.0 +2\.000", printed(capsys, str(path)))


def test_a_trace_without_steps_is_summed_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.trace.json"
    path.write_bytes(json_of([slice_event("aten::mm", 0, 2 * MS)]))
    text = printed(capsys, str(path))
    assert re.search(r"operator +calls +self ms\naten::mm +1\.0 +2\.000", text)
    path.write_bytes(json_of([step_event(0, 0, 4 * MS), slice_event("aten::mm", 0, 2 * MS)]))
    assert "1 step, 4.00 ms (" in printed(capsys, str(path))


def test_the_json_has_the_documented_keys(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capsys, str(file), "--json", "--compare", str(file)))
    section = DOCS.read_text().split("## seamark profile")[1].split("\n## ")[0]
    documented = re.findall(r"^\| `(\w+)` \| ", section.split("| key |")[1], re.MULTILINE)
    assert sorted(documented) == sorted(found)
    for step in found["steps"]:
        assert {"name", "start_ns", "duration_ns", "breakdown"} <= set(step)
        assert tuple(step["breakdown"]) == BREAKDOWN_PARTS
        assert sum(step["breakdown"].values()) == step["duration_ns"]
    assert {"name", "calls", "self_ns", "total_ns", "device_self_ns"} <= set(found["operators"][0])
    (finding,) = found["findings"]
    assert {"code", "text", "gain", "evidence"} <= set(finding) and finding["code"] == "input_bound"
    assert found["comparison"]["explanation"] == ["Both take the same time for a step: 16.00 ms and 16.00 ms."]


def test_problems_of_the_file_are_in_the_text_and_the_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.trace.json"
    path.write_bytes(trace(10).replace(b"[", b'[7, null, "x", [],', 1))
    sentence = "4 events are not JSON objects and are left out"
    assert f"  {sentence}\n  5 steps" in printed(capsys, str(path))
    assert json.loads(printed(capsys, str(path), "--json"))["problems"] == [sentence]


def test_the_newest_profile_of_a_log_directory_is_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newer = file.with_name("worker0.1800000000000.pt.trace.json")
    newer.write_bytes(trace(20))
    os.utime(file, (1, 1))
    logdir = str(file.parent.parent)
    assert "26.00 ms each" in printed(capsys, "--logdir", logdir)
    text = printed(capsys, "--logdir", logdir, "--run", "run", "--compare", str(file))
    assert "A step of B is 10.00 ms (38%) shorter than one of A." in text
    assert "has no host 'x'" in printed(capsys, "--logdir", logdir, "--host", "x", code=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "want a FILE or --logdir DIR"),
        (["missing.json"], "no such file"),
        (["--logdir", "missing"], "no such log directory"),
        (["--logdir", "."], "no profile was found"),
        (["text.json"], "seamark profile: "),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.json").write_text("no trace at all")
    error = printed(capsys, *words, code=2)
    assert message in error and error.count("\n") == 1


def test_an_unreadable_file_is_named(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("no trace")
    assert printed(capsys, str(file), "--compare", str(broken), code=2).endswith(f"this is not JSON: '{broken}'\n")
