"""Measures the cost of logging with several writers: a process for each figure, the writers in turn."""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.report import machine

HERE = Path(__file__).resolve().parent
OURS = "seamark"
# The first is the one that ours replaces.
PEERS = ("torch", "tensorboardX", "aim", "wandb", "trackio")
IMPORTS = {
    OURS: "from seamark import SummaryWriter",
    "torch": "from torch.utils.tensorboard import SummaryWriter",
    "tensorboardX": "from tensorboardX import SummaryWriter",
    "aim": "import aim",
    "wandb": "import wandb",
    "trackio": "import trackio",
}

METHOD = [
    "Every figure is a process of its own. A call's cost is what the calling thread waits for it; the time until the",
    "process has ended holds the import, the calls and whatever a writer leaves for the end. A dash: the library has",
    "no such thing, or torch, which the training needs, is not in its environment.",
]


@dataclass(frozen=True)
class Wanted:
    text: str
    is_met: Callable[[float, float], bool]  # ours, torch's


@dataclass(frozen=True)
class Line:
    what: str
    shown: Callable[[float], str]
    wanted: Wanted | None = None
    by: dict[str, float] = field(default_factory=dict)


def us(secs: float) -> str:
    return f"{secs * 1e6:,.2f} µs" if secs < 1e-5 else f"{secs * 1e6:,.0f} µs"


def ms(secs: float) -> str:
    return f"{secs * 1e3:,.2f} ms" if secs < 0.1 else f"{secs * 1e3:,.0f} ms"


def s(secs: float) -> str:
    return f"{secs:,.2f} s"


def percent(share: float) -> str:
    return f"{share * 100:.2f} %"


@dataclass
class Writers:
    """Measures every available writer, and names the missing ones."""

    peers_dir: Path
    repeat: int
    quick: bool
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.pythons = {name: python for name in (OURS, *PEERS) if (python := self._python(name)) is not None}
        self.absent = [name for name in PEERS if name not in self.pythons]

    def run(self) -> str:
        counts = {"scalars": 100, "histograms": 1, "images": 2, "training": 80} if self.quick else {
            "scalars": 100_000, "histograms": 10, "images": 30, "training": 800,
        }  # fmt: skip
        calls = f"{counts['scalars']:,}"
        fast = Wanted(
            "≤ 1.5 µs and ≥ 50x faster than torch's", lambda ours, torch: ours <= 1.5e-6 and ours * 50 <= torch
        )
        scalar = Line("add_scalar, per call", us, fast)
        end = Line(f"{calls} of them, until the process has ended", s)
        histogram = Line("add_histogram of 1,000,000 float32", ms, Wanted("≤ 3 ms", lambda ours, _: ours <= 3e-3))
        image = Line("add_image, 3×256×256", ms, Wanted("≤ 5 ms", lambda ours, _: ours <= 5e-3))
        loading = Line("import", ms, Wanted("≤ 60 ms", lambda ours, _: ours <= 0.06))
        training = Line(
            "ten scalars a step: added to a step of some ms", percent, Wanted("< 1 %", lambda ours, _: ours < 0.01)
        )
        for name in self.pythons:
            best = min(self._ran(name, "scalars", counts["scalars"]) for _ in range(self.repeat))
            scalar.by[name], end.by[name] = best
            for line, what in ((histogram, "histograms"), (image, "images"), (training, "training")):
                figures = [self._ran(name, what, counts[what])[0] for _ in range(self.repeat)]
                line.by[name] = min(figures)
            loading.by[name] = min(self._import_secs(name) for _ in range(max(self.repeat, 1 if self.quick else 5)))
            self.say(f"{name}: {us(scalar.by[name])} per add_scalar")
        return self._page([scalar, end, histogram, image, loading, training])

    def _ran(self, name: str, what: str, count: int) -> tuple[float, float]:
        """The figure, and the seconds until the process ended. NaN if the library has no such function."""
        with tempfile.TemporaryDirectory(prefix="writers-") as folder:
            command = [self.pythons[name], str(HERE / "writing.py"), name, what, folder, f"--count={count}"]
            start = time.perf_counter()
            ran = subprocess.run(command, capture_output=True, text=True)
            secs = time.perf_counter() - start
        if ran.returncode:
            self.say(f"{name} cannot do {what}: {(ran.stderr.strip().splitlines() or ['?'])[-1]}")
            return math.nan, math.nan
        return float(json.loads(ran.stdout.strip().splitlines()[-1])), secs

    def _import_secs(self, name: str) -> float:
        program = f"import time; start = time.perf_counter(); {IMPORTS[name]}; print(time.perf_counter() - start)"
        ran = subprocess.run([self.pythons[name], "-c", program], capture_output=True, text=True, check=True)
        return float(ran.stdout)

    def _python(self, name: str) -> str | None:
        """The interpreter with the library: this one, or one of an environment below peers_dir."""
        module = {"torch": "torch.utils.tensorboard"}.get(name, name)
        for python in (sys.executable, str(self.peers_dir / name / "bin" / "python")):
            program = f"import importlib.util as u, sys; sys.exit(u.find_spec({module.split('.')[0]!r}) is None)"
            if Path(python).exists() and subprocess.run([python, "-c", program], capture_output=True).returncode == 0:
                return python
        return None

    def _page(self, lines: list[Line]) -> str:
        names = list(self.pythons)
        kind = "a quick run: figures mean nothing" if self.quick else f"min of {self.repeat}"
        absent = f" Not installed here: {', '.join(self.absent)}." if self.absent else ""
        return "\n".join(
            [
                "# Seamark's writer beside others",
                "",
                f"{datetime.date.today().isoformat()}, {kind}; {machine()}.{absent}",
                "Made by `python -m bench --parts writers`.",
                "",
                *METHOD,
                "",
                f"| measured | {' | '.join(names)} | wanted | |",
                f"|---|{'---:|' * len(names)}---|---|",
                *(self._row(line, names) for line in lines),
                "",
            ]
        )

    def _row(self, line: Line, names: list[str]) -> str:
        cells = []
        for name in names:
            figure = line.by.get(name, math.nan)
            cells.append("–" if math.isnan(figure) else line.shown(figure))
        wanted, met = "", ""
        if line.wanted is not None:
            wanted = line.wanted.text
            if not self.quick:
                is_met = line.wanted.is_met(line.by[OURS], line.by.get("torch", math.inf))
                met = "met" if is_met else "**not met**"
        return f"| {line.what} | {' | '.join(cells)} | {wanted} | {met} |"
