"""One run over HTTP: its record, its console and its files, and nothing outside of its folder."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

import seamark
from seamark.compare.record import console
from seamark.serve.api.run import StreamedFile
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

HOSTILE = ["../secret.txt", "/etc/passwd", "..", "", "a/../../secret.txt", "./run.json", "a//b", "link.txt",
           "linked/secret.txt", ".env", "sub/.hidden", "a\\b", "nul\0", "loop"]  # fmt: skip


@pytest.fixture
def logdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@x"]
    for command in (["init", "-q"], ["add", "train.py"], ["commit", "-qm", "start"]):
        (tmp_path / "train.py").write_text("lr = 0.1\n")
        subprocess.run([*git, *command], check=True, cwd=tmp_path)
    (tmp_path / "train.py").write_text("lr = 0.2\n")
    for name, lr in (("first", 0.1), ("second", 0.2)):
        run = seamark.init(
            dir="runs", name=name, config={"lr": lr, "optim": {"name": "adam"}}, system_metrics_secs=60, quiet=True,
            tags=["baseline"], notes="<script>alert(1)</script>",
        )  # fmt: skip
        print(f"this is {name}")
        for step in range(20):
            run.log({"val/loss": 1 / (step + 1) + (5 if lr == 0.2 and step >= 10 else 0)})
        run.alert("slow", "the loader is slow", level="warn")
        run.summary["note"] = float("nan")
        run.finish()
    return tmp_path / "runs"


@pytest.fixture
def client(logdir: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", logdir)]
    with EventFile(logdir / "first" / "eval") as file:
        file.add_scalar("loss", 1.0, 0)
    with EventFile(logdir / "plain") as file:
        file.add_scalar("loss", 1.0, 0)
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots), base_url="http://localhost") as client:
            yield client


def lines_of(client: TestClient, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/run/console", params={"run": "first", **query})
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def texts(answer: dict[str, Any]) -> list[str]:
    return [line["text"] for line in answer["lines"]]


def test_a_run_has_everything_that_was_recorded(client: TestClient, logdir: Path) -> None:
    run = client.get("/api/run", params={"run": "first"}).json()
    assert run["status"] == "finished" and run["last_step"] == 19 and run["missing"] == "" and run["problems"] == []
    assert run["config"] == {"lr": 0.1, "optim": {"name": "adam"}}
    assert run["params"] == {"lr": 0.1, "optim.name": "adam"}
    assert run["summary"]["note"] == "NaN" and run["alerts"][0]["title"] == "slow"
    assert run["record"]["notes"] == "<script>alert(1)</script>" and run["record"]["tags"] == ["baseline"]
    assert run["record"]["packages"]["numpy"] and "config" not in run["record"]
    assert len(run["sessions"]) == 1 and "+lr = 0.2" in run["git_diff"]
    kinds = {file["path"].split(".")[0]: file["kind"] for file in run["files"]}
    assert kinds == {"console": "console", "diff": "diff", "events": "events", "run": "record"}
    assert run["console"] == [{"source": "console.log", "bytes": (logdir / "first/console.log").stat().st_size}]
    assert all(tag.startswith("system/") for tag in run["system_tags"])


def test_a_run_of_another_writer_names_what_is_missing(client: TestClient) -> None:
    run = client.get("/api/run", params={"run": "plain"}).json()
    assert run["record"] is None and "no run.json" in run["missing"] and run["config"] == {}
    assert [file["kind"] for file in run["files"]] == ["events"]


def test_a_broken_run_json_is_named_and_the_rest_is_shown(client: TestClient, logdir: Path) -> None:
    (logdir / "plain" / "run.json").write_text('{"schema": "seamark.run", "config": ')
    run = client.get("/api/run", params={"run": "plain"}).json()
    assert len(run["problems"]) == 1 and "not JSON" in run["problems"][0] and run["missing"] == ""


def test_the_console_is_sent_in_windows_of_lines(client: TestClient, logdir: Path) -> None:
    (logdir / "first/console.log").write_bytes(b"".join(b"line %d\n" % n for n in range(10_000)) + b"the end")
    last = lines_of(client)
    assert last["total"] == 10_001 and texts(last)[-1] == "the end" and len(last["lines"]) == 200
    middle = lines_of(client, start=5998, stop=6003)
    assert texts(middle) == [f"line {n}" for n in range(5998, 6003)] and middle["lines"][0]["number"] == 5998
    assert len(lines_of(client, start=0)["lines"]) == console.MAX_LINES
    assert texts(lines_of(client, start=20_000)) == [] == texts(lines_of(client, start=5, stop=2))
    with (logdir / "first/console.log").open("ab") as file:
        file.write(b" was not the end\nnow")
    assert texts(lines_of(client, start=-2)) == ["the end was not the end", "now"]
    (logdir / "first/console.log").write_bytes(b"anew\n")
    assert texts(lines_of(client)) == ["anew"]
    (logdir / "first/console.log").write_bytes(b"".join(b"and longer %d\n" % n for n in range(5000)))
    assert texts(lines_of(client, start=3000, stop=3001)) == ["and longer 3000"]


def test_search_finds_lines_in_either_case_with_their_numbers(client: TestClient, logdir: Path) -> None:
    text = "".join(f"step {n}\n" if n % 100 else f"Épée WARN slow {n}\r\n" for n in range(1000))
    (logdir / "first/console.log").write_text(text, newline="")
    found = lines_of(client, search="warn")
    assert found["matched"] == 10 and found["total"] == 1000 and found["is_complete"]
    assert [line["number"] for line in found["lines"]] == list(range(0, 1000, 100))
    assert texts(found)[1] == "Épée WARN slow 100"
    assert texts(lines_of(client, search="warn", start=-1)) == ["Épée WARN slow 900"]
    assert lines_of(client, search="Épée")["matched"] == 10
    assert lines_of(client, search=".*")["matched"] == 0  # a text, no pattern


def test_odd_logs_can_be_shown(client: TestClient, logdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logdir / "first/console.log"
    log.write_bytes(b"")
    assert lines_of(client)["total"] == 0 and lines_of(client, search="x")["matched"] == 0
    log.write_bytes(b"\xff\xfe\n" + b"x" * 50_000 + b"needle\nshort\n")
    odd = lines_of(client)
    assert [len(text) for text in texts(odd)] == [2, console.MAX_LINE_CHARACTERS, 5]
    assert [line["is_cut"] for line in odd["lines"]] == [False, True, False]
    assert [line["number"] for line in lines_of(client, search="needle")["lines"]] == [1]
    monkeypatch.setattr(console, "CHUNK_BYTES", 7)  # every line crosses the end of a chunk
    log.write_bytes(b"".join(b"%d number\n" % n for n in range(2500)))
    os.utime(log, (1, 1))
    assert lines_of(client, search="number")["matched"] == 2500
    assert [line["number"] for line in lines_of(client, search="2001 num")["lines"]] == [2001]


def test_other_logs_in_the_folder_are_sources_too(client: TestClient, logdir: Path) -> None:
    (logdir / "first/slurm-1.out").write_text("from slurm\n")
    sources = [one["source"] for one in client.get("/api/run", params={"run": "first"}).json()["console"]]
    assert sources == ["console.log", "slurm-1.out"]
    assert texts(lines_of(client, source="slurm-1.out")) == ["from slurm"]
    assert client.get("/api/run/console", params={"run": "plain"}).status_code == 404


def test_files_are_attachments_and_small_text_is_text(client: TestClient, logdir: Path) -> None:
    (logdir / "first/page.html").write_text("<script>alert(1)</script>")
    (logdir / "first/Größe 1.bin").write_bytes(b"\0\1" * (1 << 20))
    page = client.get("/api/run/file", params={"run": "first", "path": "page.html"})
    assert page.headers["content-type"] == "text/plain; charset=utf-8"
    assert page.headers["content-disposition"].startswith("attachment")
    assert page.headers["x-content-type-options"] == "nosniff"
    large = client.get("/api/run/file", params={"run": "first", "path": "Größe 1.bin"})
    assert large.headers["content-type"] == "application/octet-stream" and len(large.content) == 2 << 20
    assert "Gr%C3%B6%C3%9Fe%201.bin" in large.headers["content-disposition"]
    assert client.head("/api/run/file", params={"run": "first", "path": "Größe 1.bin"}).status_code == 200


@pytest.mark.parametrize("path", HOSTILE)
def test_no_path_leads_out_of_the_run(client: TestClient, logdir: Path, path: str) -> None:
    (logdir / "secret.txt").write_text("the key")
    run = logdir / "first"
    (run / "link.txt").symlink_to(logdir / "secret.txt")
    (run / "linked").symlink_to(logdir)
    (run / "loop").symlink_to(run / "loop")
    (run / ".env").write_text("the key")
    (run / "sub").mkdir()
    (run / "sub" / ".hidden").write_text("the key")
    for route in ("/api/run/file", "/api/run/console"):
        query = {"run": "first", "path" if route.endswith("file") else "source": path}
        answer = client.get(route, params=query)
        if not path and route.endswith("console"):
            continue  # no source: the run's own
        assert answer.status_code in (400, 404) and "the key" not in answer.text, (route, path)
        assert "error" in answer.json()
    listed = [file["path"] for file in client.get("/api/run", params={"run": "first"}).json()["files"]]
    assert not {"link.txt", "loop", ".env", "sub/.hidden"} & set(listed)
    assert not any(name.startswith(("linked", "eval")) for name in listed)


def test_pipes_and_folders_are_not_served(client: TestClient, logdir: Path) -> None:
    os.mkfifo(logdir / "first/pipe.log")
    for path in ("pipe.log", "eval"):
        assert client.get("/api/run/file", params={"run": "first", "path": path}).status_code == 404


def test_an_unknown_run_is_not_found(client: TestClient) -> None:
    for route in ("/api/run", "/api/run/console", "/api/run/file"):
        answer = client.get(route, params={"run": "../..", **({"path": "x"} if route.endswith("file") else {})})
        assert answer.status_code == 404 and "../.." in answer.json()["error"]


def test_the_difference_of_two_runs_has_the_changes_and_the_divergence(client: TestClient) -> None:
    answer = client.post("/api/diff", json={"runs": ["first", "second", "plain"]})
    assert answer.status_code == 200, answer.text
    content = answer.json()
    config = next(part for part in content["sections"] if part["name"] == "config")
    assert config["rows"][0] == {"key": "lr", "values": [0.1, 0.2, None], "state": "removed"}
    loss = next(row for row in content["metrics"] if row["tag"] == "val/loss")
    assert loss["goal"] == "min" and loss["best_step"] == [19, 9, None] and loss["divergence"]["run"] == "second"
    assert loss["divergence"]["step"] == 10
    assert "+lr = 0.2" in content["git_diffs"][0] and content["git_diffs"][2] is None
    chosen = client.post("/api/diff", json={"runs": ["first", "second"], "tags": ["val/loss", "nonsense"]}).json()
    assert [row["tag"] for row in chosen["metrics"]] == ["val/loss"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"runs": ["first"]}, 400), ({"runs": ["first", "first"]}, 400), ({"runs": "first"}, 400), ({}, 400),
        ({"runs": ["first", "gone"]}, 404), ({"runs": ["first", "second"], "tags": [1]}, 400), ([], 400),
        ({"runs": ["first", "second"], "nonsense": 1}, 400), ({"runs": [str(n) for n in range(21)]}, 400),
    ],
)  # fmt: skip
def test_a_wrong_body_is_an_error(client: TestClient, body: Any, status: int) -> None:
    answer = client.post("/api/diff", content=json.dumps(body))
    assert answer.status_code == status and answer.json()["error"]


def test_an_aborted_download_leaves_no_open_file(tmp_path: Path) -> None:
    path = tmp_path / "big.bin"
    path.write_bytes(bytes(4 << 20))
    file = path.open("rb")
    answer = StreamedFile(file.read(1 << 20), file, headers={})

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        await anyio.sleep_forever()  # a client that takes nothing

    anyio.run(lambda: answer({"type": "http", "asgi": {"spec_version": "2.0"}}, receive, send))
    assert file.closed
