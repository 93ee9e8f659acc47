"""Uploads over HTTPS to a server with a certificate of an authority that nobody else knows."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import seamark
from seamark.team.settings import TeamFolder
from tools.team_folder import PROJECT, Tokens, create_team

from .test_upload_programs import command, environment, home, train

__all__ = ["home"]
SUBJECT = ["-subj", "/CN=localhost", "-days", "2"]


class HttpsServer:
    """`seamark team serve` with a certificate, which `authority` signed."""

    def __init__(self, folder: Path) -> None:
        self.tokens: Tokens = create_team(folder / "team")
        self.logs = TeamFolder(folder / "team").logs_dir(self.tokens.project_id)
        self.authority = folder / "authority.pem"
        certificate = signed_certificate(folder, self.authority)
        words = [sys.executable, "-m", "seamark", "team", "serve", str(folder / "team"), "--port", "0"]
        words += ["--certificate", str(certificate), "--key", str(folder / "server.key")]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        found = re.search(r"https://localhost:\d+", self._process.stdout.readline())
        assert found, self._process.communicate()[1]
        self.url = found[0]

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=60)


def signed_certificate(folder: Path, authority: Path) -> Path:
    key, request, made, names = (folder / f"server.{end}" for end in ("key", "csr", "pem", "ext"))
    names.write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
    new_key = ["-newkey", "rsa:2048", "-nodes"]
    openssl("req", "-x509", *new_key, *SUBJECT[2:], "-subj", "/CN=Test authority", "-keyout", f"{authority}.key",
            "-out", authority)  # fmt: skip
    openssl("req", *new_key, *SUBJECT[:2], "-keyout", key, "-out", request)
    openssl("x509", "-req", "-in", request, "-CA", authority, "-CAkey", f"{authority}.key", "-CAcreateserial",
            *SUBJECT[2:], "-extfile", names, "-out", made)  # fmt: skip
    return made


def openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpsServer]:
    started = HttpsServer(tmp_path_factory.mktemp("https"))
    yield started
    started.stop()


def steps(server: HttpsServer, run: str) -> list[int]:
    runs = {each.name: each for each in seamark.open(server.logs, index_dir=None)}
    return [int(step) for step in runs[run].scalars("loss").step]


def test_push_trusts_the_authority_of_ssl_cert_file(server: HttpsServer, home: dict[str, str], tmp_path: Path) -> None:
    with seamark.SummaryWriter(tmp_path / "logs/pushed") as writer:
        for step in range(5):
            writer.add_scalar("loss", step, step)
    trusting = {**environment(home, server.url, server.tokens.writer), "SSL_CERT_FILE": str(server.authority)}
    done = command(trusting, "push", "--logdir", str(tmp_path / "logs"))
    assert done.returncode == 0, done.stderr
    assert steps(server, "pushed") == list(range(5))
    pulled = command(trusting, "pull", "--project", PROJECT, "-o", str(tmp_path / "copy"))
    assert pulled.returncode == 0, pulled.stderr
    (sent,) = (tmp_path / "logs/pushed").iterdir()
    assert (tmp_path / "copy/pushed" / sent.name).read_bytes() == sent.read_bytes()


def test_a_program_that_trains_uploads_over_https(server: HttpsServer, home: dict[str, str]) -> None:
    env = {**environment(home, server.url, server.tokens.writer), "SSL_CERT_FILE": str(server.authority)}
    process = train("trained", 20, env)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert steps(server, "trained") == list(range(20))


def test_an_unknown_authority_is_an_error_with_the_remedy(
    server: HttpsServer, home: dict[str, str], tmp_path: Path
) -> None:
    env = environment(home, server.url, server.tokens.writer)
    env.pop("SSL_CERT_FILE", None)
    (tmp_path / "logs/refused").mkdir(parents=True)
    (tmp_path / "logs/refused/events.out.tfevents.1").write_bytes(b"secret")
    done = command(env, "push", "--logdir", str(tmp_path / "logs"))
    assert done.returncode != 0
    assert "SSL_CERT_FILE" in done.stderr and "Traceback" not in done.stderr
    assert not (server.logs / "refused").exists()
    # The training goes on, and its run waits in the spool.
    process = train("waits", 20, env)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0 and "finished" in out
    assert "SSL_CERT_FILE" in errors
    pushed = command({**env, "SSL_CERT_FILE": str(server.authority)}, "push")
    assert pushed.returncode == 0, pushed.stderr
    assert steps(server, "waits") == list(range(20))
