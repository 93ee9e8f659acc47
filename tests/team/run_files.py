"""Runs in the log directory of a project, as an upload would leave them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from seamark.compare.test_support import log_run, write_record
from seamark.profiles.testing_events import slice_event, step_event
from seamark.team.projects.project import Project
from seamark.team.secret_text import new_id
from tools.in_process_team import InProcessTeam

TIMEOUT_SECS = 30.0


def add_run(team: InProcessTeam, project: Project, name: str, mark: str = "", **record: Any) -> Path:
    """A run whose tag, hyperparameter, files, record and console have `mark` in their names and texts."""
    folder = team.team.folder.logs_dir(project.id) / name
    log_run(folder, {f"{mark}lr": 0.1}, **{f"{mark}loss": [3.0, 2.0, 1.0]})
    write_record(folder, name=name, notes=f"{mark}notes", config={f"{mark}key": f"{mark}value"}, **record)
    (folder / "console.log").write_text(f"{mark}line\n")
    (folder / f"{mark}vectors.tsv").write_text("1\t2\n3\t4\n5\t6\n")
    (folder / f"{mark}examples.csv").write_text(f"{mark}column,label\n1,{mark}yes\n2,no\n")
    (folder / f"{mark}mesh.obj").write_text(f"# {mark}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    config = f'embeddings {{ tensor_name: "{mark}tensor" tensor_path: "{mark}vectors.tsv" }}\n'
    (folder / "projector_config.pbtxt").write_text(config)
    events = [step_event(1, 0, 1000), slice_event(f"{mark}operator", 100, 400)]
    (folder / f"{mark}trace.pt.trace.json").write_text(json.dumps({"traceEvents": events}))
    Image.new("RGB", (4, 4)).save(folder / f"{mark}picture.png")
    add_row(team, project, name)
    return folder


def add_row(team: InProcessTeam, project: Project, name: str, *, uploaded_at: float | None = None) -> str:
    now, run_id = time.time(), new_id()
    team.team.write(
        lambda transaction: transaction.execute(
            "INSERT INTO runs (id, project_id, name, created_at, uploaded_at) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            run_id,
            project.id,
            name,
            now,
            now if uploaded_at is None else uploaded_at,
        )
    )
    return run_id


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECS
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
