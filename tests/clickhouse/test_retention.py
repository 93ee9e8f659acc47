"""Old runs are removed by dropping partitions where nothing else is in them, and by deleting rows where something is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from seamark import _core
from seamark.cli import main
from seamark.clickhouse.address import Address
from seamark.clickhouse.client import Client, HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.removal import apply_retention, plan_retention
from seamark.clickhouse.store import ClickHouseStore
from seamark.store.test_contract import LOSS, events
from seamark.store.test_support import TIMEOUT_SECS, append, loaded

OCTOBER, NOVEMBER, DECEMBER = 1_759_500_000.0, 1_762_500_000.0, 1_765_000_000.0


def write_run(folder: Path, wall: float) -> None:
    points = [_core.encode_scalar(LOSS.encode(), 0.5, step, wall + step) for step in range(200)]
    append(events(folder), _core.encode_file_version(wall) + b"".join(points))


@pytest.fixture
def filled(databases: Any, tmp_path: Path) -> tuple[Address, Address]:
    """Two projects in one database; both have runs of November."""
    one: Address = databases.make()
    other = msgspec.structs.replace(one, project="other")
    for folder, wall in (("a/old", OCTOBER), ("a/mid", NOVEMBER), ("a/new", DECEMBER), ("b/mid", NOVEMBER)):
        write_run(tmp_path / folder, wall)
    for address, name in ((one, "a"), (other, "b")):
        with loaded(tmp_path / name) as embedded:
            assert ingest_all(HttpClient(address), embedded).points > 0
    return one, other


def months(client: Client) -> set[int]:
    return set(client.select("SELECT month FROM points GROUP BY month", ["month"])["month"].tolist())


def names(address: Address) -> list[str]:
    with ClickHouseStore(HttpClient(address)) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        return sorted(store.run_names())


def test_months_are_dropped_unless_another_project_has_runs_in_them(filled: tuple[Address, Address]) -> None:
    one, other = filled
    client = HttpClient(one)
    plan = plan_retention(client, 202512)
    assert sorted(row.name for row in plan.rows) == ["mid", "old"] and plan.points == 400
    assert plan.dropped_months == [202510], "the other project has a run of November"
    assert names(one) == ["mid", "new", "old"], "a plan removes nothing"
    assert apply_retention(client, plan) == 2
    assert 202510 not in months(client), "at once"
    assert names(one) == ["new"] and names(other) == ["mid"]
    deadline = time.monotonic() + TIMEOUT_SECS
    count = "SELECT count() AS n FROM points WHERE month = 202511"
    while client.select(count, ["n"])["n"].sum() != 2:  # two chunks of the other project's run
        assert time.monotonic() < deadline, "rows of a single run are deleted in the background"
        time.sleep(0.1)
    plan = plan_retention(HttpClient(other), 202512)
    assert plan.dropped_months == [202511]
    apply_retention(HttpClient(other), plan)
    assert names(other) == [] and months(client) == {202512}


def test_a_removed_run_comes_back_with_the_next_ingestion(filled: tuple[Address, Address], tmp_path: Path) -> None:
    one, _ = filled
    client = HttpClient(one)
    apply_retention(client, plan_retention(client, 202511))
    with loaded(tmp_path / "a") as embedded:
        assert ingest_all(client, embedded).points == 200
    assert names(one) == ["mid", "new", "old"]


def test_the_command_prints_what_it_would_remove(
    filled: tuple[Address, Address], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = filled
    monkeypatch.setenv("CLICKHOUSE_USER", one.user)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", one.password)
    command = ["store", "remove", str(one), "--before", "2025-11"]
    assert main([*command, "--dry_run"]) == 0
    assert "Would remove 1 run with 200 points, 1 whole month" in capsys.readouterr().out
    assert names(one) == ["mid", "new", "old"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "Removed 1 run with 200 points" in out and one.password not in out
    assert names(one) == ["mid", "new"]
