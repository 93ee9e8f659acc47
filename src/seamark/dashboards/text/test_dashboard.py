"""Texts rendered and as logged, tables, very long texts, and a search that continues where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.text import logged_text, search
from seamark.dashboards.text.routes import endpoints
from seamark.kinds import text
from seamark.kinds.summary import event_record
from seamark.plugin import Context, as_routes
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def log(folder: Path, *logged: tuple[str, text.Nested, int]) -> None:
    with EventFile(folder) as file:
        for tag, value, step in logged:
            file.append(event_record(text.encode(tag, value), step=step, wall_time=1000.0 + step))


@pytest.fixture
def stores() -> Iterator[list[Store]]:
    opened: list[Store] = []
    yield opened
    for store in opened:
        store.close()


def client_of(logdir: Path, stores: list[Store]) -> TestClient:
    store = Store([LogRoot("", logdir)], index_dir=None, follow=False)
    stores.append(store)
    store.start()
    assert store.wait_loaded(30)
    return TestClient(Starlette(routes=as_routes(endpoints(Context(store)))))


def entry(client: TestClient, tag: str, index: int = 0, run: str = "a") -> dict[str, Any]:
    answer = client.get("/entry", params={"run": run, "tag": tag, "index": index})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_string_as_html_and_as_logged(tmp_path: Path, stores: list[Store]) -> None:
    log(tmp_path / "a", ("notes", "# Plan\n\n`lr` is **high**, $x^2$", 3))
    got = entry(client_of(tmp_path, stores), "notes")
    assert got["rows"] == [["# Plan\n\n`lr` is **high**, $x^2$"]]
    assert "<h1>Plan</h1>" in got["html"]
    assert '<code class="math-inline">x^2</code>' in got["html"]
    assert (got["is_table"], got["is_cut"], got["size"]) == (False, False, 31)


def test_lists_and_tables_of_strings_are_tables(tmp_path: Path, stores: list[Store]) -> None:
    cube = [[["a", "b"], ["c", "d"]], [["e", "f"], ["g", "h"]]]
    log(tmp_path / "a", ("list", ["x", "*y*"], 0), ("table", [["a", "**b**"], ["c", "<i>"]], 0), ("cube", cube, 0))
    client = client_of(tmp_path, stores)
    assert entry(client, "list")["rows"] == [["x"], ["*y*"]]
    table = entry(client, "table")
    assert table["is_table"]
    assert "<td><p><strong>b</strong></p></td>" in table["html"]
    assert "&lt;i&gt;" in table["html"]
    cut = entry(client, "cube")
    assert cut["rows"] == [["a", "b"], ["c", "d"]]
    assert "3 dimensions" in cut["note"]


def test_a_long_text_is_cut_and_downloaded_whole(
    tmp_path: Path, stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logged_text, "CHUNK_BYTES", 1000)
    whole = "".join(f"line {number} ∀\n" for number in range(120_000))
    log(tmp_path / "a", ("log", whole, 0))
    client = client_of(tmp_path, stores)
    got = entry(client, "log")
    assert got["is_cut"]
    assert got["size"] == len(whole.encode()) > logged_text.MAX_WHOLE_BYTES
    shown = got["rows"][0][0]
    assert whole.startswith(shown)
    assert len(shown.encode()) in range(logged_text.EXCERPT_BYTES - 3, logged_text.EXCERPT_BYTES + 1)
    answer = client.get("/download", params={"run": "a", "tag": "log", "index": 0})
    assert answer.text == whole
    assert answer.headers["content-disposition"].startswith("attachment")


def test_a_long_table_is_cut_and_downloaded_whole(tmp_path: Path, stores: list[Store]) -> None:
    rows = [[f"name {row}", "v" * 100] for row in range(12_000)]
    log(tmp_path / "a", ("long", rows, 0), ("short", rows[:3], 0))
    client = client_of(tmp_path, stores)
    got = entry(client, "long")
    assert got["is_cut"]
    assert got["rows"][:2] == rows[:2]
    assert len(got["rows"]) < 2000
    with client.stream("GET", "/download", params={"run": "a", "tag": "long", "index": 0}) as response:
        chunks = list(response.iter_bytes())
    assert len(chunks) < 50, "a chunk holds many cells"
    saved = b"".join(chunks).decode()
    assert [line.split("\t") for line in saved.splitlines()] == rows
    assert client.get("/download", params={"run": "a", "tag": "short", "index": 0}).text.count("\n") == 3


def test_invalid_requests_get_an_error(tmp_path: Path, stores: list[Store]) -> None:
    log(tmp_path / "a", ("notes", "x", 0))
    client = client_of(tmp_path, stores)
    assert client.get("/entry", params={"run": "a", "tag": "notes", "index": 7}).status_code == 404
    assert client.get("/entry", params={"run": "b", "tag": "notes", "index": 0}).status_code == 404
    assert client.get("/entry", params={"run": "a", "tag": "notes", "index": "x"}).status_code == 400
    assert client.get("/entry", params={"run": "a"}).json() == {
        "error": "missing parameter 'tag'",
        "code": "missing_parameter",
    }


def find(client: TestClient, **parameters: Any) -> dict[str, Any]:
    answer = client.get("/search", params=parameters)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_search_finds_all_words_in_any_run_tag_and_step(tmp_path: Path, stores: list[Store]) -> None:
    log(tmp_path / "a", ("notes", "The quick brown fox", 1), ("notes", "Loss became NaN\nat step 7", 2))
    log(tmp_path / "b", ("table", [["k", "v"], ["fox", "QUICK"]], 5))
    client = client_of(tmp_path, stores)
    found = find(client, q="quick fox")
    assert [(hit["run"], hit["tag"], hit["step"]) for hit in found["matches"]] == [("a", "notes", 1), ("b", "table", 5)]
    assert (found["searched"], found["next"]) == (3, None)
    [hit] = find(client, q='"became nan at"')["matches"] or [None]
    assert hit is None  # a phrase has to match exactly, including line ends
    [hit] = find(client, q='"became nan"')["matches"]
    assert (hit["before"], hit["hit"], hit["after"]) == ("Loss ", "became NaN", " at step 7")
    assert find(client, q="fox", run="b")["matches"][0]["run"] == "b"
    assert find(client, q=".*")["matches"] == []
    assert client.get("/search", params={"q": " "}).status_code == 400


def test_search_continues_where_it_stopped(tmp_path: Path, stores: list[Store]) -> None:
    for run in ("a", "b"):
        log(tmp_path / run, *[("notes", f"needle {step}", step) for step in range(5)])
    client = client_of(tmp_path, stores)
    seen: list[tuple[str, int]] = []
    start: dict[str, str] = {}
    while True:
        found = find(client, q="needle", limit=3, **start)
        seen += [(hit["run"], hit["step"]) for hit in found["matches"]]
        if found["next"] is None:
            break
        start = {"from": found["next"]}
    assert seen == [(run, step) for run in ("a", "b") for step in range(5)]
    assert client.get("/search", params={"q": "x", "from": "nonsense"}).status_code == 400


def test_search_stops_at_its_time_limit_but_always_makes_progress(tmp_path: Path, stores: list[Store]) -> None:
    log(tmp_path / "a", *[("notes", f"needle {step}", step) for step in range(4)])
    client_of(tmp_path, stores)
    ticks = iter(range(100))
    found = search.search(stores[0], ["needle"], max_secs=1.5, clock=lambda: float(next(ticks)))
    assert found.searched == 2
    assert found.next == search.TextPosition("a", "notes", 2)


def test_a_word_across_two_chunks_of_a_long_text_is_found(
    tmp_path: Path, stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logged_text, "MAX_WHOLE_BYTES", 100)
    monkeypatch.setattr(logged_text, "CHUNK_BYTES", 64)
    log(tmp_path / "a", ("log", "é" * 30 + "needle" + "x" * 500 + "haystack", 0))
    client = client_of(tmp_path, stores)
    assert len(find(client, q="needle haystack")["matches"]) == 1
    assert find(client, q="needles")["matches"] == []


def test_a_broken_text_does_not_affect_others(tmp_path: Path, stores: list[Store]) -> None:
    broken = text.encode("bad", "x")
    broken.tensor.dtype = 1  # declares float, contains a string
    with EventFile(tmp_path / "a") as file:
        file.append(event_record(broken, step=0, wall_time=1000.0))
        file.append(event_record(text.encode("good", "needle"), step=0, wall_time=1000.0))
    client = client_of(tmp_path, stores)
    answer = client.get("/entry", params={"run": "a", "tag": "bad", "index": 0})
    assert answer.status_code == 422
    assert "cannot be read" in answer.json()["error"]
    found = find(client, q="needle")
    assert ([hit["tag"] for hit in found["matches"]], found["unread"]) == (["good"], 1)
    assert json.dumps(found)
