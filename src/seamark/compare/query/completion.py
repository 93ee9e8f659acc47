"""Completes queries: lists the options at the cursor."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from seamark.compare.columns.column import RUN_FIELDS, STATS, Column, UnknownColumnError, natural
from seamark.compare.query.expression import FUNCTIONS, LOOKUPS, MAX_LENGTH
from seamark.compare.query.query_table import QueryTable

MAX_OPTIONS = 50
MAX_SORTED = 5000
WORD = re.compile(r"[^\W\d][\w.]*$")
IN_LOOKUP = re.compile(rf"\b({'|'.join(LOOKUPS)})\s*\[\s*$")
# After `name ==`, `name in [` and `name in ["a",` the options are the column's values.
COMPARED = re.compile(
    r"(?P<name>[^\W\d][\w.]*|(?:param|summary)\[\s*(?:\"[^\"]+\"|'[^']+')\s*\])\s*"
    r"(?:[!=]=|(?:not\s+)?in\s*[\[(](?:\s*(?:\"[^\"]*\"|'[^']*')\s*,)*)\s*$"
)
AFTER_METRIC = re.compile(r"metric\[\s*(?:\"[^\"]+\"|'[^']+')\s*\]\.(?P<part>\w*)$")
ENDS_OPERAND = re.compile(r"([\w\])\"'])\s+$")
OPERATOR_WORDS = frozenset({"and", "or", "not", "in", "is"})
OPERATORS = (
    ("and", "both are true"), ("or", "one of them is true"), ("==", "equal"), ("!=", "not equal"), ("<", "less"),
    ("<=", "less or equal"), (">", "greater"), (">=", "greater or equal"), ("in", "text in text, a value in a list"),
    ("not in", "not in it"), ("is None", "has no value"), ("is not None", "has a value"),
)  # fmt: skip
FUNCTION_DETAILS = {
    "tag": 'tag("x"): whether the run has it', "abs": "absolute value", "min": "the smallest of several",
    "max": "the largest of several", "len": "the length of text or of tags", "lower": "in lower case",
    "upper": "in upper case", "startswith": 'startswith(name, "x")', "endswith": 'endswith(name, "x")',
    "matches": 'matches(name, "pattern")', "log": "natural logarithm", "log10": "decimal logarithm",
    "isnan": "whether it is NaN", "days": "in seconds", "hours": "in seconds", "minutes": "in seconds",
    "now": "the current time",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    text: str
    kind: str  # field, param, metric, summary, function, stat, value, operator
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """Options that can replace the characters from `start` to `stop`."""

    start: int
    stop: int
    options: list[Option]


def complete(table: QueryTable, query: str, cursor: int) -> Completion:
    """`cursor` counts characters of the query."""
    cursor = min(max(cursor, 0), len(query))
    if len(query) > MAX_LENGTH:  # too long to be a query
        return Completion(cursor, cursor, [])
    before, after = query[:cursor], query[cursor:]
    with table.hold():
        return (
            _in_text(table, before, after)
            or _of_metric(before, after)
            or _operators(before)
            or _names(table, before, after)
        )


def _in_text(table: QueryTable, before: str, after: str) -> Completion | None:
    opening = open_quote(before)
    if opening is None:
        return None
    quote, written, head = before[opening], before[opening + 1 :], before[:opening]
    start = len(before) - len(written)
    stop = len(before) + len(re.match(r"[^\"'\])]*", after).group())  # type: ignore[union-attr]
    lookup = IN_LOOKUP.search(head)
    names = table.known_names()
    if lookup is not None:
        known = {"param": names.params, "metric": names.metrics, "summary": names.summary}[lookup[1]]
        closing = re.match(rf"{quote}?\s*\]?", after[stop - len(before) :])
        stop += len(closing.group()) if closing else 0
        options = [
            Option(f"{escaped(name, quote)}{quote}]", lookup[1], _detail(table, f"{lookup[1]}:{name}", runs))
            for name, runs in _matching(known.items(), written)
        ]
        return Completion(start, stop, options)
    closing = re.match(rf"{quote}?", after[stop - len(before) :])
    stop += len(closing.group()) if closing else 0
    values = _matching(_values(table, head), written)
    options = [Option(f"{escaped(value, quote)}{quote}", "value", _runs(runs)) for value, runs in values]
    return Completion(start, stop, options)


def open_quote(before: str) -> int | None:
    """The index of the open quote; None outside quotes, or if the string contains the other quote."""
    opening: int | None = None
    for at, letter in enumerate(before):
        if opening is None:
            opening = at if letter in "\"'" else None
        elif letter == before[opening]:
            opening = None
    return None if opening is None or set(before[opening + 1 :]) & {'"', "'"} else opening


def _values(table: QueryTable, head: str) -> list[tuple[str, int]]:
    """The text values of the column before the cursor, with the number of runs."""
    if re.search(r"\btag\(\s*$", head):
        counts: dict[str, int] = {}
        for tags in table.column("run:tags").values.tolist():
            for tag in tags:
                counts[tag] = counts.get(tag, 0) + 1
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    compared = COMPARED.search(head)
    if compared is None:
        return []
    name = compared["name"]
    quoted = re.search(r"[\"'](.*)[\"']", name)
    try:
        column = table.column(f"{name.partition('[')[0]}:{quoted[1]}" if quoted else table.resolve(name))
    except UnknownColumnError:
        return []
    return [(value, runs) for value, runs in column.distinct or () if isinstance(value, str)]


def _of_metric(before: str, after: str) -> Completion | None:
    found = AFTER_METRIC.search(before)
    if found is None:
        return None
    stop = len(before) + _word_length(after)
    return Completion(len(before) - len(found["part"]), stop, [*_stats(found["part"])])


def _stats(part: str) -> Iterator[Option]:
    for stat in STATS:
        if stat.startswith(part):
            yield Option(stat, "stat")


def _operators(before: str) -> Completion | None:
    """The operators, after a complete operand and a space."""
    last = re.search(r"(\w+)\s+$", before)
    if ENDS_OPERAND.search(before) is None or (last and last[1] in OPERATOR_WORDS):
        return None
    return Completion(len(before), len(before), [Option(sign, "operator", detail) for sign, detail in OPERATORS])


def _names(table: QueryTable, before: str, after: str) -> Completion:
    found = WORD.search(before)
    part = found.group() if found else ""
    start, stop = len(before) - len(part), len(before) + _word_length(after)
    head, _, stat = part.rpartition(".")
    if head and head in table.known_names().metrics:
        return Completion(len(before) - len(stat), stop, [*_stats(stat)])
    options = [option for option, _ in _matching(_every_name(table, part), part) if isinstance(option, Option)]
    return Completion(start, stop, [_detailed(table, option) for option in options])


def _every_name(table: QueryTable, part: str) -> Iterator[tuple[Option, int]]:
    """All names that contain `part`, without details, which are computed only for the options shown."""
    names = table.known_names()
    for name in _sorted_names(names.params, part):
        is_plain = is_dotted_name(name) and name not in RUN_FIELDS and name not in LOOKUPS
        yield Option(name if is_plain else f"param[{json.dumps(name, ensure_ascii=False)}]", "param", name), 0
    for name in RUN_FIELDS:
        yield Option(name, "field", name), 0
    for tag in _sorted_names(names.metrics, part):
        yield Option(f"metric[{json.dumps(tag, ensure_ascii=False)}]", "metric", tag), 0
    for name in _sorted_names(names.summary, part):
        yield Option(f"summary[{json.dumps(name, ensure_ascii=False)}]", "summary", name), 0
    for name in FUNCTIONS:
        yield Option(f"{name}(", "function", name), 0
    yield Option("not", "operator", "not"), 0


def _sorted_names(names: Iterable[str], part: str) -> list[str]:
    """Names that start with `part`, then names that contain it. Filtered before sorting: there may be a million."""
    part = part.casefold()
    holding = [name for name in names if part in name.casefold()]
    begin = [name for name in holding if name.casefold().startswith(part)]
    if len(begin) >= MAX_SORTED:
        return begin[:MAX_SORTED]
    contain = [name for name in holding if not name.casefold().startswith(part)][:MAX_SORTED]
    return sorted(begin, key=natural) + sorted(contain, key=natural)


def _detailed(table: QueryTable, option: Option) -> Option:
    match option.kind:
        case "function":
            return Option(option.text, option.kind, FUNCTION_DETAILS[option.detail])
        case "operator":
            return Option(option.text, option.kind, "negation")
        case "field":
            return Option(option.text, option.kind, _detail(table, f"run:{option.detail}", None))
    runs = table.known_names().metrics.get(option.detail) if option.kind == "metric" else None
    return Option(option.text, option.kind, _detail(table, f"{option.kind}:{option.detail}", runs))


def _detail(table: QueryTable, column_id: str, runs: int | None) -> str:
    if column_id.startswith("metric:"):
        return f"metric, {_runs(runs or 0)}"
    return described(table.column(column_id))


def described(column: Column) -> str:
    """Describes a column: its type, and its range or the number of runs that have it."""
    low, high = column.span()
    if column.type == "number" and low is not None:
        return f"number, {low:g}" if low == high else f"number, {low:g} to {high:g}"
    return f"{'numbers and text' if column.mixed else column.type}, {_runs(int(column.present.sum()))}"


def _runs(count: int) -> str:
    return f"{count:,} run{'s' * (count != 1)}"


def _matching(known: Iterable[tuple[object, int]], part: str) -> list[tuple[object, int]]:
    """Entries that start with `part`, then those that contain it, each in the given order."""
    part = part.casefold()
    begin, contain = [], []
    for item in known:
        name = (item[0].detail if isinstance(item[0], Option) else str(item[0])).casefold()
        if name.startswith(part):
            begin.append(item)
        elif part in name:
            contain.append(item)
    return [*begin, *contain][:MAX_OPTIONS]


def escaped(text: object, quote: str) -> str:
    return str(text).replace("\\", "\\\\").replace(quote, f"\\{quote}").replace("\n", "\\n")


def is_dotted_name(name: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split("."))


def _word_length(after: str) -> int:
    found = re.match(r"[\w.]*", after)
    return len(found.group()) if found else 0
