"""SQL in names, tags, parameters, queries, orders and saved views stays text: the answers are those of the log directory,
and the tables are as before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seamark.clickhouse.client import HttpClient
from seamark.compare.test_support import log_run
from tests.clickhouse.both_pages import Pages, ingested_pages

ATTACKS = (
    "x' OR '1'='1",
    "x'; DROP TABLE series_local; --",
    "x\\' OR 1=1 --",
    "') UNION ALL SELECT name FROM system.tables --",
    "{g0:String}",
    "{kind:String} {c0:String}",
    "x` , (SELECT 1) /*",
    'x" -- \n\t\0',
    "%27%20OR%201=1",
    "\r\n--boundary\r\nContent-Disposition: form-data; name=\"table_rows\"",
)  # fmt: skip


def in_file_name(text: str) -> str:
    return text.replace("/", "_").replace("\0", "_")


@pytest.fixture(scope="module")
def pages(databases: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HttpClient, Pages]]:
    logdir: Path = tmp_path_factory.mktemp("logs")
    for number, attack in enumerate(ATTACKS):
        params = {attack: float(number), "text": attack, "lr": 0.1}
        log_run(
            logdir / f"run {number} {in_file_name(attack)}", params, loss=[float(number)], **{attack: [number + 0.5]}
        )
    address = databases.make()
    with ingested_pages(address, logdir) as opened:
        yield HttpClient(address), opened


def rows_in(client: HttpClient) -> list[int]:
    counts = client.select(
        "SELECT (SELECT count() FROM runs) AS runs, (SELECT count() FROM series) AS series", ["runs", "series"]
    )
    return [int(counts[name][0]) for name in ("runs", "series")]


def assert_same(pages: tuple[HttpClient, Pages], path: str, body: dict[str, Any]) -> Any:
    """Compares the answers and the tables before and after."""
    client, (tested, embedded) = pages
    before = rows_in(client)
    ours, want = (page.post(path, json=body) for page in (tested, embedded))
    assert (ours.status_code, without_version(ours.json())) == (want.status_code, without_version(want.json())), body
    assert rows_in(client) == before
    return ours.json()


def without_version(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("version", "computed_here")}


@pytest.mark.parametrize("attack", ATTACKS)
def test_tags_and_hyperparameters(pages: tuple[HttpClient, Pages], attack: str) -> None:
    tag = attack.replace("__", "/")
    columns = [f"metric:{tag}:last", f"metric:{tag}:min_step", f"param:{attack}", "metric:loss:last"]
    for query in ("", f"metric[{tag!r}].last > param[{attack!r}]", f"metric[{tag!r}].last is None and loss >= 0"):
        for sort in ([f"metric:{tag}:last"], [f"-param:{attack}", "metric:loss:last"]):
            found = assert_same(pages, "/api/table", {"query": query, "sort": sort, "columns": columns})
            assert found["matched"] == (9 if "None" in query else 1 if query else 10)
    assert_same(pages, "/api/groups", {"by": [f"param:{attack}", "param:text"], "metrics": [f"metric:{tag}:last"]})


@pytest.mark.parametrize("attack", ATTACKS)
def test_queries_orders_and_columns(pages: tuple[HttpClient, Pages], attack: str) -> None:
    for body in (
        {"query": attack},
        {"query": f"loss >= 0 and text == {attack!r}"},
        {"query": f"loss >= 0 and {attack!r} in name"},
        {"query": f"loss >= 0 or metric[{attack + 'x'!r}].last < 1"},
        {"query": f"loss >= 0 {attack}"},
        {"query": "loss >= 0", "sort": [attack]},
        {"query": "loss >= 0", "sort": [f"metric:loss:{attack}"]},
        {"query": "loss >= 0", "columns": [f"metric:{attack}:last' --"]},
        {"query": "loss >= 0", "runs": [attack]},
    ):  # fmt: skip
        assert_same(pages, "/api/table", body)


@pytest.mark.parametrize("attack", ATTACKS)
def test_labels_tags_and_views_that_people_saved(pages: tuple[HttpClient, Pages], attack: str) -> None:
    name = pages[1][0].get("/api/runs").json()["runs"][0]["name"]
    notes = {"label": attack, "tags": [attack], "note": attack}
    view = {"query": f"loss >= 0 and tag({attack!r})", "sort": [f"metric:{attack}:last"]}
    for page in pages[1]:
        saved = page.patch(
            "/api/state",
            json={"version": page.get("/api/state").json()["version"], "runs": {name: notes}, "views": {attack: view}},
        )
        assert saved.status_code == 200, saved.text
    found = assert_same(
        pages, "/api/table", {"query": f"loss >= 0 and tag({attack!r})", "columns": ["run:tags", "run:label"]}
    )
    assert found["runs"] == [name]
    assert_same(
        pages, "/api/table", {"query": f"loss >= 0 and label == {attack!r}", "sort": ["run:label", "metric:loss:last"]}
    )


def test_series_of_hostile_names(pages: tuple[HttpClient, Pages]) -> None:
    client, (tested, embedded) = pages
    before = rows_in(client)
    for run in embedded.get("/api/runs").json()["runs"]:
        for tag in ("loss", *ATTACKS):
            for path in ("/api/series", "/data/plugin/scalars/scalars"):
                ours, want = (page.get(path, params={"run": run["name"], "tag": tag}) for page in (tested, embedded))
                assert ours.status_code == want.status_code
                if path.startswith("/data"):
                    assert ours.content == want.content
    assert rows_in(client) == before
