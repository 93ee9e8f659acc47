"""A small log directory of several kinds, and publishing by the command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import seamark
from seamark.cli import main
from seamark.publish import Spool, gather
from seamark.store import Store, parse_logdir

Publish = Callable[..., int]
Gather = Callable[..., dict[str, bytes]]


def write_run(folder: Path, *, steps: int = 20, offset: float = 0.0) -> None:
    with seamark.SummaryWriter(folder) as writer:
        for step in range(steps):
            writer.add_scalar("loss", offset + 1 / (step + 1), step)
        writer.add_image("picture", np.full((3, 8, 8), 128 + int(offset), np.uint8), 1)
        writer.add_text("note", f"**bold** words of {folder.name}", 1)
        writer.add_histogram("weights", np.arange(10) + offset, 1)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    for at, name in enumerate(("first", "second", "secret-run")):
        write_run(folder / name, offset=float(at))
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


@pytest.fixture
def publish(logdir: Path, site: Path) -> Publish:
    def run(*words: str, output: Path = site) -> int:
        return main(["publish", str(logdir), "-o", str(output), "--index_dir", "none", "--state_dir", "none", *words])

    return run


@pytest.fixture
def gathered(logdir: Path) -> Iterator[Gather]:
    """The contents of a site by their keys, before they are compressed."""

    def run(*names: str, notes: dict[str, dict[str, object]] | None = None) -> dict[str, bytes]:
        roots = parse_logdir(str(logdir))
        with Store(roots, index_dir=None, follow=False) as store, Spool() as spool:
            store.wait_loaded()
            chosen = [name for name in store.run_names() if not names or name in names]
            gather(store, roots, chosen, spool, notes=notes or {}, progress=lambda *_: None)
            return {key: spool.content(blob) for blob in spool for key in blob.keys}

    yield run
