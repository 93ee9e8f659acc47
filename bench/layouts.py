"""The log directories of the measurements, and the responses that show that a viewer has loaded them."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import media, scalars

SEED = 20_260_729
GENERATOR_VERSION = 1


@dataclass(frozen=True)
class Layout:
    """A log directory: `runs` folders with `tags` scalar tags of `steps` steps each, and media if wanted."""

    name: str
    title: str
    runs: int
    tags: int
    steps: int
    media_steps: int = 0

    @property
    def run_names(self) -> list[str]:
        return [f"run_{number:04d}" for number in range(self.runs)]

    @property
    def tag_names(self) -> list[str]:
        return [f"group_{number % 8}/metric_{number:04d}" for number in range(self.tags)]

    @property
    def points(self) -> int:
        return self.runs * self.tags * self.steps

    @property
    def last_step(self) -> int:
        return self.steps - 1

    def sample_runs(self, count: int = 20) -> list[str]:
        """Evenly spread run names, first and last included."""
        names = self.run_names
        if len(names) <= count:
            return names
        return [names[index * (len(names) - 1) // (count - 1)] for index in range(count)]


FULL = [
    Layout("L1", "one run, 5 tags x 1,000,000 steps", runs=1, tags=5, steps=1_000_000),
    Layout("L2", "sweep: 1,000 runs x 20 tags x 500 steps", runs=1000, tags=20, steps=500),
    Layout("L3", "mixed media, 10 runs", runs=10, tags=20, steps=1000, media_steps=200),
    Layout("L4", "wide: one run, 2,000 tags x 500 steps", runs=1, tags=2000, steps=500),
    Layout("L5", "many: 10,000 runs x 1 tag x 5 steps (for the runs table)", runs=10_000, tags=1, steps=5),
]

QUICK = [
    Layout("L1", "one run, 5 tags x 20,000 steps", runs=1, tags=5, steps=20_000),
    Layout("L2", "sweep: 20 runs x 4 tags x 100 steps", runs=20, tags=4, steps=100),
    Layout("L3", "mixed media, 2 runs", runs=2, tags=4, steps=40, media_steps=4),
    Layout("L4", "wide: one run, 50 tags x 100 steps", runs=1, tags=50, steps=100),
    Layout("L5", "many: 200 runs x 1 tag x 5 steps (for the runs table)", runs=200, tags=1, steps=5),
]


def event_file(run_dir: Path) -> Path:
    """The event file of a generated run."""
    return run_dir / f"events.out.tfevents.{int(scalars.START_SECS)}.bench.0"


def prepare(layout: Layout, data_dir: Path, *, say: Callable[[str], None]) -> Path:
    """Generates the layout below `data_dir` unless a complete one with the same parameters exists."""
    stamp = json.dumps({**asdict(layout), "seed": SEED, "generator": GENERATOR_VERSION}, sort_keys=True)
    digest = hashlib.sha256(stamp.encode()).hexdigest()[:8]
    logdir = data_dir / f"{layout.name}-{digest}"
    stamp_path = data_dir / f"{layout.name}-{digest}.stamp.json"
    # The stamp is written last: a directory without it is incomplete.
    if not stamp_path.exists():
        say(f"generating {layout.name}: {layout.title}")
        shutil.rmtree(logdir, ignore_errors=True)
        _generate(layout, logdir)
        stamp_path.write_text(stamp)
    return logdir


def _generate(layout: Layout, logdir: Path) -> None:
    for number, run in enumerate(layout.run_names):
        path = event_file(logdir / run)
        path.parent.mkdir(parents=True)
        seed = [SEED, int(layout.name[1:]), number]
        with path.open("wb") as file:
            file.write(scalars.head(number))
            if layout.media_steps:
                media.write(file, seed, number, steps=layout.media_steps)
            for block in scalars.blocks(layout.tag_names, layout.steps, seed, number):
                file.write(block)


def total_bytes(logdir: Path) -> int:
    return sum(path.stat().st_size for path in logdir.rglob("*tfevents*"))


def warm_page_cache(logdir: Path) -> None:
    """Reads every file once, so that both viewers start with a warm page cache."""
    buffer = bytearray(1 << 20)
    for path in logdir.rglob("*tfevents*"):
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass
