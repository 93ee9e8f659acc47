"""HParams has data when a run has hyperparameters, from any source."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark.dashboards.hparams.dashboard import dashboard
from seamark.kinds import hparams
from seamark.kinds.summary import event_record
from seamark.plugin import Context, find_dashboards
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def has_data(logdir: Path) -> bool:
    with Store([LogRoot("", logdir)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        assert dashboard.has_data is not None
        return dashboard.has_data(Context(store))


def test_it_is_found() -> None:
    assert "hparams" in [found.name for found in find_dashboards() if found.dashboard is not None]


def test_scalars_alone_are_not_enough(tmp_path: Path) -> None:
    with EventFile(tmp_path / "run") as file:
        file.add_scalar("loss", 1.0, 0)
    assert not has_data(tmp_path)


def test_hyperparameters_in_events(tmp_path: Path) -> None:
    with EventFile(tmp_path / "run") as file:
        file.append(event_record(hparams.encode(hparams.SessionStart({"lr": 0.1})), step=0, wall_time=1.0))
    assert has_data(tmp_path)


@pytest.mark.parametrize("name", ["hparams.yaml", ".hydra/config.yaml", "run.json"])
def test_hyperparameters_in_files_of_the_run(tmp_path: Path, name: str) -> None:
    with EventFile(tmp_path / "run") as file:
        file.add_scalar("loss", 1.0, 0)
    path = tmp_path / "run" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    assert has_data(tmp_path)
