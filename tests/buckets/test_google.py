"""gs:// through Google's XML interface, which is what obstore speaks. No emulator of Google on PyPI or npm lists objects
that way (they have the JSON interface); moto answers the same requests, as S3 took over list-type=2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import seamark
from seamark import SummaryWriter
from seamark.format.types import RunName, Tag
from seamark.store import Store, parse_logdir
from seamark.store.test_support import has_steps, wait_until
from tests.buckets.bucket import Bucket, log
from tools.fault_proxy import Answer, fault_proxy
from tools.s3_server import BUCKET, S3Server, missing_s3_server, s3_server

RUN, LOSS = RunName("a"), Tag("loss")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if missing_s3_server("moto"):
        pytest.skip(missing_s3_server("moto"))
    with s3_server(tmp_path_factory.mktemp("gs"), "moto") as started:
        yield started


@pytest.fixture
def google(
    server: S3Server, clean_environment: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bucket]:
    with fault_proxy(server.endpoint) as proxy:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", proxy.address)
        yield Bucket(server, proxy, tmp_path.name, scheme="gs")


def test_reads_follows_and_survives_an_outage(google: Bucket, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    log(logs / "a", 1)
    google.upload(logs)
    assert google.address == f"gs://{BUCKET}/{google.prefix}"
    with Store(parse_logdir(google.address), index_dir=None, reload_secs=0.2) as store:
        wait_until(store, lambda: has_steps(store, [1], RUN, LOSS))
        log(logs / "a", 2)
        google.upload(logs)
        wait_until(store, lambda: has_steps(store, [1, 2], RUN, LOSS))
        google.proxy.stop()
        wait_until(store, lambda: bool(store.problems()))
        google.proxy.start()
        wait_until(store, lambda: store.problems() == [])


def test_a_writer_and_a_reader(google: Bucket) -> None:
    with SummaryWriter(f"{google.address}/run") as writer:
        for step in range(20):
            writer.add_scalar("loss", float(step), step)
    assert seamark.open(google.address)["run"].scalars("loss").step.tolist() == list(range(20))


def test_a_token_is_sent_and_not_shown(google: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log(tmp_path / "logs" / "a", 1)
    google.upload(tmp_path / "logs")
    monkeypatch.delenv("STORAGE_EMULATOR_HOST")
    monkeypatch.setenv("GOOGLE_BASE_URL", google.proxy.address)
    monkeypatch.setenv("GOOGLE_BEARER_TOKEN", "very-secret")
    assert [run.name for run in seamark.open(google.address)] == ["a"]
    assert google.proxy.seen[0].headers["authorization"] == "Bearer very-secret"
    google.proxy.fault = lambda seen: Answer(401, b"<Error><Code>Odd</Code><Details>very-secret</Details></Error>")
    with Store(parse_logdir(google.address), index_dir=None, follow=False) as store:
        assert "very-secret" not in store.problems()[0].message


def test_gcloud_application_default_credentials(
    google: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa").generate_private_key(65537, 2048)
    from cryptography.hazmat.primitives import serialization

    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    log(tmp_path / "logs" / "a", 1)
    google.upload(tmp_path / "logs")
    monkeypatch.delenv("STORAGE_EMULATOR_HOST")
    monkeypatch.setenv("GOOGLE_BASE_URL", google.proxy.address)
    account = {"type": "service_account", "private_key": text, "private_key_id": "1", "client_email": "a@b.c"}
    file = tmp_path / "home" / ".config" / "gcloud" / "application_default_credentials.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({**account, "token_uri": google.proxy.address}))
    assert [run.name for run in seamark.open(google.address)] == ["a"]
    assert google.proxy.seen[0].headers["authorization"].startswith("Bearer ey")
