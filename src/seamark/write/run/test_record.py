"""run.json of a run that a study reports when it has ended."""

from __future__ import annotations

from pathlib import Path

from seamark.format.run_record import PRUNED, Objective, RunRecord
from seamark.write.run.record import read, write_ended


def test_an_ended_trial_says_how_it_ended_and_what_it_was_for(tmp_path: Path) -> None:
    record = RunRecord(status=PRUNED, started_at=10.0, ended_at=12.5, objectives=(Objective("loss", "minimize"),))
    write_ended(tmp_path, record)
    found = read(tmp_path)
    assert found is not None
    assert (found.status, found.started_at, found.ended_at, found.heartbeat_at) == (PRUNED, 10.0, 12.5, 12.5)
    assert found.objectives == (Objective("loss", "minimize"),)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
