"""Resuming a run; two processes never write the same run."""

from __future__ import annotations

import pytest

from seamark.format import run_record
from seamark.write.run.record import run_folder
from seamark.write.run.test_support import begin, points, stored_record
from seamark.write.test_support import logged_warnings


def test_a_resumed_run_continues_at_the_next_step() -> None:
    first = begin(id="abc", name="n", config={"lr": 1})
    first.define_metric("loss", summary="mean")
    for loss in (1.0, 2.0):
        first.log({"loss": loss})
    first.finish()
    for resume in ("allow", "must", True):
        again = begin(id="abc", resume=resume)
        assert again.dir == first.dir and again.resumed and again.config.lr == 1 and again.name == "n"
        again.log({"loss": 3.0})
        again.finish()
    kept = stored_record(first)
    assert [step for step, _ in points(first, "loss")] == [0, 1, 2, 3, 4]
    assert [session.from_step for session in kept.sessions] == [0, 2, 3, 4]
    assert kept.summary["loss"] == pytest.approx((1 + 2 + 3 * 3) / 5)


def test_an_existing_run_is_not_overwritten() -> None:
    begin(id="abc").finish()
    for resume in (None, "never", False):
        with pytest.raises(run_folder.RunExistsError, match="resume='allow'"):
            begin(id="abc", resume=resume)
    with pytest.raises(run_folder.NoSuchRunError, match="'other'"):
        begin(id="other", resume="must")
    assert begin(id="other", resume="allow").resumed is False


def test_the_last_step_comes_from_the_event_files() -> None:
    run = begin(id="abc")
    for _ in range(5):
        run.log({"a": 1.0})
    run.finish()
    stale = stored_record(run)
    stale.last_step = 1
    (run.dir / "run.json").write_text(run_record.dumps(stale))
    with next(run.dir.glob("*tfevents*")).open("ab") as file:
        file.write(b"half a rec")
    assert begin(id="abc", resume=True).step == 5


def test_a_run_in_use_is_not_taken_over() -> None:
    first = begin(id="abc")
    with pytest.raises(run_folder.RunInUseError, match="process"):
        begin(id="abc", resume="allow", reinit="create_new")
    assert first.is_live


def test_a_process_that_lost_the_run_does_not_write_run_json() -> None:
    run = begin(id="abc")
    other = stored_record(run)
    other.writer.session, other.notes = "another process", "mine now"
    (run.dir / "run.json").write_text(run_record.dumps(other))
    with logged_warnings("taken over the run"):
        run.finish()
    assert stored_record(run).notes == "mine now"
