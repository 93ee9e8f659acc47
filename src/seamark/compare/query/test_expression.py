"""The query language: syntax, evaluation and error messages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark import compare
from seamark.compare import QueryError, RunTable
from seamark.compare.query.expression import compile_expression
from seamark.compare.test_support import log_run, matching, table_of, write_record


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunTable]:
    logdir = tmp_path_factory.mktemp("logs")
    log_run(logdir / "resnet_1", {"lr": 0.001, "opt": "adam", "bn": True, "x": 1.0}, val__loss=[0.5, 0.2], acc=[0.9])
    log_run(logdir / "resnet_2", {"lr": 0.1, "opt": "sgd", "bn": False, "x": "auto"}, val__loss=[0.6, 0.4])
    log_run(logdir / "vit", {"opt": "Adam"}, val__loss=[float("nan")])
    write_record(logdir / "vit", config={"optim": {"wd": 0.5}, "größe": 3}, tags=["broken"], summary={"best": 2})
    with table_of(logdir, {"resnet_1": {"tags": ["good", "old"]}}) as table:
        yield table


BOTH = ["resnet_1", "resnet_2"]
ALL = [*BOTH, "vit"]


@pytest.mark.parametrize(
    ("query", "runs"),
    [
        ('lr < 0.01 and "resnet" in name and metric["val/loss"].min < 0.3 and not tag("broken")', ["resnet_1"]),
        ("lr < 1", BOTH),
        ("not (lr < 1)", []),
        ("not lr < 0.01", ["resnet_2"]),
        ("lr is None", ["vit"]),
        ("lr == None", ["vit"]),
        ("lr != None and lr is not None", BOTH),
        ("lr < 0.01 or lr is None", ["resnet_1", "vit"]),
        ("lr < 0.01 or bn == False", BOTH),
        ("0.0005 < lr <= 0.01", ["resnet_1"]),
        ("param['lr'] * 10 == 1", ["resnet_2"]),
        ("-lr > -0.05", ["resnet_1"]),
        ("lr ** 2 < 0.005 and lr // 1 == 0 and lr % 1 > 0 and lr / 2 < 1 and lr + 1 - 1 < 1", ["resnet_1"]),
        ("opt == 'adam'", ["resnet_1"]),
        ("lower(opt) == 'adam'", ["resnet_1", "vit"]),
        ("upper(opt) in ['ADAM', 'LION']", ["resnet_1", "vit"]),
        ("opt in ('sgd', 'Adam')", ["resnet_2", "vit"]),
        ("opt not in ['sgd']", ["resnet_1", "vit"]),
        ("lr in [0.1, x]", ["resnet_2"]),
        ("lr in [0.1, None]", ["resnet_2", "vit"]),
        ("bn == True", ["resnet_1"]),
        ("bn == 1", ["resnet_1"]),
        ("not bn", ["resnet_2"]),
        ("x == 'auto'", ["resnet_2"]),
        ("x < 2", ["resnet_1"]),
        ("x in [1, 'auto']", BOTH),
        ("optim.wd > 0.1", ["vit"]),
        ("wd > 0.1", ["vit"]),
        ("param['optim.wd'] > 0.1 and summary['best'] == 2", ["vit"]),
        ("größe == 3", ["vit"]),
        ("acc > 0.5", ["resnet_1"]),
        ("acc.max > 0.5", ["resnet_1"]),
        ('metric["val/loss"] < 0.3', ["resnet_1"]),
        ('metric["val/loss"].first - metric["val/loss"].last > 0.25', ["resnet_1"]),
        ('metric["val/loss"].count == 2 and metric["val/loss"].min_step == 1', BOTH),
        ('isnan(metric["val/loss"].last)', ["vit"]),
        ('tag("good")', ["resnet_1"]),
        ('not tag("good")', ["resnet_2", "vit"]),
        ("'old' in tags", ["resnet_1"]),
        ("len(tags) == 0", ["resnet_2"]),
        ("len(name) > 3", BOTH),
        ("startswith(name, 'res') and endswith(name, '2')", ["resnet_2"]),
        ("matches(name, '_[13]$')", ["resnet_1"]),
        ("max(lr, 0.05) > 0.05 or min(lr, 1) == 0.001", BOTH),
        ("abs(log10(lr) + 3) < 0.01", ["resnet_1"]),
        ("log(lr) < -5", ["resnet_1"]),
        ("started < now() - hours(2) and started > now() - days(1)", ALL),
        ("started > '2023-11-14' and started < '2023-11-15 12:00'", ALL),
        ("started > '2023-11-14T00:00:00+02:00' and ended is None", ALL),
        ("status == 'stopped'", BOTH),
        ("name == 'vit' and\n  opt == 'Adam'", ["vit"]),
        ("True and True", ALL),
        ("lr < 1 and None", []),
        ("points > 0 and duration < minutes(1)", ALL),
        ("", ALL),
        ("  ", ALL),
        ("resnet", BOTH),
        ("RESNET_1", ["resnet_1"]),
        ("/^v/", ["vit"]),
        ("^v|2$", ["resnet_2", "vit"]),
        ("resnet (", []),
    ],
)  # fmt: skip
def test_queries_select_runs(table: RunTable, query: str, runs: list[str]) -> None:
    assert sorted(matching(table, query)) == runs


@pytest.mark.parametrize(
    ("query", "message", "pointed"),
    [
        ("lr = 0.1", "write '=='", "="),
        ("lr < 1 && bn", "write 'and'", "&&"),
        ("lr < 1 || bn", "write 'or'", "||"),
        ("lr < 1 AND bn == 1", "lower case", "AND"),
        ("!(lr < 1)", "write 'not'", "!"),
        ("lr < 1 & bn", "write 'and' instead of '&'", "1 & bn"),
        ("~bn == 1", "write 'not'", "~bn"),
        ("lrr < 1", "no column 'lrr'; did you mean 'lr'?", "lrr"),
        ("größen < 1", "did you mean 'größe'", "größen"),
        ('"ü" in nmae', "did you mean 'name'", "nmae"),
        ("  lrr < 1", "no column", "lrr"),
        ("val/loss < 1", 'write metric["val/loss"]', "val/loss"),
        ("val/loss.min < 1", 'write metric["val/loss"].min', "val/loss.min"),
        ('metric["val/los"].min < 1', "no metric 'val/los'; did you mean 'val/loss'", 'metric["val/los"].min'),
        ('metric["val/loss"].best < 1', "has no 'best'", 'metric["val/loss"].best'),
        ("metric[lr] < 1", "in quotes", "lr"),
        ("metric('x') < 1", "square brackets", "metric"),
        ("name < 3", "'name', which is text", "name < 3"),
        ("lr == 'x'", "which is text", "lr == 'x'"),
        ("name + 1 == 2", "needs numbers, and 'name' is text", "name + 1"),
        ("lr == '0.1'", "which is text; write 0.1 without quotes", "lr == '0.1'"),
        ("lr in ('0.1')", "'lr' is a number and '0.1' is text; write [ ] around it", "lr in ('0.1')"),
        ("bn and lr in (1, '0.1', 2)", "which is a number, with '0.1', which is text; write 0.1", "'0.1'"),
        ("lr not in [0.1, 'text']", "'in' compares 'lr', which is a number, with 'text', which is text", "'text'"),
        ("bn or opt in ['adam', 3]", "which is text, with 3, which is a number; write it in quotes", "3"),
        ("1 in lr", "'in' looks for", "1 in lr"),
        ("lr < None", "None has no order", "lr < None"),
        ("x < [1, 2]", "with this, which is a list", "x < [1, 2]"),
        ("lr is 1", "'is' is for None", "lr is 1"),
        ("foo(lr) < 1", "no function 'foo'", "foo"),
        ("name.lower() == 'x'", "with the text as first argument", "name.lower"),
        ("min(lr) < 1", "takes 2 to 20 arguments, got 1", "min(lr)"),
        ("matches(name, '(') == 1", "not a regular expression", "matches(name, '(')"),
        ("started > 'noon'", "'noon' is not a time", "started > 'noon'"),
        ("true == bn", "write True instead of true", "true"),
        ("lr <", "missing at the end", ""),
        ("(lr < 1", "never closed", "("),
        ("name == 'x", "unterminated", "'"),
        ("lambda: lr < 1", "not part of queries", "lambda: lr < 1"),
        ("[x for x in lr] == 1", "not part of queries", "[x for x in lr]"),
        ("lr < 1 if bn else lr > 1", "'if' and 'else'", "lr < 1 if bn else lr > 1"),
        ("__import__('os').system('x') == 1", "only functions", "__import__('os').system"),
        ("name.__class__ == 1", "no column 'name.__class__'", "name.__class__"),
        ("f'{lr}' == 'x'", "without the f", "f'{lr}'"),
        ("b'x' == name", "write a number, text", "b'x'"),
        ("lr < 1j", "write a number, text", "1j"),
        ("1 < " + "9" * 400, "too big", "9" * 400),
        ("tags", "", None),
        ("/(/", "not a regular expression", "("),
    ],
)  # fmt: skip
def test_errors_suggest_a_fix_and_point_to_the_text(
    table: RunTable, query: str, message: str, pointed: str | None
) -> None:
    if pointed is None:
        assert matching(table, query) == []
        return
    with pytest.raises(QueryError) as caught:
        table.select(query)
    error = caught.value
    assert message in error.message
    assert query[error.at : error.at + error.length].startswith(pointed) or pointed == ""
    assert 0 <= error.at <= len(query)


@pytest.mark.parametrize(
    "query",
    [
        "(" * 3000 + "1" + ")" * 3000,
        "not " * 900 + "1 < 2",
        "-" * 3000 + "1 < 2",
        "1 < 2 " + "and 1 < 2 " * 390,
        "lr" + ".a" * 1500 + " < 1",
        "1 < " + "2 ** " * 700 + "2",
        "x == '" + "a" * 5000 + "'",
        "lr < 1\0",
        "9**9**9**9**9 < " + "1",
        "1 < " + "9" * 3000,
    ],
)
def test_hostile_queries_terminate(table: RunTable, query: str) -> None:
    try:
        table.select(query)
    except QueryError as error:
        assert error.message


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", "empty"), (" ", "empty"), ("resnet", "name"), ("resnet 50", "name"), ("lr=0.1", "name"), ("lr=0.1,bs=32", "name"),
        ("a-b", "name"), ("a/b", "name"), ("v1.0", "name"), ("run:3", "name"), ("/a|b/", "regex"), ("a|b", "regex"),
        ("^run", "regex"), ("(?!base)", "regex"), ("run (2)", "regex"), ("run (2", "name"), ("seed.*", "regex"), ("[", "name"),
        ("lr < 1", "expression"), ("lr<1", "expression"), ("lr = 1", "expression"), ("a and b", "expression"), ("not x", "expression"),
        ("'a' in name", "expression"), ("tag('x')", "expression"), ("lr <", "expression"), ("a && b", "expression"),
        ("metric[", "expression"), ("tag(", "expression"), ("'a' in", "expression"), ("lr < 1 and", "expression"),
        ("x is None", "expression"), ("train and", "expression"), ("land or", "expression"), ("notebook", "name"), ("in", "name"),
        ("a 'and' b", "name"), ("sand and", "expression"), ("metric['x']", "expression"), ("metric", "name"), ("(?<=a)b", "regex"), ("not", "name"), ("<b>", "expression"),
    ],
)  # fmt: skip
def test_query_form(text: str, form: str) -> None:
    assert compare.query_form(text) == form


def test_compiling_needs_no_table() -> None:
    assert compare.compile("") is None
    with pytest.raises(QueryError):
        compare.compile("lr = 1")
    assert isinstance(compare.compile("lr < 1"), compare.Query)
    assert isinstance(compare.compile("resnet"), compare.NameFilter)


@pytest.mark.parametrize("query", ["/(a+)+$/", "(a+)+$", "/" + ".?" * 24 + "!!/", 'matches(name, "(a+)+$")'])
def test_a_pattern_with_catastrophic_backtracking_terminates(tmp_path: Path, query: str) -> None:
    """With Python's engine such a match would hold the GIL and block every request."""
    log_run(tmp_path / ("a" * 60 + "!"), {"lr": 1.0})
    with table_of(tmp_path) as table:
        assert matching(table, query) == []


def test_all_patterns_of_a_query_share_one_deadline(table: RunTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.compare.query.evaluation.MAX_SECS", -1.0)
    with pytest.raises(QueryError, match="takes too long"):
        matching(table, 'matches(name, "(a+)+$") or matches(name, "b+")')


def test_repeated_groups_match(table: RunTable) -> None:
    assert matching(table, "/^(?:res|net)+_/") == BOTH
    assert matching(table, 'matches(name, "^(?:v|it)+$")') == ["vit"]


ATOMS = ["lr", "opt", "bn", "x", "tags", "started", "ended", "duration", "name", "star", 'metric["val/loss"]', "None", "True", "1", "-1", "1e308", "'x'", "[1, 'x', None]", "()", "now()", "days(1)", 'param["wd"]']  # fmt: skip
SIGNS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", "in", "not in", "is", "is not", "and", "or"]


def made_up(drawn: random.Random, depth: int) -> str:
    if not depth:
        return drawn.choice(ATOMS)
    one, other = made_up(drawn, depth - 1), made_up(drawn, depth - 1)
    return drawn.choice(
        [
            f"({one} {drawn.choice(SIGNS)} {other})",
            f"({one} {drawn.choice(SIGNS)} {other})",
            f"{drawn.choice(['abs', 'log', 'isnan', 'len', 'lower', 'days', 'tag'])}({one})",
            f"{drawn.choice(['min', 'startswith', 'matches'])}({one}, {other})",
            f"(not {one})",
            f"-{one}",
        ]
    )


def test_any_combination_of_operands_evaluates_or_raises_query_error(table: RunTable) -> None:
    drawn = random.Random(3)
    answered = 0
    for _ in range(1500):
        query = made_up(drawn, drawn.choice([1, 1, 2, 3]))
        try:
            table.select(compile_expression(query))
            answered += 1
        except QueryError as error:
            assert error.message and 0 <= error.at <= len(query), query
    assert answered > 300
