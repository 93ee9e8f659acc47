"""The tables, and the statements that create them. Conservative SQL: it runs on ClickHouse 18.16 and on today's.

A row of `points` is a chunk of up to 128 points of a series, as `chunks.py` encodes them, sorted by run, tag, and the
attempt, step and position in the series of its first point. A chunk that is inserted again has the same key and as many
points or more: readers and merges take the longest. A run's key is a new number whenever anything but new points
happened to it, so its former points are never mixed with the present ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from seamark.clickhouse.address import checked_name
from seamark.clickhouse.client import Client

CODECS_FROM = (20, 3)


class Table(Struct, frozen=True):
    name: str
    columns: tuple[tuple[str, str, str], ...]  # name, type, codec
    engine: str
    order: str
    shard: str
    partition: str = ""
    settings: str = ""


def _plain(text: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, kind, "") for name, kind in (part.split() for part in text.split(",")))


SERIES_NUMBERS = (
    "points UInt64, checksum UInt32, is_regular UInt8, attempts UInt32, last_attempt UInt32, first_step Int64, "
    "last_step Int64, max_step Int64, first_wall Float64, last_wall Float64, last_value Float64, min_value Float64, "
    "max_value Float64, nan_count UInt64, posinf_count UInt64, neginf_count UInt64, last_point_wall Float64, "
    "digest_count UInt64, digest_first Float64, digest_last Float64, digest_min Float64, digest_max Float64, "
    "digest_mean Float64, digest_tail Float64, digest_min_step Float64, digest_max_step Float64, "
    "digest_last_step Float64"
)
TABLES = (
    Table(
        "points",
        (
            ("run", "UInt64", "ZSTD(1)"),
            ("tag", "UInt64", "ZSTD(1)"),
            ("first_attempt", "UInt32", "ZSTD(1)"),
            ("first_step", "Int64", "ZSTD(1)"),
            ("position", "UInt32", "ZSTD(1)"),
            ("points", "UInt32", "ZSTD(1)"),
            ("month", "UInt32", "ZSTD(1)"),
            ("stride", "Int64", "ZSTD(1)"),
            ("steps", "Array(Int64)", "ZSTD(1)"),
            ("walls", "Array(Int64)", "ZSTD(1)"),
            ("wall_rests", "Array(Float64)", "ZSTD(1)"),
            ("values", "Array(Float32)", "ZSTD(1)"),
            ("doubles", "Array(Float64)", "ZSTD(1)"),
            ("marks", "Array(UInt32)", "ZSTD(1)"),
        ),
        engine="ReplacingMergeTree(points)",
        order="(run, tag, first_attempt, first_step, position)",
        shard="run",
        partition="month",
        # A series of a thousand points is eight rows; a query reads whole granules.
        settings="index_granularity = 16",
    ),
    Table(
        "payloads",
        _plain(
            "run UInt64, kind String, tag String, position UInt32, step Int64, wall Float64, byte_offset UInt64, "
            "byte_length UInt64, file UInt32, object String, attempt UInt32, replaced UInt8, month UInt32"
        ),
        engine="ReplacingMergeTree()",
        order="(run, kind, tag, position)",
        shard="run",
        partition="month",
    ),
    Table(
        "series",
        _plain(f"run UInt64, kind String, tag String, position UInt32, version UInt64, month UInt32, {SERIES_NUMBERS}"),
        engine="ReplacingMergeTree(version)",
        order="(kind, tag, run)",
        shard="run",
        partition="month",
    ),
    Table(
        "layouts",
        _plain("layout UInt64, entries String"),
        engine="ReplacingMergeTree()",
        order="layout",
        shard="layout",
    ),
    Table(
        "runs",
        _plain(
            "project String, name String, run UInt64, version UInt64, state UInt8, month UInt32, layout UInt64, "
            "record String"
        ),
        engine="ReplacingMergeTree(version)",
        order="(project, name)",
        shard="cityHash64(project, name)",
    ),
)


def create_statements(
    database: str, cluster: str | None, version: tuple[int, ...], *, is_replicated: bool = False
) -> Iterable[str]:
    """Yields the statements for one host; with a cluster, local tables and the distributed ones above them."""
    checked_name(database, "database")
    yield f"CREATE DATABASE IF NOT EXISTS {database}"
    for table in TABLES:
        local = f"{table.name}_local" if cluster else table.name
        columns = ", ".join(_column(column, version) for column in table.columns)
        partition = f" PARTITION BY {table.partition}" if table.partition else ""
        settings = f" SETTINGS {table.settings}" if table.settings else ""
        engine = _replicated(table.engine, database, local) if is_replicated else table.engine
        yield (
            f"CREATE TABLE IF NOT EXISTS {database}.{local} ({columns}) ENGINE = {engine}"
            f"{partition} ORDER BY {table.order}{settings}"
        )
        if cluster:
            yield (
                f"CREATE TABLE IF NOT EXISTS {database}.{table.name} AS {database}.{local} "
                f"ENGINE = Distributed({checked_name(cluster, 'cluster')}, {database}, {local}, {table.shard})"
            )


def create_tables(client: Client, cluster: str | None) -> None:
    """Creates the tables on every host of the address; those that exist are left alone."""
    address = client.address
    for host in address.hosts:
        client.execute(f"CREATE DATABASE IF NOT EXISTS {checked_name(address.database, 'database')}", host=host)
    is_replicated = cluster is not None and _has_replicas(client, cluster)
    for host in address.hosts:
        for statement in create_statements(address.database, cluster, client.version, is_replicated=is_replicated):
            client.execute(statement, host=host)


def _has_replicas(client: Client, cluster: str) -> bool:
    names = ("shard_num", "replica_num")
    sql = f"SELECT {', '.join(names)} FROM system.clusters WHERE cluster = {{cluster:String}}"
    found = client.select(sql, names, cluster=cluster)
    if not len(found["shard_num"]):
        raise ValueError(f"no such cluster in the servers' remote_servers; got {cluster!r}")
    return bool((found["replica_num"] > 1).any())


def _replicated(engine: str, database: str, table: str) -> str:
    """Returns the engine whose rows all replicas of a shard have. The servers' macros tell them apart."""
    name, _, arguments = engine.rstrip(")").partition("(")
    path = f"'/clickhouse/tables/{{shard}}/{database}/{table}', '{{replica}}'"
    return f"Replicated{name}({', '.join(part for part in (path, arguments) if part)})"


def delete_keys(client: Client, runs: list[int]) -> None:
    """Has every host delete the rows of these keys in the background. Nothing refers to them any more."""
    keys = ", ".join(str(int(key)) for key in runs)
    _alter_local(client, f"DELETE WHERE run IN ({keys})")


def drop_partitions(client: Client, months: Sequence[int]) -> None:
    """Has every host drop all rows of these months."""
    for month in months:
        _alter_local(client, f"DROP PARTITION {int(month)}")


def _alter_local(client: Client, change: str) -> None:
    suffix = "_local" if _is_distributed(client) else ""
    for host in client.address.hosts:
        for table in TABLES:
            if table.partition:
                client.execute(f"ALTER TABLE {client.address.database}.{table.name}{suffix} {change}", host=host)


def _is_distributed(client: Client) -> bool:
    found = client.select(
        "SELECT engine FROM system.tables WHERE database = {db:String} AND name = 'points'",
        ["engine"],
        db=client.address.database,
    )
    return list(found["engine"]) == [b"Distributed"]


def _column(column: tuple[str, str, str], version: tuple[int, ...]) -> str:
    name, kind, codec = column
    return f"{name} {kind} CODEC({codec})" if codec and version >= CODECS_FROM else f"{name} {kind}"
