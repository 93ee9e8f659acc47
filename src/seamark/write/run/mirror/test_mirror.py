"""A mirror receives the run's values, and its failures do not affect the run."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.format import run_record
from seamark.write.run.mirror import mirror as mirror_module
from seamark.write.run.mirror.aim_mirror import Note, note_in, outdated_notes
from seamark.write.run.mirror.mirror import BackgroundMirror, mirror_named
from seamark.write.run.test_support import begin, stored_record


class Notes:
    """A mirror that records its calls."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        self.calls.append((dict(values), step))

    def config(self, config: Mapping[str, Any]) -> None:
        self.calls.append(dict(config))

    def finish(self, status: str) -> None:
        self.calls.append(status)


def test_numbers_parameters_and_the_end_are_passed_on_in_order() -> None:
    notes = Notes()
    mirror = BackgroundMirror(lambda: notes, name="notes")
    array = np.array([2.5])
    mirror.config({"lr": np.float32(0.5), "layers": (1, 2), "model": {"path": Path("a")}})
    mirror.log({"loss": array, "n": 3, "text": "no number", "image": np.zeros((2, 2))}, 7)
    array[0] = 9  # the value was taken when it was logged
    mirror.log({"nothing": None}, 8)
    mirror.finish("finished")
    mirror.log({"late": 1}, 9)
    mirror.finish("finished")
    assert notes.calls == [
        {"lr": 0.5, "layers": [1, 2], "model": {"path": "a"}},
        ({"loss": 2.5, "n": 3}, 7),
        "finished",
    ]


class Broken(Notes):
    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        raise OSError("its disk is full")


def test_a_failing_mirror_is_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    mirror = BackgroundMirror(Broken, name="broken")
    for step in range(5):
        mirror.log({"loss": 1.0}, step)
    mirror.finish("finished")
    [warning] = caplog.messages
    assert warning == (
        "seamark: the run continues without its mirror: OSError: its disk is full (reported once): 'broken'"
    )


def test_a_missing_library_is_one_warning(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setitem(sys.modules, "aim", None)
    mirror = mirror_named("aim")
    mirror.log({"loss": 1.0}, 0)
    mirror.finish("finished")
    assert ["pip install aim" in message for message in caplog.messages] == [True]


def test_a_stalled_mirror_does_not_block_and_dropped_calls_are_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    entered, go_on = threading.Event(), threading.Event()

    class Slow(Notes):
        def log(self, values: Mapping[str, Any], step: int | None) -> None:
            entered.set()
            go_on.wait()

    mirror = BackgroundMirror(Slow, name="slow", length=2)
    mirror.log({"loss": 1.0}, 0)
    entered.wait()
    for step in range(1, 10):
        mirror.log({"loss": 1.0}, step)  # two wait, seven are dropped; none of them waits here
    monkeypatch.setattr(mirror_module, "FINISH_SECS", 0.01)
    mirror.finish("finished")
    go_on.set()
    warnings = " ".join(caplog.messages)
    assert "7 calls were dropped" in warnings and "did not accept everything" in warnings


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_does_not_use_the_mirror() -> None:
    notes = Notes()
    mirror = BackgroundMirror(lambda: notes, name="notes")
    child = os.fork()
    if child == 0:
        mirror.log({"loss": 1.0}, 1)
        mirror.finish("finished")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    mirror.finish("finished")
    assert notes.calls == ["finished"]


def test_a_run_forwards_its_values_to_the_mirror() -> None:
    notes = Notes()
    run = begin(name="first", config={"lr": 0.5}, mirror=notes)
    run.log({"loss": 1.5, "val": {"loss": 2.5}})
    run.config.update({"late": True})
    run.log({"loss": 0.5}, step=7)
    run.finish()
    assert notes.calls == [
        {"lr": 0.5},
        ({"loss": 1.5, "val/loss": 2.5}, 0),
        {"lr": 0.5, "late": True},
        ({"loss": 0.5}, 7),
        "finished",
    ]


def test_a_mirror_that_raises_does_not_affect_the_run(caplog: pytest.LogCaptureFixture) -> None:
    run = begin(name="first", mirror=Broken())
    run.log({"loss": 1.5})
    run.log({"loss": 0.5})
    assert run.step == 2
    run.finish()
    assert (run.status, dict(run.summary)["loss"]) == ("finished", 0.5)
    assert "its disk is full" in caplog.text


def test_an_unknown_name_is_rejected_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown mirror: got 'wandb', want 'aim'"):
        mirror_named("wandb")
    with pytest.raises(ValueError, match="unknown mirror"):
        begin(mirror="wandb")
    assert list(tmp_path.iterdir()) == []


def test_runs_of_ended_processes_are_found_by_their_files(tmp_path: Path) -> None:
    """tests/integrations/test_aim.py checks this with Aim itself."""
    for name, status, noted_status in (
        ("alive", "running", "running"),
        ("killed", "running", "running"),
        ("told", "running", "killed"),
        ("crashed", "crashed", "running"),
    ):
        run = begin(name=name)
        run.finish()
        kept = stored_record(run)
        kept.status = status
        if name != "alive":
            kept.writer.pid, kept.writer.process_start = os.getpid(), "earlier"
        (run.dir / "run.json").write_text(run_record.dumps(kept))
        Note("repo", f"hash of {name}", noted_status).write(run.dir)
    project = tmp_path / "runs"
    for name, text in (("odd", "[]"), ("broken", '{"kind": "aim"'), ("foreign", '{"kind": "other"}')):
        (project / name).mkdir()
        (project / name / ".mirror.json").write_text(text)
        assert note_in(project / name) is None
    assert [(folder.name, note.hash, status) for folder, note, status in outdated_notes(project)] == [
        ("crashed", "hash of crashed", "crashed"),
        ("killed", "hash of killed", "killed"),
    ]
