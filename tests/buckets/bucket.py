"""What tests of buckets share: one prefix of a bucket, and runs in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import obstore

from seamark import SummaryWriter
from tools.fault_proxy import FaultProxy
from tools.s3_server import BUCKET, S3Server

KEY, SECRET = "key", "secret"


@dataclass
class Bucket:
    server: S3Server
    proxy: FaultProxy
    prefix: str
    scheme: str = "s3"

    @property
    def address(self) -> str:
        return f"{self.scheme}://{BUCKET}/{self.prefix}"

    def upload(self, folder: Path) -> None:
        """Not through the proxy."""
        self.server.upload(folder, self.prefix)

    def put(self, key: str, data: bytes) -> None:
        obstore.put(self.server.store(self.prefix), key, data)

    def delete(self, key: str) -> None:
        obstore.delete(self.server.store(self.prefix), key)

    def objects(self) -> dict[str, bytes]:
        store = self.server.store(self.prefix)
        keys = [entry["path"] for page in obstore.list(store) for entry in page]
        return {key: bytes(obstore.get(store, key).bytes()) for key in keys}


def log(folder: Path, *steps: int) -> None:
    with SummaryWriter(str(folder)) as writer:
        for step in steps:
            writer.add_scalar("loss", float(step), step)
