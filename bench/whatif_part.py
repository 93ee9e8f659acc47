"""Measures What-If: loading, performance by slice, a counterfactual, worst slices, partial dependence and brushing.

python -m bench --parts whatif
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from bench.example_files import FEATURES, write_examples
from bench.report import Figure
from bench.scenarios import Bench
from bench.whatif_page import BrushPage

LOAD_SECS = 2.0
PERFORMANCE_SECS = 0.2
COUNTERFACTUAL_SECS = 0.1
WORST_SLICES_SECS = 5.0
OVERHEAD = 0.1


@dataclass(frozen=True)
class Sizes:
    rows: int
    dependence_rows: int


FULL = Sizes(100_000, 1000)
QUICK = Sizes(2000, 20)


@dataclass
class WhatIfPart:
    """A fresh process for each repeat; the least of each figure counts."""

    bench: Bench
    sizes: Sizes
    repeat: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        logdir = self.bench.fresh_dir("whatif-")
        write_examples(logdir, self.sizes.rows)
        command = [sys.executable, "-m", "bench.whatif_inside", str(logdir), f"--rows={self.sizes.dependence_rows}"]
        runs: list[dict[str, float]] = [
            json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            for _ in range(self.repeat)
        ]
        least = {name: min(run[name] for run in runs) for name in runs[0]}
        size = f"{self.sizes.rows:,} × {FEATURES}"
        for name, title, limit_secs in (
            ("csv", f"a CSV file of {size} read", LOAD_SECS),
            ("parquet", f"a Parquet file of {size} read", LOAD_SECS),
            ("first_performance", f"ROC, PR and all thresholds by slice, {size}, first request", PERFORMANCE_SECS),
            ("performance", f"ROC, PR and all thresholds by slice, {size}, other slices", PERFORMANCE_SECS),
            ("counterfactual", f"a counterfactual, {size}", COUNTERFACTUAL_SECS),
            ("worst_slices", f"worst slices, {size}", WORST_SLICES_SECS),
        ):
            wanted = f"≤ {limit_secs:g} s" if limit_secs >= 1 else f"≤ {limit_secs * 1e3:g} ms"
            self.add(Figure(title, "s", least[name], None, wanted, least[name] <= limit_secs))
        self.dependence(runs)
        BrushPage(self.bench, logdir, self.sizes.rows, self.add).run()

    def dependence(self, runs: list[dict[str, float]]) -> None:
        best = min(runs, key=lambda run: run["dependence"] / run["dependence_own"])
        secs, own = best["dependence"], best["dependence_own"]
        title = f"partial dependence of one feature over {self.sizes.dependence_rows:,} rows"
        self.add(Figure(f"{title}: the model's own time", "s", own))
        self.add(Figure(title, "s", secs, None, f"≤ own time + {OVERHEAD:.0%}", secs <= own * (1 + OVERHEAD)))
