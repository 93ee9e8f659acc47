"""Tests of the client against a small HTTP server: TLS, credentials, reconnection, errors."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from seamark.clickhouse.address import parse_address
from seamark.clickhouse.client import HttpClient, QueryError
from seamark.clickhouse.native import encode_block
from seamark.store import StoreUnavailableError

ANSWER = encode_block({"a": np.array([7], np.uint64)})


class Handler(BaseHTTPRequestHandler):
    """Answers as a server of version 26; `script` has (status, body) for the statements after that."""

    protocol_version = "HTTP/1.1"
    script: list[tuple[int, bytes]]
    seen: list[tuple[str, str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).seen.append((self.path, self.headers.get("Authorization", ""), body))
        is_version = body.startswith(b"SELECT version()")
        status, data = (200, b"26.9.2.1\n") if is_version else self.script.pop(0) if self.script else (200, ANSWER)
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(*script: tuple[int, bytes], tls: ssl.SSLContext | None = None) -> Iterator[tuple[int, type[Handler]]]:
    handler = type("Scripted", (Handler,), {"script": list(script), "seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1], handler
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_values_are_bound_and_credentials_are_in_a_header_only() -> None:
    with serving() as (port, handler):
        client = HttpClient(parse_address(f"clickhouse://ann:p%40ss@127.0.0.1:{port}/db", {}))
        found = client.select("SELECT a FROM t WHERE b = {b:String} AND r IN {r:Set(UInt64)}", ["a"], b="it's", r=[1])
        client.close()
    assert found["a"].tolist() == [7]
    path, login, body = handler.seen[-1]
    assert body == b"SELECT a FROM t WHERE b = {b:String} AND r IN (1) FORMAT Native"
    assert "param_b=it%5C%27s" in path and "database=db" in path
    assert login.startswith("Basic ") and "p%40ss" not in path and b"p@ss" not in body


def test_errors_of_the_server_are_sentences() -> None:
    script = [
        (500, b"Code: 62, e.displayText() = Syntax error"),
        (500, b"Code: 279, e.displayText() = All connection tries failed"),
        (404, b"Code: 60. DB::Exception: Table db.runs doesn't exist"),
        (403, b"Code: 516. Authentication failed"),
    ]
    with serving(*script) as (port, _):
        client = HttpClient(parse_address(f"clickhouse://127.0.0.1:{port}/db", {}))
        with pytest.raises(QueryError, match="rejects a statement") as rejected:
            client.select("SELECT a", ["a"])
        assert rejected.value.code == 62
        for sentence in ("cannot answer now", "seamark store init", "rejects this user or password"):
            with pytest.raises(StoreUnavailableError, match=sentence):
                client.select("SELECT a", ["a"])
        client.close()


def test_the_next_host_answers_when_the_first_is_away() -> None:
    with serving() as (port, _):
        client = HttpClient(parse_address(f"clickhouse://127.0.0.1:1,127.0.0.1:{port}/db", {}))
        assert client.select("SELECT a", ["a"])["a"].tolist() == [7]
        client.close()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, made = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(made)]
    subprocess.run(["openssl", *words, *files], check=True, capture_output=True)
    return key, made


def test_tls_checks_the_certificate(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    key, made = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    with serving(tls=context) as (port, _):
        address = parse_address(f"clickhouses://ann:p%40ss@127.0.0.1:{port}/db", {})
        with pytest.raises(StoreUnavailableError, match="certificate verify failed"):
            HttpClient(address).select("SELECT a", ["a"])
        monkeypatch.setenv("SSL_CERT_FILE", str(made))
        client = HttpClient(address)
        assert client.select("SELECT a", ["a"])["a"].tolist() == [7]
        client.close()
