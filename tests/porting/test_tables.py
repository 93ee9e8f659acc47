"""CSV and JSON lines: whatever the columns are called, what comes in is what stood there; and out again, the same."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark import _core
from seamark.cli import main
from seamark.kinds import hparams, image, session_log
from seamark.kinds.summary import event_record, session_log_record
from seamark.porting.records import scalar_records

START = 1_700_000_000.25


def imported(source: str, path: Path, logdir: Path, *flags: str) -> None:
    assert main(["import", source, str(path), "--logdir", str(logdir), *flags]) == 0


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main([*words]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"seamark {words[0]}: ") and errors.count("\n") == 1
    return errors


def test_a_wide_table_has_a_tag_per_column(shown: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "training.csv"
    table.write_text(
        "epoch,Timestamp,loss,acc,model\n0,1700000000.5,0.1,,big\n10,1700000001500,nan,1,big\n20,2023-11-14T22:13:22+00:00,-inf,N/A,big\n"
    )
    imported("csv", table, tmp_path / "logs", "--params", "model")
    run = shown(tmp_path / "logs")["training"]
    (first, second, third) = run.scalars["loss"]
    assert first == (0, 1700000000.5, 0.1)  # 0.1 as float64, not as the nearest float32
    assert second[:2] == (10, 1700000001.5) and math.isnan(second[2])
    assert third == (20, 1700000002.0, -math.inf)
    assert run.scalars["acc"] == [(10, 1700000001.5, 1.0)]
    assert run.payloads[hparams.SESSION_START_TAG][0][2].hparams == {"model": "big"}
    # By default, a column of text is reported and left out.
    imported("csv", table, tmp_path / "other")
    assert "'model' has no numbers" in capsys.readouterr().err


def test_a_long_table_has_a_row_per_point_and_may_hold_many_runs(shown: Any, tmp_path: Path) -> None:
    table = tmp_path / "points.csv"
    table.write_text("which;what;when;how much\na/b;x;3;1\n../up;x;4;2\na/b;y;5;3\n")
    columns = ["--run_column", "which", "--tag_column", "what", "--step_column", "when", "--value_column", "how much"]
    imported("csv", table, tmp_path / "logs", *columns)
    runs = shown(tmp_path / "logs")
    # A name leads nowhere but below the log directory.
    assert sorted(runs) == ["__/up", "a/b"]
    assert [point[::2] for point in runs["a/b"].scalars["y"]] == [(5, 3.0)]
    wall = runs["a/b"].scalars["y"][0][1]
    assert wall == table.stat().st_mtime  # the table has no times: its own is the nearest there is


def test_json_lines_may_nest_and_change_their_keys(shown: Any, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines = [
        {"step": 1, "train": {"loss": 0.5}, "ok": True},
        {"step": 2, "train": {"loss": "NaN"}, "eval": {"f1": 1}, "<script>": 3, "😀": None},
    ]
    log.write_text("\n".join(json.dumps(line) for line in lines) + '\n\n{"step": 3, "train": {"lo')
    imported("jsonl", log, tmp_path / "logs")  # the last line is being written
    run = shown(tmp_path / "logs")["log"]
    assert {tag: [point[::2] for point in points] for tag, points in run.scalars.items() if tag != "train/loss"} == {
        "ok": [(1, 1.0)],
        "eval/f1": [(2, 1.0)],
        "<script>": [(2, 3.0)],
    }
    assert [step for step, _, _ in run.scalars["train/loss"]] == [1, 2]


def test_a_table_that_grew_adds_its_new_rows_and_one_that_was_rewritten_is_left(
    shown: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("step,loss\n1,0.1\n2,0.2\n")
    imported("csv", table, tmp_path / "logs")
    table.write_text("step,loss\n1,0.1\n2,0.2\n3,0.3\n")
    imported("csv", table, tmp_path / "logs")
    imported("csv", table, tmp_path / "logs")
    points = [(1, 0.1), (2, 0.2), (3, 0.3)]
    assert [point[::2] for point in shown(tmp_path / "logs")["t"].scalars["loss"]] == points
    table.write_text("step,loss\n1,9\n2,9\n3,9\n4,9\n")
    capsys.readouterr()
    imported("csv", table, tmp_path / "logs")
    assert "are not the ones imported before" in capsys.readouterr().err
    assert [point[::2] for point in shown(tmp_path / "logs")["t"].scalars["loss"]] == points


def test_an_import_that_was_cut_off_is_done_again(shown: Any, tmp_path: Path) -> None:
    """Killed after the note was written, before the events had their name: nothing is doubled, nothing lost."""
    table = tmp_path / "t.csv"
    table.write_text("step,loss\n1,0.1\n")
    imported("csv", table, tmp_path / "logs")
    [events] = (tmp_path / "logs" / "t").glob("*tfevents*")
    events.rename(events.with_name("seamark-import.unfinished"))
    imported("csv", table, tmp_path / "logs")
    assert [point[::2] for point in shown(tmp_path / "logs")["t"].scalars["loss"]] == [(1, 0.1)]
    assert len(list((tmp_path / "logs" / "t").glob("*tfevents*"))) == 1


def test_somebody_elses_run_of_that_name_is_not_touched(shown: Any, tmp_path: Path) -> None:
    theirs = tmp_path / "logs" / "t" / "events.out.tfevents.1"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(_core.encode_file_version(START) + _core.encode_scalar(b"loss", 7.0, 1, START))
    before = theirs.read_bytes()
    table = tmp_path / "t.csv"
    table.write_text("step,loss\n1,0.1\n")
    imported("csv", table, tmp_path / "logs")
    assert theirs.read_bytes() == before
    [name] = set(shown(tmp_path / "logs")) - {"t"}
    assert name.startswith("t-")


@pytest.mark.parametrize(
    ("source", "content", "reason"),
    [
        ("csv", b"", "names no columns"),
        ("csv", b"step,loss\none,2\n", "a step is not a whole number: got 'one' in the column 'step', in line 2"),
        ("csv", b"step,loss\n1e300,2\n", "a step is not a whole number"),
        ("csv", b"step,loss\n1,2,3\n", "more cells than the first line names: got 3, want 2, in line 2"),
        ("csv", b"loss,loss\n1,2\n", "'loss' is there twice"),
        ("csv", b"\xff\xfe\x00", "not text in UTF-8"),
        ("csv", b"tag,value\nx,word\n", "a value is not a number: got 'word' for 'x', in line 2"),
        ("csv", b"time,loss\nyesterday,2\n", "a wall time is neither seconds"),
        ("jsonl", b'{"a": 1}\nnonsense\n{"a": 2}\n', "line 2 is not JSON"),
        ("jsonl", b"[1, 2]\n", "line 1 is no object"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(
    source: str, content: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"table.{source}"
    path.write_bytes(content)
    errors = refused(capsys, "import", source, str(path), "--logdir", str(tmp_path / "logs"))
    assert reason in errors and str(path) in errors
    assert not (tmp_path / "logs").exists()


def test_a_column_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text("n,loss\n1,2\n")
    errors = refused(capsys, "import", "csv", str(table), "--logdir", str(tmp_path / "x"), "--step_column", "m")
    assert "no column 'm' for the step, there are 'n', 'loss'" in errors
    assert "not for wandb" in refused(capsys, "import", "wandb", str(tmp_path), "--step_column", "m")


def hard_log_directory(folder: Path) -> Path:
    """Values that float32 lacks, steps that go back, odd names, NaN and infinities, negative and huge steps."""
    generator = np.random.default_rng(7)
    for name, tag in [("a", "loss"), ("b/c", 'x,"y"\n<script>'), ("ü", "😀 π")]:
        steps = np.array([-5, 0, 1, 2, 1, 2, 3, 2**62], np.int64)
        values = np.concatenate([generator.normal(size=5), [np.nan, np.inf, -np.inf]])
        (folder / name).mkdir(parents=True)
        records = [_core.encode_file_version(START)]
        records += scalar_records(tag, steps, START + generator.random(8), values)
        if name == "a":
            start = hparams.SessionStart(hparams={"lr": 0.1, "on": True, "name": "ü", "odd": math.inf})
            records.append(event_record(hparams.encode(start), step=0, wall_time=START))
            records.append(event_record(image.encode("seen", np.zeros((2, 2), np.uint8)), step=0, wall_time=START))
        (folder / name / "events.out.tfevents.1").write_bytes(b"".join(records))
    return folder


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_exported_and_imported_again_it_is_the_same(
    form: str, shown: Callable[[Path], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = hard_log_directory(tmp_path / "logs")
    out = tmp_path / f"points.{form}"
    assert main(["export", form, "--logdir", str(logs), "-o", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"24 points: '{out}'\n"
    assert "1 of images" in captured.err
    imported(form, out, tmp_path / "again")
    before, after = shown(logs), shown(tmp_path / "again")
    assert sorted(before) == sorted(after)
    for name, run in before.items():
        assert list(run.scalars) == list(after[name].scalars)
        for tag, points in run.scalars.items():
            np.testing.assert_array_equal(np.array(points), np.array(after[name].scalars[tag]))
    if form == "jsonl":
        params = [runs["a"].payloads[hparams.SESSION_START_TAG][0][2].hparams for runs in (before, after)]
        assert {**params[0], "odd": "Infinity"} == params[1]


def test_parquet_holds_the_same_points(shown: Any, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    logs = hard_log_directory(tmp_path / "logs")
    assert main(["export", "parquet", "--logdir", str(logs), "-o", str(tmp_path / "p.parquet")]) == 0
    rows = parquet.read_table(tmp_path / "p.parquet").to_pylist()
    for name, run in shown(logs).items():
        for tag, points in run.scalars.items():
            found = [
                (row["step"], row["wall_time"], row["value"]) for row in rows if (row["run"], row["tag"]) == (name, tag)
            ]
            np.testing.assert_array_equal(np.array(found), np.array(points))


def test_export_chooses_runs_tags_and_attempts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = str(hard_log_directory(tmp_path / "logs"))
    start = session_log.encode(session_log.SessionLog(session_log.SessionStatus.START))
    restart = session_log_record(start, step=2, wall_time=START + 100) + _core.encode_scalar(b"loss", 1.0, 2, START)
    (tmp_path / "logs" / "a" / "events.out.tfevents.2").write_bytes(restart)
    chosen = ["export", "csv", "--logdir", logs, "--runs", "^a$", "--tags", "loss", "--attempts"]
    assert main([*chosen, "latest"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tag,run,step,wall_time,value"
    assert [line.split(",")[2] for line in lines[1:]] == ["-5", "0", "1", "1", "2"]
    assert main([*chosen, "all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 8 + 1


def test_an_export_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = str(hard_log_directory(tmp_path / "logs"))
    there = tmp_path / "there.csv"
    there.write_text("mine")
    assert "not overwritten" in refused(capsys, "export", "csv", "--logdir", logs, "-o", str(there))
    assert there.read_text() == "mine"
    assert "no such log directory" in refused(capsys, "export", "csv", "--logdir", str(tmp_path / "gone"))
    assert "Parquet needs a file" in refused(capsys, "export", "parquet", "--logdir", logs)
    assert refused(capsys, "export", "csv", "--logdir", logs, "-o", str(tmp_path / "no" / "folder.csv"))


def test_without_pyarrow_parquet_is_refused_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    logs = str(hard_log_directory(tmp_path / "logs"))
    assert "seamark[parquet]" in refused(capsys, "export", "parquet", "--logdir", logs, "-o", str(tmp_path / "p"))
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_tensorboard_reads_what_was_imported(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    tensor_util = pytest.importorskip("tensorboard.util.tensor_util")
    table = tmp_path / "t.csv"
    table.write_text("step,wall_time,wide,narrow,lr\n1,1700000000.125,0.1,0.5,3\n2,1700000001,1e300,0.25,3\n")
    imported("csv", table, tmp_path / "logs", "--params", "lr")
    read = accumulator.EventAccumulator(str(tmp_path / "logs" / "t"))
    read.Reload()
    wide = [
        (one.step, one.wall_time, tensor_util.make_ndarray(one.tensor_proto).item()) for one in read.Tensors("wide")
    ]
    assert wide == [(1, 1700000000.125, 0.1), (2, 1700000001.0, 1e300)]
    assert [one.value for one in read.Scalars("narrow")] == [0.5, 0.25]
    assert read.SummaryMetadata("_hparams_/session_start_info").plugin_data.plugin_name == "hparams"
