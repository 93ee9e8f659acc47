"""After kill -9 at any moment, and after a power failure, the server has every acknowledged point, once."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import seamark
from seamark.team.settings import TeamFolder
from seamark.upload.destination import Destination
from tests.team import IS_LONG
from tools.team_folder import PROJECT, Tokens, create_team

from .upload_server import ServerProcess
from .uploading_clients import FILE_NAME, Trainer

KILLS = 100 if IS_LONG else 4
TRAINERS = 4
LONGEST_LIFE_SECS = 0.7


@contextmanager
def training(tokens: Tokens, url: str) -> Iterator[list[Trainer]]:
    """Trainers that upload as fast as they can; at the end everything they logged was acknowledged."""
    trainers = [Trainer(f"run-{number}", Destination(url, PROJECT, tokens.writer)) for number in range(TRAINERS)]
    stop = threading.Event()
    threads = [threading.Thread(target=trainer.run_until, args=(stop,), daemon=True) for trainer in trainers]
    for thread in threads:
        thread.start()
    yield trainers
    stop.set()
    for thread in threads:
        thread.join(120)
    assert [problem for trainer in trainers for problem in trainer.problems] == []
    assert all(trainer.acknowledged_bytes == len(trainer.content) for trainer in trainers)


def check_acknowledged(logs: Path, trainers: list[Trainer]) -> None:
    """What was acknowledged until now is the beginning of what the server has."""
    for trainer in trainers:
        acknowledged = trainer.acknowledged_bytes
        if acknowledged:
            assert (logs / trainer.run / FILE_NAME).read_bytes()[:acknowledged] == trainer.content[:acknowledged]


def lose_unflushed(logs: Path, flushed: dict[str, int], chance: random.Random) -> None:
    """As after a power failure: of what was not flushed, files have any part."""
    for run, length in flushed.items():
        path = logs / run / FILE_NAME
        os.truncate(path, chance.randint(length, path.stat().st_size))


def lengths(logs: Path) -> dict[str, int]:
    return {path.parent.name: path.stat().st_size for path in logs.glob(f"*/{FILE_NAME}")}


@pytest.mark.timeout(900)
def test_every_acknowledged_point_survives_kills_at_random_moments(tmp_path: Path) -> None:
    chance = random.Random(11)
    tokens = create_team(tmp_path / "team")
    logs = TeamFolder(tmp_path / "team").logs_dir(tokens.project_id)
    server = ServerProcess(tmp_path / "team")
    with training(tokens, server.url) as trainers:
        for kill in range(KILLS):
            flushed = lengths(logs)
            threading.Event().wait(chance.uniform(0, LONGEST_LIFE_SECS))
            server.kill()
            if kill % 2:
                lose_unflushed(logs, flushed, chance)
            server = ServerProcess(tmp_path / "team", server.port)
            check_acknowledged(logs, trainers)
    server.stop()
    assert sum(trainer.failures for trainer in trainers) > 0
    runs = {run.name: run for run in seamark.open(logs)}
    for trainer in trainers:
        assert trainer.acknowledged_steps == trainer.steps > 0
        assert list(runs[trainer.run].scalars("loss").step) == list(range(trainer.steps))
        assert (logs / trainer.run / FILE_NAME).read_bytes() == trainer.content
