"""When a run of the spool is over, and may leave it. tests/team/test_upload_programs.py runs the command."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from seamark.cli.commands.push import is_over
from seamark.format.run_record import FILE_NAME, FINISHED, RUNNING, RunRecord, Writer, dumps


@pytest.mark.parametrize(
    ("status", "silent_secs", "wanted"),
    [(FINISHED, 0, True), (RUNNING, 0, False), (RUNNING, 600, False), (RUNNING, 4000, True)],
)
def test_a_program_on_another_machine_may_only_have_lost_the_network(
    tmp_path: Path, status: str, silent_secs: float, wanted: bool
) -> None:
    record = RunRecord(status=status, heartbeat_at=time.time() - silent_secs, writer=Writer(host="elsewhere"))
    (tmp_path / FILE_NAME).write_text(dumps(record))
    assert is_over(tmp_path) is wanted
