"""Completion of queries: the options, and the query after one is accepted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from seamark.compare import Completion, RunTable, complete
from seamark.compare.query.expression import MAX_LENGTH
from seamark.compare.test_support import log_run, table_of, write_record


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunTable]:
    logdir = tmp_path_factory.mktemp("logs")
    log_run(
        logdir / "a", {"lr": 0.1, "opt": "adam", "optim.wd": 1.0, "a b": 1.0, "name": "x"}, val__loss=[1.0], acc=[1.0]
    )
    log_run(logdir / "b", {"lr": 0.2, "opt": 'say "hi"', "class": 1.0}, val__loss=[1.0])
    write_record(logdir / "b", tags=["best", "old"], summary={"final score": 1})
    with table_of(logdir) as table:
        yield table


def at_bar(table: RunTable, text: str) -> tuple[str, str, Completion]:
    """Completes the text with the cursor at the bar."""
    before, _, after = text.partition("|")
    return before, after, complete(table, before + after, len(before))


@pytest.mark.parametrize(
    ("text", "first", "becomes"),
    [
        ("l|", "lr", "lr"),
        ("lr < 1 and o|", "opt", "lr < 1 and opt"),
        ("OPT|", "opt", "opt"),
        ("wd|", "optim.wd", "optim.wd"),
        ("optim.|", "optim.wd", "optim.wd"),
        ("stat| == 1", "status", "status == 1"),
        ("cl|", 'param["class"]', 'param["class"]'),
        ("(los|", 'metric["val/loss"]', '(metric["val/loss"]'),
        ("fin|", 'summary["final score"]', 'summary["final score"]'),
        ("starts|", "startswith(", "startswith("),
        ('metric["|', 'val/loss"]', 'metric["val/loss"]'),
        ('metric["va|', 'val/loss"]', 'metric["val/loss"]'),
        ('metric["va|"].min < 1', 'val/loss"]', 'metric["val/loss"].min < 1'),
        ("metric['va|']", "val/loss']", "metric['val/loss']"),
        ('param["a|', 'a b"]', 'param["a b"]'),
        ('metric["val/loss"].m|', "min", 'metric["val/loss"].min'),
        ('metric["val/loss"].|', "last", 'metric["val/loss"].last'),
        ("acc.m|", "min", "acc.min"),
        ('opt == "|', 'adam"', 'opt == "adam"'),
        ('opt == "|"', 'adam"', 'opt == "adam"'),
        ("opt in ['|", "adam'", "opt in ['adam'"),
        ('opt in ["x", "sa|', 'say \\"hi\\""', 'opt in ["x", "say \\"hi\\""'),
        ('param["opt"] != "a|', 'adam"', 'param["opt"] != "adam"'),
        ('not tag("b|")', 'best"', 'not tag("best")'),
        ("lr |", "and", "lr and"),
        ('tag("x") |', "and", 'tag("x") and'),
        ("lr and |", "lr", "lr and lr"),
        ("|", "lr", "lr"),
        ('"free|', None, None),
        ('nope == "|', None, None),
    ],
)  # fmt: skip
def test_the_first_option_and_the_query_after_accepting_it(
    table: RunTable, text: str, first: str | None, becomes: str | None
) -> None:
    before, after, found = at_bar(table, text)
    whole = before + after
    if first is None:
        assert found.options == [] or found.options[0].kind == "operator"
        return
    assert first in [option.text for option in found.options[:3]]
    assert whole[: found.start] + first + whole[found.stop :] == becomes


def test_details_describe_the_options(table: RunTable) -> None:
    details = {option.text: (option.kind, option.detail) for option in complete(table, "", 0).options}
    assert details["lr"] == ("param", "number, 0.1 to 0.2")
    assert details["opt"] == ("param", "text, 2 runs")
    assert details['param["name"]'] == ("param", "text, 1 run")
    assert details['metric["acc"]'] == ("metric", "metric, 1 run")
    assert details["name"] == ("field", "text, 2 runs")


@pytest.mark.parametrize(
    "text", ["", "'", '"', "metric[", 'metric["]', "((((", "\\", "lr < ", "🙂", "metric['a\"", "a" * 5000]
)
def test_any_text_and_cursor_can_be_completed(table: RunTable, text: str) -> None:
    for cursor in (-5, 0, len(text) // 2, len(text), len(text) + 9):
        found = complete(table, text, cursor)
        assert 0 <= found.start <= found.stop <= len(text) and len(found.options) <= 50


@pytest.mark.parametrize("unit", ["'\"", '"', "a ", "param[", "a in ['", " ", "metric['a'].", '"a",', "a == "])
def test_long_texts_are_completed_in_linear_time(table: RunTable, unit: str) -> None:
    """A backtracking pattern took 15 seconds for 20,000 characters."""
    for length in (MAX_LENGTH, 100_000):
        query = (unit * length)[:length]
        assert complete(table, query, length).stop <= length
