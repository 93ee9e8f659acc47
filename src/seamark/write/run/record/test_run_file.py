"""run.json of a finished trial."""

from __future__ import annotations

from pathlib import Path

from seamark.format.run_record import PRUNED, Objective, RunRecord
from seamark.write.run.record.run_file import read, write_ended


def test_a_finished_trial_has_a_status_and_objectives(tmp_path: Path) -> None:
    record = RunRecord(status=PRUNED, started_at=10.0, ended_at=12.5, objectives=(Objective("loss", "minimize"),))
    write_ended(tmp_path, record)
    found = read(tmp_path)
    assert found is not None
    assert (found.status, found.started_at, found.ended_at, found.heartbeat_at) == (PRUNED, 10.0, 12.5, 12.5)
    assert found.objectives == (Objective("loss", "minimize"),)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
