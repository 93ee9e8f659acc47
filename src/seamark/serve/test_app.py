"""The application over a real store and real event files."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.plugin.columns import MEDIA_TYPE, decode_batch, decode_columns
from seamark.serve.api import series
from seamark.serve.app import Settings, create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def log(folder: Path, tag: str, values: list[float]) -> EventFile:
    file = EventFile(folder, wall_time=1000.0)
    for step, value in enumerate(values):
        file.add_scalar(tag, value, step, wall_time=1000.0 + step)
    file.flush()
    return file


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Seamark</title>")
    (folder / "assets" / "index-abc.js").write_text("export {}")
    (folder / ".hidden").write_text("no")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.fixture
def client(tmp_path: Path, static: Path) -> Iterator[TestClient]:
    logdir = tmp_path / "runs"
    log(logdir / "a", "loss", [1.0, 0.5, float("nan")])
    log(logdir / "b" / "<script>", "loss", [2.0] + [3.0] * 4999)
    log(logdir / "c", 'tag "with" <b>', [float("inf")])
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=None) as store:
        assert store.wait_loaded(30)
        with TestClient(
            create_app(store, roots=roots, settings=Settings(static=static)), base_url="http://localhost:6006"
        ) as client:
            yield client


def test_progress_lists_the_watched_folders(client: TestClient, tmp_path: Path) -> None:
    progress = client.get("/api/progress").json()
    assert progress["loading"] is False
    assert progress["bytes_done"] == progress["bytes_total"] > 0
    assert progress["roots"] == [{"name": "", "path": str(tmp_path / "runs"), "exists": True}]
    assert progress["cursor"]


def test_runs_are_listed_with_their_counts(client: TestClient) -> None:
    runs = {run["name"]: run for run in client.get("/api/runs").json()["runs"]}
    assert set(runs) == {"a", "b/<script>", "c"}
    assert (runs["a"]["points"], runs["a"]["files"], runs["a"]["last_wall"]) == (3, 1, 1002.0)


def test_folders_of_a_run_say_so_and_take_no_places(tmp_path: Path, static: Path) -> None:
    for run in ("a", "b"):
        log(tmp_path / run, "accuracy", [1.0])
        for curve in ("train", "eval"):
            log(tmp_path / run / f"loss_{curve}", "loss", [1.0])
    with Store([LogRoot("", tmp_path)], index_dir=None) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store, settings=Settings(static=static)), base_url="http://localhost")
        runs = {run["name"]: run for run in client.get("/api/runs").json()["runs"]}
        assert "merged_into" not in runs["a"] and "curve" not in runs["a"]
        assert (runs["b/loss_eval"]["merged_into"], runs["b/loss_eval"]["curve"]) == ("b", "eval")
        assert {run["position"] for run in runs.values()} == {0, 1}
        assert runs["b/loss_train"]["position"] == runs["b"]["position"]


def test_tags_have_their_runs_by_index(client: TestClient) -> None:
    content = client.get("/api/tags").json()
    tags = {entry["tag"]: {content["runs"][run] for run in entry["runs"]} for entry in content["kinds"]["scalars"]}
    assert tags == {"loss": {"a", "b/<script>"}, 'tag "with" <b>': {"c"}}
    assert client.get("/api/tags?kind=images").json()["kinds"].get("images", []) == []


def test_one_tag_of_all_runs_is_sent_as_columns(client: TestClient) -> None:
    answer = client.get("/api/series", params={"tag": "loss", "width": 100})
    assert answer.headers["content-type"] == MEDIA_TYPE
    header, columns = decode_columns(answer.content)
    assert (header["tag"], header["axis"], set(header["runs"])) == ("loss", "step", {"a", "b/<script>"})
    rows = dict(zip(header["runs"], zip(columns["offsets"], columns["offsets"][1:], strict=False), strict=True))
    a = slice(*map(int, rows["a"]))
    assert columns["step"][a].tolist() == [0, 1, 2]
    assert columns["nan"][a].tolist() == [0, 0, 1]
    b = slice(*map(int, rows["b/<script>"]))
    assert columns["count"][b].sum() == 5000
    assert 0 < len(columns["step"][b]) <= 100


def test_a_post_selects_runs_and_columns(client: TestClient) -> None:
    query = {"tag": "loss", "run": ["a", "gone"], "columns": ["step", "smoothed"], "smoothing": 0.5}
    header, columns = decode_columns(client.post("/api/series", content=json.dumps(query)).content)
    assert header["runs"] == ["a"]
    assert set(columns) == {"step", "smoothed", "offsets", "points", "total", "stored"}


def test_adaptive_smoothing_tells_the_weight_of_each_run(client: TestClient) -> None:
    query = {"tag": "loss", "columns": ["smoothed", "weight"], "smoothing": 0.02, "smoothing_mode": "adaptive"}
    whole, zoomed = (
        decode_columns(client.post("/api/series", json={**query, **visible}).content)
        for visible in ({}, {"visible": 500})
    )
    weights = [dict(zip(header["runs"], columns["weight"], strict=True)) for header, columns in (whole, zoomed)]
    assert [found["a"] for found in weights] == [0, 0]
    assert [found["b/<script>"] for found in weights] == pytest.approx([0.5 ** (1 / 99.98), 0.5**0.1])


def test_a_batch_is_answered_in_its_order(client: TestClient) -> None:
    requests = [{"tag": "loss", "run": ["a"]}, {"tag": "loss", "columns": ["nonsense"]}, {"tag": "gone"}]
    answer = client.post("/api/series/batch", json={"requests": requests})
    assert answer.headers["content-type"] == MEDIA_TYPE
    first, second, third = decode_batch(answer.content)
    assert first == client.post("/api/series", json=requests[0]).content
    assert isinstance(second, str)
    assert second.endswith("got 'nonsense'")
    assert isinstance(third, bytes)
    assert decode_columns(third)[0]["runs"] == []


def test_a_batch_has_a_limit(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "MAX_BATCH_BYTES", 1)
    answer = client.post("/api/series/batch", json={"requests": [{"tag": "loss"}, {"tag": "loss", "run": ["a"]}]})
    first, second = decode_batch(answer.content)
    assert isinstance(first, bytes) and second == "the batch is too large: request this series alone"


@pytest.mark.parametrize(
    "requests", [None, [], {}, [1], [{"tag": "loss"}] * 65, [{"tag": 1}], [{"tag": "loss", "width": -1}]]
)
def test_a_batch_with_a_wrong_request_is_an_error(client: TestClient, requests: object) -> None:
    answer = client.post("/api/series/batch", json={"requests": requests})
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_url_can_name_several_runs_and_columns(client: TestClient) -> None:
    answer = client.get("/api/series?tag=loss&run=a&run=b/%3Cscript%3E&columns=step,mean")
    header, columns = decode_columns(answer.content)
    assert header["runs"] == ["a", "b/<script>"]
    assert {"step", "mean"} <= set(columns)
    assert len(columns["step"]) == 5003


def test_a_tag_that_no_run_has_is_an_empty_response(client: TestClient) -> None:
    for query in ("tag=nothing", "tag=nothing&run=a", "tag=loss&run=gone"):
        header, columns = decode_columns(client.get(f"/api/series?{query}").content)
        assert header["runs"] == []
        assert columns["offsets"].tolist() == [0]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "missing parameter 'tag'"),
        ("tag=loss&axis=time", "axis must be one of"),
        ("tag=loss&columns=step,nonsense", "got 'nonsense'"),
    ],
)
def test_a_wrong_parameter_is_an_error(client: TestClient, query: str, reason: str) -> None:
    answer = client.get(f"/api/series?{query}")
    assert answer.status_code == 400
    assert reason in answer.json()["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"tag": 1}'])
def test_a_wrong_body_is_an_error(client: TestClient, body: bytes) -> None:
    assert client.post("/api/series", content=body).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/dashboards/nothing/x", 404, "not_found"),
        ("GET", "/nothing.js", 404, "not_found"),
        ("POST", "/api/runs", 405, "method_not_allowed"),
        ("GET", "/api/series/batch", 405, "method_not_allowed"),
        ("POST", "/api/dashboards", 405, "method_not_allowed"),
        ("GET", "/api/payload?run=a&tag=loss&kind=images&index=0", 404, "not_found"),
        ("GET", "/data/nothing", 404, "not_found"),
    ],
)
def test_every_error_has_a_sentence_and_a_code(
    client: TestClient, method: str, path: str, status: int, code: str
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.json()["code"] == code and path.partition("?")[0] in answer.json()["error"] + "/api/payload"


def test_damage_is_reported(tmp_path: Path) -> None:
    file = log(tmp_path / "run", "loss", [1.0, 2.0])
    file.append(struct.pack("<QI", 5, 0))
    file.close()
    with Store([LogRoot("", tmp_path)], index_dir=None) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store), base_url="http://127.0.0.1")
        problems = client.get("/api/problems").json()["problems"]
    assert len(problems) == 1
    assert "checksum" in problems[0]["message"]


def test_every_response_has_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/runs", "/nothing", "/api/series", "/assets/index-abc.js"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["localhost", "localhost:6006", "127.0.0.1:1", "127.8.8.8", "[::1]:6006", "LOCALHOST"])
def test_names_of_this_machine_are_allowed(client: TestClient, host: str) -> None:
    assert client.get("/api/runs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:6006",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "",
        "[",
        "a@localhost:b",
    ],
)
def test_a_name_that_may_be_rebound_is_rejected(client: TestClient, host: str) -> None:
    answer = client.get("/api/runs", headers={"host": host})
    assert answer.status_code == 403
    assert "runs" not in answer.json()


def test_a_post_from_a_page_of_another_server_is_rejected(client: TestClient) -> None:
    body = json.dumps({"tag": "loss"})
    assert client.post("/api/series", content=body, headers={"origin": "http://evil.example"}).status_code == 403
    assert client.post("/api/series", content=body, headers={"origin": "null"}).status_code == 403
    assert client.post("/api/series", content=body, headers={"origin": "http://localhost:6006"}).status_code == 200


def test_the_page_is_served_with_the_right_cache_headers(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "<title>Seamark" in page.text
    assert page.headers["cache-control"] == "no-cache"
    assert "immutable" in client.get("/assets/index-abc.js").headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/.hidden",
        "//etc/passwd",
        "/etc/passwd",
        "/%00",
    ],
)
def test_nothing_outside_the_bundle_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text.replace("secret.txt", "")


def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    with Store([LogRoot("", tmp_path)], index_dir=None) as store:
        client = TestClient(create_app(store, settings=Settings(static=tmp_path)), base_url="http://localhost")
        answer = client.get("/")
    assert answer.status_code == 503
    assert "make web" in answer.text


def test_the_position_of_a_run_never_changes(client: TestClient) -> None:
    first = {run["name"]: run["position"] for run in client.get("/api/runs").json()["runs"]}
    assert sorted(first.values()) == [0, 1, 2]
    assert {run["name"]: run["position"] for run in client.get("/api/runs").json()["runs"]} == first


@pytest.mark.parametrize("path", ["/api/runs", "/api/tags", "/api/problems", "/api/series?tag=loss", "/api/state"])
def test_a_client_with_the_current_etag_gets_304(client: TestClient, path: str) -> None:
    etag = client.get(path).headers["etag"]
    again = client.get(path, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"].removeprefix("W/") == etag.removeprefix("W/")
    assert client.get("/api/series?tag=loss&width=7", headers={"if-none-match": etag}).status_code == 200


def test_the_newest_points_of_several_tags(client: TestClient) -> None:
    loss, other = client.get("/api/last", params={"tag": ["loss", "gone"]}).json()["tags"]
    newest = dict(zip(loss["runs"], zip(loss["steps"], loss["values"], strict=True), strict=True))
    assert newest == {"a": (2, "NaN"), "b/<script>": (4999, 3.0)}
    assert other["runs"] == []
    assert client.get("/api/last", params={"tag": "loss", "run": "a"}).json()["tags"][0]["runs"] == ["a"]


def test_a_compact_response_has_the_same_values_in_fewer_bytes(client: TestClient) -> None:
    exact = client.get("/api/series?tag=loss&width=100").content
    compact = client.get("/api/series?tag=loss&width=100&encoding=compact").content
    assert len(compact) < 0.8 * len(exact)
    (header, columns), (same, narrow) = decode_columns(exact), decode_columns(compact)
    assert header == same
    for name, column in columns.items():
        assert narrow[name] == pytest.approx(column, rel=1e-6, nan_ok=True), name


def test_a_change_of_an_old_state_is_a_conflict(client: TestClient) -> None:
    assert client.get("/api/state").json()["version"] == 0
    change = {"version": 0, "runs": {"a": {"label": "<b>best</b>", "star": True}}}
    assert client.patch("/api/state", json=change).json()["version"] == 1
    late = client.patch("/api/state", json=change)
    assert late.status_code == 409
    assert late.json()["state"]["runs"]["a"]["label"] == "<b>best</b>"
    assert client.patch("/api/state", json={"runs": {}}).status_code == 400
    assert client.patch("/api/state", json={"version": 1, "nonsense": {}}).status_code == 400


def test_tensorboards_routes_are_there(client: TestClient) -> None:
    assert set(client.get("/data/runs").json()) == {"a", "b/<script>", "c"}


def test_everything_works_below_a_prefix_and_under_another_title(tmp_path: Path, static: Path) -> None:
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    settings = Settings(static=static, path_prefix="/team/runs", window_title="<Ours> & yours")
    client = TestClient(create_app(store, settings=settings), base_url="http://localhost", follow_redirects=False)
    for entrance in ("/", "/team/runs"):
        assert client.get(entrance).headers["location"] == "/team/runs/"
    assert "<title>&lt;Ours&gt; &amp; yours</title>" in client.get("/team/runs/").text
    assert client.get("/team/runs/api/runs").json() == {"runs": []}
    assert client.get("/team/runs/data/runs").json() == []
    assert client.get("/team/runs/assets/index-abc.js").status_code == 200
    assert client.get("/api/runs").status_code == 404


def test_the_url_of_an_experiment_is_an_alias(client: TestClient) -> None:
    base = "/experiment/defaultExperimentId"
    assert client.get(f"{base}/data/runs").json() == client.get("/data/runs").json()
    assert client.get(f"{base}/api/runs").json() == client.get("/api/runs").json()
    assert "<title>Seamark</title>" in client.get(f"{base}/").text
    assert client.get(f"{base}/../../secret.txt").status_code == 404
    assert client.get(f"{base}/.hidden").status_code == 404


def test_a_page_learns_when_runs_began_without_a_column_of_times(client: TestClient) -> None:
    body = {"tag": "loss", "columns": ["mean", "began"], "width": 100, "encoding": "compact"}
    header, columns = decode_columns(client.post("/api/series", json=body).content)
    assert header["runs"] == ["a", "b/<script>"]
    assert columns["began"].tolist() == [1000.0, 1000.0]
    assert "wall" not in columns and "began" not in decode_columns(client.get("/api/series?tag=loss").content)[1]
