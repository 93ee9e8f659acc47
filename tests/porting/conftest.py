"""Stores to import from, and what an import made of them."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from seamark.kinds import registry
from seamark.store import LogRoot, Store

STORES = Path(__file__).parent / "stores"


@dataclass
class Shown:
    """A run as the store reads it back."""

    scalars: dict[str, list[tuple[int, float, float]]] = field(default_factory=dict)
    payloads: dict[str, list[tuple[int, float, Any]]] = field(default_factory=dict)


@pytest.fixture
def unpacked(tmp_path: Path) -> Callable[[str], tuple[Path, dict[str, Any]]]:
    """A store by name, and what the library itself reads from it."""

    def unpack(name: str) -> tuple[Path, dict[str, Any]]:
        with tarfile.open(STORES / f"{name}.tar.gz") as packed:
            packed.extractall(tmp_path / "stores")
        folder = tmp_path / "stores" / name
        return folder, json.loads((folder / "expected.json").read_text())

    return unpack


@pytest.fixture
def shown() -> Callable[[Path], dict[str, Shown]]:
    """Everything in a log directory, by run and tag."""

    def read(logdir: Path) -> dict[str, Shown]:
        with Store([LogRoot("", logdir)], index_dir=None, follow=False) as store:
            assert store.wait_loaded(20)
            assert store.problems() == []
            runs = {info.name: Shown() for info in store.runs()}
            for one in store.series():
                if one.kind == "scalars":
                    rows = store.scalars(one.run, one.tag, attempts="all")
                    points = zip(rows.step.tolist(), rows.wall.tolist(), rows.last.tolist(), strict=True)
                    runs[one.run].scalars[one.tag] = list(points)
                else:
                    listed = store.payloads(one.run, one.tag, one.kind, attempts="all")
                    runs[one.run].payloads[one.tag] = [
                        (
                            int(step),
                            float(wall),
                            registry.decode(
                                one.kind, store.payload(one.run, one.tag, one.kind, at), metadata=one.metadata
                            ),
                        )
                        for at, (step, wall) in enumerate(zip(listed.steps, listed.walls, strict=True))
                    ]
            return runs

    return read
