"""The comparison finds every sort of difference; tests/compat compares with a real TensorBoard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark import SummaryWriter
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from tools.compare_tensorboard import compare


def write(
    folder: Path, *, loss: float = 1.0, shade: int = 0, weight: float = 0.0, steps: tuple[int, ...] = (0, 1)
) -> None:
    with SummaryWriter(folder / "run") as writer:
        for step in steps:
            writer.add_scalar("loss", loss, step, walltime=1000.0 + step)
            writer.add_image("picture", np.full((3, 2, 2), shade, np.uint8), step, walltime=1000.0 + step)
            writer.add_histogram("weights", np.array([weight, 1.0]), step, walltime=1000.0 + step)


@pytest.fixture
def served() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def client_of(served: ExitStack, folder: Path) -> TestClient:
    store = served.enter_context(Store([LogRoot("", folder)], index_dir=None, follow=False))
    assert store.wait_loaded(30)
    return TestClient(create_app(store), base_url="http://localhost")


def test_equal_logs_have_no_difference(served: ExitStack, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name)
    assert compare(*(client_of(served, tmp_path / name) for name in ("a", "b"))) == {}


def test_each_difference_is_named(served: ExitStack, tmp_path: Path) -> None:
    write(tmp_path / "a")
    write(tmp_path / "b", loss=2.0, shade=9, weight=0.5)
    found = compare(*(client_of(served, tmp_path / name) for name in ("a", "b")))
    assert found.keys() == {("scalars", "run", "loss"), ("images", "run", "picture"), ("histograms", "run", "weights")}
    assert found["scalars", "run", "loss"] == "at step 0: [1000.0, 1.0] there, [1000.0, 2.0] here"


def test_missing_points_and_series_are_named(served: ExitStack, tmp_path: Path) -> None:
    write(tmp_path / "a", steps=(0, 1, 2))
    write(tmp_path / "b", steps=(0, 2))
    with SummaryWriter(tmp_path / "b" / "run") as writer:
        writer.add_scalar("extra", 1.0, 0)
    found = compare(*(client_of(served, tmp_path / name) for name in ("a", "b")))
    assert found["scalars", "run", "loss"] == "3 points there, 2 here, 1 of theirs missing"
    assert found["scalars", "run", "extra"] == "listed only by Seamark"
