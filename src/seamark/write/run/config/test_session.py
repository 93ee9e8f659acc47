"""Hyperparameters in a run's event file, and run.json of a finished trial."""

from __future__ import annotations

from pathlib import Path

from seamark.format.run_record import Objective
from seamark.write.run.config.session import Session, add_hparams, write_record
from seamark.write.run.record.run_file import read
from seamark.write.test_support import logged_warnings
from seamark.write.writer.summary_writer import SummaryWriter


def values(folder: Path) -> list[tuple[str, bytes]]:
    """Every value in the folder's only event file: its tag, and its metadata's content."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    (path,) = folder.glob("*tfevents*")
    found = [value for event in EventFileLoader(str(path)).Load() for value in event.summary.value]
    return [(value.tag, value.metadata.plugin_data.content) for value in found]


def tags(folder: Path) -> list[str]:
    return [tag.rpartition("/")[2] for tag, _ in values(folder)]


def test_the_same_hyperparameters_are_written_once_and_before_the_end(tmp_path: Path) -> None:
    session = Session()
    with SummaryWriter(tmp_path) as writer:
        session.end(writer)
        assert session.start(writer, {"rate": 0.1, "cfg": {"a": None}}, ["loss"])
        writer.add_scalar("loss", 0.5, 1)
        assert not session.start(writer, {"rate": 0.1, "cfg": {"a": None}})
        session.end(writer, failed=True)
    assert tags(tmp_path) == ["experiment", "session_start_info", "loss", "session_end_info"]
    assert dict(values(tmp_path))["_hparams_/session_end_info"].endswith(b"\x08\x02")  # STATUS_FAILURE


def test_a_finished_trial_is_one_event_file_and_run_json(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        add_hparams(writer, {"rate": 0.1}, {"loss": 0.5}, 3)
    write_record(writer, status="pruned", started_at=1.0, ended_at=2.0, objectives={"loss": "minimize"})
    assert tags(tmp_path) == ["experiment", "session_start_info", "loss", "session_end_info"]
    record = read(tmp_path)
    assert record is not None
    assert (record.status, record.objectives) == ("pruned", (Objective("loss", "minimize"),))


def test_a_writer_that_writes_nothing_leaves_nothing(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path / "none", write_to_disk=False)
    add_hparams(writer, {"rate": 0.1}, {"loss": 0.5})
    write_record(writer, status="finished", started_at=1.0, ended_at=2.0, objectives={})
    assert not (tmp_path / "none").exists()


def test_a_record_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        add_hparams(writer, {"rate": 0.1}, {})
    (tmp_path / "run.json").mkdir()
    with logged_warnings("run.json cannot be written"):
        write_record(writer, status="finished", started_at=1.0, ended_at=2.0, objectives={})
