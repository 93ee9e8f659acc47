"""What a tracker knew about a run is in the run table, and queries find it."""

from __future__ import annotations

import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from seamark.cli import main
from seamark.format import run_record
from seamark.format.run_record import Metric, RunRecord
from seamark.porting.wandb_log import HEADER, MAGIC, WHOLE


def field(number: int, value: int | bytes | str) -> bytes:
    """One field of a protobuf message; numbers and lengths are below 128."""
    if isinstance(value, int):
        return bytes([*_varint(number << 3), value])
    data = value.encode() if isinstance(value, str) else value
    return bytes([*_varint(number << 3 | 2), *_varint(len(data))]) + data


def _varint(number: int) -> list[int]:
    return [number] if number < 128 else [number & 127 | 128, *_varint(number >> 7)]


def items(values: dict[str, Any]) -> bytes:
    return b"".join(field(1, field(1, key) + field(16, json.dumps(value))) for key, value in values.items())


def write_wandb(folder: Path, *, exit_code: int | None, age_secs: float = 0.0) -> Path:
    run = (
        field(1, "xyz") + field(3, "moons") + field(4, items({"lr": 0.1, "api_key": "hunter2"})) + field(6, "seeds")
        + field(7, "train") + field(8, "third") + field(9, "a note") + field(10, "a") + field(10, "b c") + field(13, "far")
        + field(17, field(1, 100))
    )  # fmt: skip
    records = [field(17, run)]
    for summary in (1, 4):  # first "min", then "best"
        records.append(field(12, field(1, "loss") + field(4, "epoch") + field(7, field(summary, 1)) + field(8, 1)))
    records.append(field(12, field(2, "debug/*") + field(6, field(2, 1))))
    for step, loss in enumerate([3.0, 1.0, 2.0]):
        records.append(field(2, items({"loss": loss, "_step": step, "_timestamp": 100.0 + step})))
    records.append(field(3, items({"loss": 1.0, "best": {"epoch": 1}, "verdict": "good", "_runtime": 3})))
    if exit_code is not None:
        records.append(field(18, field(1, exit_code) + field(2, 7)))
    data = bytearray(MAGIC)
    for record in records:
        data += HEADER.pack(zlib.crc32(record, zlib.crc32(bytes([WHOLE]))), len(record), WHOLE) + record
    assert len(data) < 32 * 1024 and HEADER.size == struct.calcsize("<IHB")
    path = folder / "run-xyz.wandb"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - age_secs))
    return path


def imported(source: str, path: Path, logdir: Path) -> None:
    assert main(["import", source, str(path), "--logdir", str(logdir)]) == 0


def record_in(folder: Path) -> RunRecord:
    return run_record.loads((folder / run_record.FILE_NAME).read_bytes())


@pytest.mark.parametrize(
    ("exit_code", "age_secs", "status"), [(0, 0, "finished"), (1, 0, "crashed"), (None, 3600, "crashed"), (None, 0, "running")]
)  # fmt: skip
def test_how_a_run_of_wandb_ended(exit_code: int | None, age_secs: float, status: str, tmp_path: Path) -> None:
    imported("wandb", write_wandb(tmp_path / "w", exit_code=exit_code, age_secs=age_secs), tmp_path / "logs")
    record = record_in(tmp_path / "logs" / "moons" / "third")
    assert (record.status, record.exit_code, record.last_step, record.host.name) == (status, exit_code, 2, "far")
    ended_at = {"running": None, "finished": 107.0}.get(status, 107.0 if exit_code else 102.0)
    assert (record.started_at, record.ended_at, record.heartbeat_at) == (100.0, ended_at, 102.0)


def test_what_define_metric_said_to_wandb_is_kept(tmp_path: Path) -> None:
    imported("wandb", write_wandb(tmp_path / "w", exit_code=0), tmp_path / "logs")
    assert record_in(tmp_path / "logs" / "moons" / "third").metrics == (
        Metric("loss", step_metric="epoch", summary="best", goal="minimize"),
        Metric("debug/*", summary="last", hidden=True),
    )


def test_tags_notes_group_and_summary_of_wandb_can_be_queried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported("wandb", write_wandb(tmp_path / "w", exit_code=1), tmp_path / "logs")
    capsys.readouterr()
    query = (
        "group == 'seeds' and job_type == 'train' and tag('b c') and 'note' in notes and summary['verdict'] == 'good'"
    )
    assert main(["query", query, "--logdir", str(tmp_path / "logs"), "--format", "json"]) == 0
    [shown] = json.loads(capsys.readouterr().out)
    assert (shown["name"], shown["group"], shown["tags"], shown["notes"]) == (
        "moons/third",
        "seeds",
        ["a", "b c"],
        "a note",
    )
    assert (shown["status"], shown["lr"], shown["best.epoch"], shown["loss.last"]) == ("crashed", 0.1, 1, 2.0)
    assert record_in(tmp_path / "logs" / "moons" / "third").summary["loss"] == 1.0  # as W&B had it
    written = b"".join(path.read_bytes() for path in (tmp_path / "logs").rglob("*") if path.is_file())
    assert b"hunter2" not in written


def test_a_run_that_ended_since_the_last_import_says_so(tmp_path: Path) -> None:
    imported("wandb", write_wandb(tmp_path / "w", exit_code=None), tmp_path / "logs")
    assert record_in(tmp_path / "logs" / "moons" / "third").status == "running"
    imported("wandb", write_wandb(tmp_path / "w", exit_code=0), tmp_path / "logs")
    assert record_in(tmp_path / "logs" / "moons" / "third").status == "finished"


def test_what_mlflow_knows(unpacked: Any, tmp_path: Path) -> None:
    folder, _ = unpacked("mlruns")
    imported("mlflow", folder, tmp_path / "logs")
    first, failed = (record_in(tmp_path / "logs" / "moons" / name) for name in ("first", "failed"))
    assert (first.status, failed.status, first.project, first.name) == ("finished", "crashed", "moons", "first")
    assert first.tags == ("team=harbour: a",) and first.notes.startswith("the *first* try")
    assert first.config["name"] == "résnet <b>" and first.summary["train/loss"] == pytest.approx(1 / 1_000_003)


def test_a_table_of_points_has_no_run_json(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("step,loss\n1,2.0\n")
    imported("csv", tmp_path / "points.csv", tmp_path / "logs")
    assert list((tmp_path / "logs").rglob(run_record.FILE_NAME)) == []
