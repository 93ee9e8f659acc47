"""A mirror gets what the run logs, and can do what it likes: the run does not notice."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.format import run_record
from seamark.write.run import mirror as mirror_module
from seamark.write.run.aim_mirror import Note, note_in, untold
from seamark.write.run.mirror import BackgroundMirror, mirror_named
from seamark.write.run.test_support import begin, remembered


class Notes:
    """A mirror that writes down what it was told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        self.told.append((dict(values), step))

    def config(self, config: Mapping[str, Any]) -> None:
        self.told.append(dict(config))

    def finish(self, status: str) -> None:
        self.told.append(status)


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
    assert notes.told == [
        {"lr": 0.5, "layers": [1, 2], "model": {"path": "a"}},
        ({"loss": 2.5, "n": 3}, 7),
        "finished",
    ]


class Broken(Notes):
    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        raise OSError("its disk is full")


def test_a_mirror_that_fails_is_warned_about_once_and_the_run_goes_on(recwarn: pytest.WarningsRecorder) -> None:
    mirror = BackgroundMirror(Broken, name="broken")
    for step in range(5):
        mirror.log({"loss": 1.0}, step)
    mirror.finish("finished")
    [warning] = [str(one.message) for one in recwarn]
    assert warning == "the mirror 'broken' is off, the run goes on: OSError: its disk is full"


def test_where_warnings_are_errors_the_run_still_goes_on() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mirror = BackgroundMirror(Broken, name="broken")
        mirror.log({"loss": 1.0}, 0)
        mirror.finish("finished")


def test_a_mirror_that_cannot_be_made_is_one_warning(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setitem(sys.modules, "aim", None)
    mirror = mirror_named("aim")
    mirror.log({"loss": 1.0}, 0)
    mirror.finish("finished")
    assert ["pip install aim" in str(one.message) for one in recwarn] == [True]


def test_a_mirror_that_stands_still_delays_nobody_and_what_it_missed_is_counted(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
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
    said = " ".join(str(one.message) for one in recwarn)
    assert "7 calls were dropped" in said and "has not taken everything" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_leaves_the_mirror_alone() -> None:
    notes = Notes()
    mirror = BackgroundMirror(lambda: notes, name="notes")
    child = os.fork()
    if child == 0:
        mirror.log({"loss": 1.0}, 1)
        mirror.finish("finished")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    mirror.finish("finished")
    assert notes.told == ["finished"]


def test_a_run_tells_its_mirror_what_it_is_told() -> None:
    notes = Notes()
    run = begin(name="first", config={"lr": 0.5}, mirror=notes)
    run.log({"loss": 1.5, "val": {"loss": 2.5}})
    run.config.update({"late": True})
    run.log({"loss": 0.5}, step=7)
    run.finish()
    assert notes.told == [
        {"lr": 0.5},
        ({"loss": 1.5, "val/loss": 2.5}, 0),
        {"lr": 0.5, "late": True},
        ({"loss": 0.5}, 7),
        "finished",
    ]


def test_a_mirror_that_raises_takes_nothing_from_the_run(recwarn: pytest.WarningsRecorder) -> None:
    run = begin(name="first", mirror=Broken())
    run.log({"loss": 1.5})
    run.log({"loss": 0.5})
    assert run.step == 2
    run.finish()
    assert (run.status, dict(run.summary)["loss"]) == ("finished", 0.5)
    assert any("its disk is full" in str(one.message) for one in recwarn)


def test_another_name_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown mirror: got 'wandb', want 'aim'"):
        mirror_named("wandb")
    with pytest.raises(ValueError, match="unknown mirror"):
        begin(mirror="wandb")
    assert list(tmp_path.iterdir()) == []


def test_those_whose_process_is_gone_are_known_by_their_notes(tmp_path: Path) -> None:
    """Aim itself is asked in tests/integrations/test_aim.py."""
    for name, status, told in (
        ("alive", "running", "running"),
        ("killed", "running", "running"),
        ("told", "running", "killed"),
        ("crashed", "crashed", "running"),
    ):
        run = begin(name=name)
        run.finish()
        kept = remembered(run)
        kept.status = status
        if name != "alive":
            kept.writer.pid, kept.writer.process_start = os.getpid(), "earlier"
        (run.dir / "run.json").write_text(run_record.dumps(kept))
        Note("repo", f"hash of {name}", told).write(run.dir)
    project = tmp_path / "runs"
    for name, text in (("odd", "[]"), ("broken", '{"kind": "aim"'), ("foreign", '{"kind": "other"}')):
        (project / name).mkdir()
        (project / name / ".mirror.json").write_text(text)
        assert note_in(project / name) is None
    assert [(folder.name, note.hash, status) for folder, note, status in untold(project)] == [
        ("crashed", "hash of crashed", "crashed"),
        ("killed", "hash of killed", "killed"),
    ]
