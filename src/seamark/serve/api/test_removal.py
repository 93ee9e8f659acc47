"""Runs are removed only if the server allows it, and never more than their own files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.compare.test_support import log_run, write_record
from seamark.serve.app import Settings, create_app
from seamark.store import LogRoot, RemovalError, Store, plan_removal
from seamark.store.test_support import wait_until


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    for name in ("a", "a/below", "b", "c"):
        log_run(logs / name, loss=[1.0])
    log_run(logs / "a/1700000000.5", {"lr": 1.0}, acc=[1.0])
    (logs / "a/checkpoints").mkdir()
    (logs / "a/checkpoints/last.pt").write_bytes(b"x" * 100)
    (logs / "a/.hydra").mkdir()
    (logs / "a/.hydra/config.yaml").write_text("lr: 1")
    (tmp_path / "dear").mkdir()
    (tmp_path / "dear/data.bin").write_bytes(b"data")
    (logs / "a/link").symlink_to(tmp_path / "dear")
    return logs


@pytest.fixture
def client(logdir: Path) -> Iterator[TestClient]:
    yield from serving(logdir, allow_delete=True)


def serving(logdir: Path, **settings: Any) -> Iterator[TestClient]:
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=None, reload_secs=0.05) as store:
        assert store.wait_loaded(30)
        app = create_app(store, roots=roots, settings=Settings(**settings))
        app.state.store = store
        with TestClient(app, base_url="http://localhost") as client:
            yield client


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


def own(names: set[str]) -> list[str]:
    return sorted(name for name in names if "tfevents" not in name)


def test_without_the_flag_nothing_happens(logdir: Path) -> None:
    before = files(logdir)
    for client in serving(logdir):
        for how in ("trash", "delete"):
            answer = client.post(f"/api/runs/{how}", json={"runs": ["a"], "dry_run": False})
            assert answer.status_code == 403 and "--allow_delete" in answer.json()["error"]
    assert files(logdir) == before


@pytest.mark.parametrize("how", ["trash", "delete"])
def test_a_dry_run_lists_and_touches_nothing(client: TestClient, logdir: Path, how: str) -> None:
    before = files(logdir)
    answer = client.post(f"/api/runs/{how}", json={"runs": ["a"]})
    assert answer.status_code == 200
    content = answer.json()
    assert content["dry_run"] is True and content["trash"] is None and content["runs"] == ["a", "a/1700000000.5"]
    listed = {file["path"] for file in content["files"]}
    assert own(listed) == ["a/.hydra/config.yaml", "a/checkpoints/last.pt", "a/link"]
    assert not any(path.startswith("a/below") for path in listed)
    assert content["total"] == len(listed) == 5 and content["bytes"] > 100
    assert files(logdir) == before


@pytest.mark.timed
def test_runs_are_moved_to_the_trash_and_can_be_moved_back(client: TestClient, logdir: Path) -> None:
    before = files(logdir)
    content = client.post("/api/runs/trash", json={"runs": ["a"], "dry_run": False}).json()
    trash = Path(content["trash"])
    assert trash.parent == logdir / ".seamark-trash" and content["problems"] == []
    assert files(trash) | {f for f in files(logdir) if not f.startswith(".seamark-trash")} == before
    assert (logdir / "a").is_dir() and not (logdir / "a/checkpoints").exists()
    assert (logdir.parent / "dear/data.bin").read_bytes() == b"data"
    store = client.app.state.store  # type: ignore[attr-defined]
    wait_until(store, lambda: sorted(store.run_names()) == ["a/below", "b", "c"])
    # By hand.
    for name in files(trash):
        (logdir / name).parent.mkdir(parents=True, exist_ok=True)
        (trash / name).rename(logdir / name)
    wait_until(store, lambda: "a" in store.run_names())


def test_deleting_removes_the_files(client: TestClient, logdir: Path) -> None:
    content = client.post("/api/runs/delete", json={"runs": ["a", "b"], "dry_run": False}).json()
    assert content["trash"] is None
    left = files(logdir)
    assert {name.split("/")[0] for name in left} == {"a", "c"} and all(n.startswith(("a/below", "c")) for n in left)
    assert not (logdir / "b").exists() and not (logdir / ".seamark-trash").exists()
    assert (logdir.parent / "dear/data.bin").exists()


def test_a_run_that_is_being_written_stays(client: TestClient, logdir: Path) -> None:
    import socket
    import time

    write_record(logdir / "b", status="running", heartbeat_at=time.time(), writer={"host": socket.gethostname() + "x"})
    answer = client.post("/api/runs/delete", json={"runs": ["c", "b"], "dry_run": False})
    assert answer.status_code == 400 and "'b' is being written" in answer.json()["error"]
    assert (logdir / "c").exists()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [({"runs": []}, "one or more"), ({"runs": ["gone"]}, "no run 'gone'"), ({"runs": ["../dear"]}, "no run"), ({}, "missing parameter 'runs'"), ({"runs": ["a"], "dry_run": 3}, "true or false"), ({"runs": ["a"], "x": 1}, "unknown")],
)  # fmt: skip
def test_a_wrong_body_is_an_error(client: TestClient, logdir: Path, body: dict[str, Any], sentence: str) -> None:
    before = files(logdir)
    answer = client.post("/api/runs/delete", json=body)
    assert answer.status_code == 400 and sentence in answer.json()["error"]
    assert files(logdir) == before


def test_a_run_in_the_log_directory_itself_has_only_its_own_files(tmp_path: Path) -> None:
    log_run(tmp_path, loss=[1.0])
    write_record(tmp_path, status="finished")
    (tmp_path / "thesis.tex").write_text("years of work")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/train.py").write_text("code")
    doomed = plan_removal([tmp_path], roots=[LogRoot("", tmp_path)], others=[])
    assert own({file.relative for file in doomed}) == ["run.json"] and len(doomed) == 2


def test_a_run_whose_folder_is_a_link_is_an_error(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    log_run(tmp_path / "elsewhere", loss=[1.0])
    logs.mkdir()
    (logs / "run").symlink_to(tmp_path / "elsewhere")
    (logs / "self").symlink_to(logs)
    log_run(logs / "real/run", loss=[1.0])
    (logs / "alias").symlink_to(logs / "real")
    roots = [LogRoot("", logs)]
    for folder, sentence in (
        (logs / "run", "link"),
        (logs / "self", "link"),
        (logs / "alias/run", "link"),
        (tmp_path / "elsewhere", "no log directory"),
    ):
        with pytest.raises(RemovalError, match=sentence):
            plan_removal([folder], roots=roots, others=[])


def test_a_trash_folder_that_is_a_link_is_not_used(client: TestClient, logdir: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (logdir / ".seamark-trash").symlink_to(elsewhere)
    before = sorted(logdir.rglob("*"))
    answer = client.post("/api/runs/trash", json={"runs": ["a"], "dry_run": False})
    assert answer.status_code >= 400 and "link" in answer.text
    assert sorted(logdir.rglob("*")) == before and not any(elsewhere.iterdir())
