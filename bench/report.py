"""Writes figures to a Markdown page, with the method, the machine and the targets."""

from __future__ import annotations

import datetime
import os
import platform
import re
from dataclasses import dataclass, field

import psutil

from bench.parts import PARTS, Part


@dataclass(frozen=True)
class Figure:
    """A row of a table. `peer` is None if only Seamark is measured."""

    what: str
    unit: str
    ours: float
    peer: float | None = None
    target: str = ""
    met: bool | None = None


@dataclass
class Report:
    """The content of RESULTS.md. Parts that were not measured this time are copied from `previous`."""

    repeat: int
    quick: bool
    peer_version: str
    previous: str = ""
    layouts: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    figures: dict[str, list[Figure]] = field(default_factory=dict)

    def markdown(self) -> str:
        lines = [
            "# Seamark beside TensorBoard",
            "",
            "The ratio says how many times less Seamark needs.",
            "",
            "Commands:",
            *(f"- `{command}`" for command in self.commands),
            "",
            "Log directories (made from a seed by `python -m bench`):",
            *(f"- {layout}" for layout in self.layouts),
            "",
        ]
        sections = [self._section(part) for part in PARTS.values()]
        return "\n".join([*lines, *(section for section in sections if section)])

    def _section(self, part: Part) -> str:
        figures = self.figures.get(part.name)
        if figures is None:
            found = re.search(rf"^## {re.escape(part.title)}\n.*?(?=^## |\Z)", self.previous, re.MULTILINE | re.DOTALL)
            return found[0].rstrip() + "\n" if found else ""
        kind = "a quick run on small data: figures mean nothing" if self.quick else f"min of {self.repeat}"
        peer = f"TensorBoard {self.peer_version}" if part.peer == "TensorBoard" else part.peer
        lines = [
            f"## {part.title}",
            "",
            f"{datetime.date.today().isoformat()}, {kind}; {machine()}; {peer}.",
            "",
            part.method,
            "",
            f"| measured | {part.peer} | Seamark | ratio | wanted | |",
            "|---|---:|---:|---:|---|---|",
            *(_row(figure, is_judged=not self.quick) for figure in figures),
            "",
        ]
        return "\n".join(lines)


def _row(figure: Figure, *, is_judged: bool) -> str:
    peer = "" if figure.peer is None else _shown(figure.peer, figure.unit)
    ratio = "" if not figure.peer or not figure.ours else f"{figure.peer / figure.ours:.1f}x"
    met = {None: "", True: "met", False: "**not met**"}[figure.met if is_judged else None]
    return f"| {figure.what} | {peer} | {_shown(figure.ours, figure.unit)} | {ratio} | {figure.target} | {met} |"


def _shown(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value:.2f} s" if value >= 0.1 else f"{value * 1e3:.1f} ms"
    if unit == "bytes":
        return f"{value / 1e6:,.0f} MB" if value >= 1e7 else f"{value / 1e6:.1f} MB"
    if unit == "count":
        return f"{value:,.0f}"
    if unit == "share":
        return f"{value:.1%}"
    return f"{value / 1e9:.2f} GB/s"


def machine() -> str:
    memory_gb = psutil.virtual_memory().total / 1e9
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory_gb:.0f} GB memory, {system}"
