"""Figures → a Markdown page that says what was measured, how, on what, and whether it is enough."""

from __future__ import annotations

import datetime
import os
import platform
from dataclasses import dataclass, field

import psutil  # type: ignore[import-untyped]


@dataclass(frozen=True)
class Figure:
    """One line of the table. `peer` is None where only Seamark can be measured."""

    what: str
    unit: str
    ours: float
    peer: float | None = None
    target: str = ""
    met: bool | None = None


@dataclass
class Report:
    """Everything RESULTS.md shows."""

    repeat: int
    quick: bool
    peer_version: str
    layouts: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)

    def markdown(self) -> str:
        kind = "a quick run on small data: figures mean nothing" if self.quick else f"min of {self.repeat}"
        lines = [
            "# Seamark beside TensorBoard",
            "",
            f"{datetime.date.today().isoformat()}, {kind}; {machine()}; TensorBoard {self.peer_version}.",
            "",
            *METHOD,
            "",
            "Commands:",
            *(f"- `{command}`" for command in self.commands),
            "",
            "Log directories (made from a seed by `python -m bench`):",
            *(f"- {layout}" for layout in self.layouts),
            "",
            "| measured | TensorBoard | Seamark | ratio | wanted | |",
            "|---|---:|---:|---:|---|---|",
            *(_row(figure, is_judged=not self.quick) for figure in self.figures),
            "",
        ]
        return "\n".join(lines)


METHOD = [
    "Every measurement starts a fresh process, both viewers in turn, with the event files in the page cache.",
    "*Answerable* means, over HTTP and for both alike: the last step of the last tag is given out for each of up to",
    "20 runs spread over the log directory, and all scalar tags of all runs are listed. Memory is the sum of the peak",
    "resident sets (VmHWM) of the process tree when all is answerable. TensorBoard keeps 1,000 points of a series;",
    "Seamark keeps all. A cold start of Seamark has an empty index directory; TensorBoard has no index, so its second",
    "start is its first. Over HTTP, one series means 1,000 sampled points from TensorBoard and 2,000 pixel columns",
    "from Seamark. The ratio says how many times less Seamark needs.",
]


def _row(figure: Figure, *, is_judged: bool) -> str:
    peer = "" if figure.peer is None else _shown(figure.peer, figure.unit)
    ratio = "" if not figure.peer or not figure.ours else f"{figure.peer / figure.ours:.1f}x"
    met = {None: "", True: "met", False: "**not met**"}[figure.met if is_judged else None]
    return f"| {figure.what} | {peer} | {_shown(figure.ours, figure.unit)} | {ratio} | {figure.target} | {met} |"


def _shown(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value:.2f} s" if value >= 0.1 else f"{value * 1e3:.1f} ms"
    if unit == "bytes":
        return f"{value / 1e6:,.0f} MB"
    return f"{value / 1e9:.2f} GB/s"


def machine() -> str:
    memory_gb = psutil.virtual_memory().total / 1e9
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory_gb:.0f} GB memory, {system}"
