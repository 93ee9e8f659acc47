"""Renders the lines of the screen: a header, rows of runs, and a line of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seamark.cli.output.text import age, fitted, number, printable, sparkline, width_of

SORTS = ("started", "name", "status", "step", "last", "min", "max", "updated")
COLOURS = {
    "running": "32", "writing": "32", "finished": "0", "crashed": "31", "failed": "31", "killed": "31", "lost": "33",
    "idle": "33",
}  # fmt: skip
HELP = (
    "q  quit",
    "m M  next and previous metric",
    "s  sorts by the next column, r reverses the order",
    "/  filter: text of a name, /regex/, or lr < 0.01 and metric[\"loss\"].min < 0.3",
    "↑ ↓ PgUp PgDn Home End  scroll, as j k g G do",
    "?  close this help",
)  # fmt: skip
KEYS_LINE = "q quit  m metric  s sort  r reverse  / filter  ? help"
MIN_SPARK = 8


@dataclass(frozen=True, slots=True)
class Row:
    """One run, with its values of the chosen metric."""

    name: str
    status: str
    step: int | None = None
    last: float | None = None
    low: float | None = None
    high: float | None = None
    updated_secs: float | None = None  # ago
    curve: Sequence[float] = ()


@dataclass(slots=True)
class Choices:
    """The user's choices."""

    metric: str = ""
    sort: str = "started"
    is_reversed: bool = False
    first: int = 0  # row on top
    filter: str = ""
    typed: str | None = None  # a filter being typed
    problem: str = ""  # what is wrong with the filter
    is_help: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    total: int
    matched: int
    live: int
    loading: str  # the progress of loading; empty when done
    clock: str


@dataclass(frozen=True, slots=True)
class Look:
    is_unicode: bool = True
    is_coloured: bool = True

    def styled(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.is_coloured and code != "0" else text

    @property
    def mark(self) -> str:
        return "…" if self.is_unicode else "~"


def page_rows(height: int) -> int:
    """The number of runs that fit on a screen."""
    return max(height - 3, 0)


def frame(rows: Sequence[Row], facts: Facts, choices: Choices, *, width: int, height: int, look: Look) -> list[str]:
    """The lines of the screen, for its visible `rows`. No line is wider than the terminal."""
    if choices.is_help:
        body = ["", *("  " + line for line in HELP)]
        return [*head(facts, choices, width, look), *(plain(fitted(line, width), look) for line in body)][:height]
    lines = [*head(facts, choices, width, look), *table(rows, choices, width, look)]
    lines = lines[: height - 1]
    lines += [""] * (height - 1 - len(lines))
    return [*lines, foot(facts, choices, width, height, look)][-height:]


def head(facts: Facts, choices: Choices, width: int, look: Look) -> list[str]:
    counted = f"{facts.matched:,} of {facts.total:,} runs" if facts.matched != facts.total else f"{facts.total:,} runs"
    parts = ["seamark top", counted, f"{facts.live:,} live", choices.metric or "no metric", facts.loading, facts.clock]
    return [look.styled("1", plain(fitted("  ".join(filter(None, parts)), width, mark=look.mark), look))]


def foot(facts: Facts, choices: Choices, width: int, height: int, look: Look) -> str:
    if choices.typed is not None:
        return look.styled("1", plain(fitted(f"filter: {choices.typed}_", width, mark=look.mark), look))
    if choices.problem:
        return look.styled("31", plain(fitted(choices.problem, width, mark=look.mark), look))
    shown = f"{choices.first + 1:,}–{min(choices.first + page_rows(height), facts.matched):,}" if facts.matched else ""
    parts = [KEYS_LINE, f"[{choices.filter}]" if choices.filter else "", shown]
    return look.styled("2", plain(fitted("  ".join(filter(None, parts)), width, mark=look.mark), look))


@dataclass(frozen=True, slots=True)
class Cell:
    name: str
    sort: str
    width: int
    cell: Callable[[Row], str]
    right: bool = True


CELLS = (
    Cell("STATUS", "status", 9, lambda row: row.status, right=False),
    Cell("STEP", "step", 10, lambda row: f"{row.step:,}" if row.step is not None else "–"),
    Cell("LAST", "last", 10, lambda row: number(row.last)),
    Cell("MIN", "min", 10, lambda row: number(row.low)),
    Cell("MAX", "max", 10, lambda row: number(row.high)),
    Cell("UPDATED", "updated", 7, lambda row: age(row.updated_secs)),
)
# The order in which a narrow terminal drops columns.
DROPPED = ("max", "min", "updated", "status", "step")


def table(rows: Sequence[Row], choices: Choices, width: int, look: Look) -> list[str]:
    cells, name_width, spark_width = layout(width, max((width_of(printable(row.name)) for row in rows), default=3))

    def title(cell_name: str, sort: str) -> str:
        arrows = ("▼", "▲") if look.is_unicode else ("v", "^")
        return f"{cell_name}{arrows[not choices.is_reversed]}" if choices.sort == sort else cell_name

    heads = [fitted(title("RUN", "name"), name_width)]
    heads += [fitted(title(cell.name, cell.sort), cell.width, right=cell.right) for cell in cells]
    lines = [look.styled("2", plain(fitted("  ".join(heads), width, mark=look.mark), look))]
    for row in rows:
        parts = [plain(fitted(row.name, name_width, mark=look.mark), look)]
        for cell in cells:
            text = plain(fitted(cell.cell(row), cell.width, right=cell.right, mark=look.mark), look)
            parts.append(look.styled(COLOURS.get(row.status, "0"), text) if cell.sort == "status" else text)
        if spark_width:
            parts.append(look.styled("36", sparkline(row.curve, spark_width, is_unicode=look.is_unicode)))
        lines.append("  ".join(parts))
    return lines


def layout(width: int, longest: int) -> tuple[list[Cell], int, int]:
    """The cells that fit, the width of the names, and the width left for curves."""
    cells = list(CELLS)
    for dropped in (*DROPPED, ""):
        used = sum(cell.width + 2 for cell in cells)
        if width - used >= min(longest, 24) + 2 + MIN_SPARK or not dropped:
            break
        cells = [cell for cell in cells if cell.sort != dropped]
    available = width - used
    name_width = max(min(longest, max(available - MIN_SPARK - 2, 12), max(available * 2 // 3, 12)), 3)
    if name_width > available:
        return [], width, 0
    spark = available - name_width - 2
    return cells, name_width, spark if spark >= MIN_SPARK else 0


def plain(text: str, look: Look) -> str:
    """Replaces non-ASCII characters if the terminal has no Unicode."""
    return text if look.is_unicode else text.replace("–", "-").encode("ascii", "replace").decode()
