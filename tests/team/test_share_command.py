"""`seamark share`: from runs on a server to a link that opens."""

from __future__ import annotations

import http.client
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.cli import main
from seamark.compare.test_support import log_run
from seamark.store.test_support import loaded
from seamark.team.retention.rules import Rule, write_rules
from tests.team.run_files import wait_for
from tests.team.test_retention import log_all_kinds
from tools.in_process_team import InProcessTeam, opened_team, served_team


class Server:
    def __init__(self, team: InProcessTeam, address: str) -> None:
        self.team = team
        self.address = address

    def get(self, link: str, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=30)
        connection.request("GET", link.removeprefix(self.address) + path)
        response = connection.getresponse()
        return response.status, response.read().decode()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server with the runs a, b and deep/c, which were pushed to it."""
    with opened_team(tmp_path / "team") as opened, served_team(opened) as address:
        team = InProcessTeam(opened, TestClient(Starlette()))
        monkeypatch.setenv("SEAMARK_SERVER", address)
        monkeypatch.setenv("SEAMARK_TOKEN", team.token("writer", "writer"))
        monkeypatch.setenv("SEAMARK_PROJECT", "lab/vision")
        for name in ("a", "b", "deep/c"):
            log_run(tmp_path / "runs" / name, loss=[2.0, 1.0])
        assert main(["push", "--logdir", str(tmp_path / "runs")]) == 0
        yield Server(team, address)


def share(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["share", *words]) == 0
    return capsys.readouterr().out.strip()


def test_the_printed_link_opens_the_runs(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    link = share(capsys, "a", "--expires", "7d")
    assert link.startswith(f"{server.address}/s/")

    def runs() -> list[str]:
        return [run["name"] for run in json.loads(server.get(link, "/api/runs")[1])["runs"]]

    wait_for(lambda: runs() == ["a"])
    expires, is_public = server.team.team.read(
        lambda transaction: transaction.row("SELECT expires_at, is_public FROM shares")
    ) or (0, 0)
    assert expires == pytest.approx(time.time() + 7 * 86_400, abs=60)
    assert not is_public


def test_all_options_reach_the_server(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long password\n"))
    link = share(capsys, "--all", "--public", "--password", "--view", "#scalars", "--name", "For you")
    assert server.get(link, "/api/runs")[0] == 401
    row = server.team.team.read(
        lambda transaction: transaction.row("SELECT name, runs, view, is_public, password_hash FROM shares")
    )
    assert row is not None
    assert row[:4] == ("For you", "null", "scalars", 1)
    assert row[4].startswith("$argon2id$")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nothing"], "has no run 'nothing'"),
        (["deep"], "has no run 'deep'; a name is exact, as in 'deep/"),
        ([], "want the names of runs, or --all"),
        (["a", "--all"], "want the names of runs, or --all"),
        (["a", "--expires", "soon"], "want a time as in 12h, 7d or 4w, got 'soon'"),
        (["a", "--project", "lab-two/speech"], "there is no project"),
    ],
)
def test_what_cannot_be_shared_is_one_sentence(
    server: Server, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    capsys.readouterr()
    assert main(["share", *words]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error


def test_a_token_that_only_looks_shares_nothing(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEAMARK_TOKEN", server.team.token("writer", "viewer"))
    assert main(["share", "a"]) == 2
    assert "needs the role writer" in capsys.readouterr().err


def test_pushing_again_does_not_bring_dropped_payloads_back(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = server.team.team.folder.logs_dir(server.team.project.id)
    log_all_kinds(tmp_path / "runs" / "rich")
    push = ["push", "--logdir", str(tmp_path / "runs")]
    assert main(push) == 0
    rules = [Rule(kinds=["images"], keep_days=0)]
    server.team.team.write(lambda transaction: write_rules(transaction, server.team.project.id, rules))
    server.team.team.retention.apply(server.team.project.id, time.time() + 2 * 86_400)
    (path,) = (logs / "rich").glob("*tfevents*")
    size = path.stat().st_size
    assert main(push) == 0
    assert path.stat().st_size == size
    with loaded(logs) as store:
        assert "images" not in store.tags()["rich"]
        assert len(store.scalars("rich", "loss").step) == 20
