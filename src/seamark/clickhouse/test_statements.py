"""Tests of what needs no server: addresses, parameters, the format of columns, the rules for series, statements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.clickhouse.address import Address, AddressError, Host, parse_address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.native import FormatError, decode_blocks, encode_block
from seamark.clickhouse.parameters import bound, escaped, literal, with_literals, with_sets
from seamark.clickhouse.points import PLACED, pull_chunks
from seamark.clickhouse.rows import is_regular, month_of, name_hash
from seamark.clickhouse.schema import create_statements
from seamark.clickhouse.windows.query import WindowQuery
from seamark.clickhouse.windows.sql import WindowSql
from seamark.format.types import Tag
from seamark.store import MarkedAttempts, Smoothing, StoreUnavailableError
from seamark.store.ask.requests import ScalarRequest
from seamark.store.ask.stored_run import StoredScalars


def test_an_address_has_hosts_a_database_and_a_project() -> None:
    found = parse_address("clickhouse://a,b:9,[::1]:7/runs?project=vision", {})
    assert found.hosts == (Host("a", 8123), Host("b", 9), Host("::1", 7))
    assert (found.database, found.project, found.is_secure) == ("runs", "vision", False)
    assert parse_address("clickhouses://a/runs", {}).hosts == (Host("a", 8443),)


def test_credentials_come_from_the_address_or_the_environment_and_are_never_shown() -> None:
    found = parse_address("clickhouse://ann:p%40ss@a/runs", {"CLICKHOUSE_USER": "other"})
    assert (found.user, found.password) == ("ann", "p@ss")
    from_environment = parse_address("clickhouse://a/runs", {"CLICKHOUSE_USER": "ben", "CLICKHOUSE_PASSWORD": "p@ss"})
    assert (from_environment.user, from_environment.password) == ("ben", "p@ss")
    for address in (found, from_environment):
        for shown in (str(address), repr(address), f"{address}"):
            assert "p@ss" not in shown and "p%40ss" not in shown and "ann" not in shown
    with pytest.raises(AddressError) as error:
        parse_address("clickhouse://ann:p%40ss@a", {})
    assert "p%40ss" not in str(error.value)


@pytest.mark.parametrize("text", ["http://a/b", "clickhouse://a/b c", "clickhouse://a:0/b", "clickhouse://a/b;drop", "clickhouse://a/b?x=1"])  # fmt: skip
def test_other_addresses_are_rejected(text: str) -> None:
    with pytest.raises(AddressError):
        parse_address(text, {})


def test_a_server_that_is_away_is_named_without_its_password() -> None:
    address = Address((Host("127.0.0.1", 1),), "runs", "", False, "ann", "p@ss")
    with pytest.raises(
        StoreUnavailableError, match=r"cannot be reached \(127\.0\.0\.1:1: .*\): 'clickhouse://127"
    ) as error:
        HttpClient(address).select("SELECT 1 AS a", ["a"])
    assert "p@ss" not in str(error.value)


def unescaped(text: str) -> str:
    """Reads a literal as ClickHouse does."""
    names = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "\\": "\\", "'": "'"}
    out, at = [], 0
    while at < len(text):
        assert text[at] != "'", "an unescaped quote ends the literal"
        out.append(names[text[at + 1]] if text[at] == "\\" else text[at])
        at += 2 if text[at] == "\\" else 1
    return "".join(out)


@settings(deadline=None)
@given(st.text())
def test_text_in_a_literal_stays_text(text: str) -> None:
    assert unescaped(escaped(text)) == text


def test_parameters_are_checked_by_type() -> None:
    assert literal("it's", "String") == "'it\\'s'"
    assert literal(1.5, "Float64") == "reinterpretAsFloat64(unhex('000000000000f83f'))"
    assert literal([1, 2], "Set(UInt64)") == "(1,2)"
    assert bound(2**64 - 1, "UInt64") == str(2**64 - 1)
    for value, type_name in (("1; DROP", "UInt64"), (-1, "UInt64"), (True, "UInt8"), (["1"], "Set(UInt64)"), (1, "String"), ("x", "Float64")):  # fmt: skip
        with pytest.raises(TypeError):
            literal(value, type_name)  # type: ignore[arg-type]


def test_a_value_with_a_placeholder_in_it_is_not_filled_again() -> None:
    sql = with_literals("a = {a:String} AND b = {b:String}", {"a": "{b:String}", "b": "x"})
    assert sql == "a = '{b:String}' AND b = 'x'"
    assert with_sets("r IN {k:Set(UInt64)} AND t = {t:String}", {"k": [3], "t": "y"}) == "r IN (3) AND t = {t:String}"


def test_columns_survive_the_native_format() -> None:
    columns = {
        "run": np.arange(3, dtype=np.uint64),
        "value": np.array([math.nan, math.inf, -0.5]),
        "name": [b"", b"\xff" * 300, b"x"],
    }
    data = encode_block(columns)
    found = decode_blocks(data + data, list(columns))
    np.testing.assert_array_equal(found["value"], np.tile(columns["value"], 2))
    assert found["name"] == columns["name"] * 2
    with pytest.raises(FormatError, match="unknown column"):
        decode_blocks(data, ["run"])
    with pytest.raises(FormatError, match="cut off"):
        decode_blocks(encode_block({"run": columns["run"]})[:-1], ["run"])


def points(
    rows: list[tuple[int, float]], attempt: list[int] | None = None, replaced: list[int] | None = None
) -> StoredScalars:
    steps, walls = zip(*rows, strict=True)
    zeros = [0] * len(rows)
    return StoredScalars(
        np.array(steps), np.array(walls, float), np.zeros(len(rows)),
        np.array(attempt or zeros, np.uint32), np.array(replaced or zeros, np.uint8),
    )  # fmt: skip


def test_only_series_in_order_are_regular() -> None:
    assert is_regular(points([(0, 0), (2, 1), (5, 2)]))
    assert not is_regular(points([(0, 0), (0, 1)]))
    assert not is_regular(points([(0, 0), (1, 0)]))
    assert not is_regular(points([(0, 0), (1, math.nan)]))
    assert is_regular(points([(0, 0), (1, 1), (1, 2)], [0, 0, 1], [0, 1, 0]))
    assert not is_regular(points([(0, 0), (1, 1), (1, 2)], [0, 0, 1]))


def test_months_and_hashes_do_not_depend_on_the_process() -> None:
    assert [month_of(wall) for wall in (1_700_000_000.0, None, math.nan, -1.0, 1e300)] == [202311, 0, 0, 0, 0]
    assert name_hash("loss") == name_hash("loss") != name_hash("a", "b") != name_hash("ab")


def test_codecs_are_used_where_the_server_has_them() -> None:
    old, new = ("\n".join(create_statements("db", "c", version)) for version in ((18, 16, 1), (26, 9, 1)))
    assert "CODEC" not in old and "CODEC(ZSTD" in new
    assert old.count("Distributed(c, db, ") == 5 and "Distributed" not in "\n".join(
        create_statements("db", None, (18, 16))
    )
    with pytest.raises(AddressError):
        list(create_statements("db", "c; DROP", (18, 16)))


class RecordingClient:
    """Notes the statements and finds nothing."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def select(self, sql: str, names: Sequence[str], **_: object) -> dict[str, Any]:
        self.statements.append(sql)
        return dict.fromkeys(names, np.empty(0))


@pytest.mark.parametrize("attempts", ["latest", "all", "marked"])
def test_points_are_looked_up_by_their_key_before_other_columns_are_read(attempts: MarkedAttempts) -> None:
    client = RecordingClient()
    pull_chunks(client, Tag("loss"), [1, 2])  # type: ignore[arg-type]
    query = WindowQuery.of(ScalarRequest("step", 1.0, 2.0, 10, Smoothing(), attempts, True, None))
    sql = WindowSql(query, {})
    for statement in (*client.statements, PLACED, sql.ranges(), sql.summaries("step"), *sql.edges()):
        assert " PREWHERE run IN {keys:Set(UInt64)} AND tag = {tag:UInt64}" in statement
