"""az:// with Azurite, Microsoft's emulator of Azure's storage."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

blob = pytest.importorskip("azure.storage.blob", reason="run it with `make test-integrations`")

import seamark
from seamark import SummaryWriter
from seamark.format.types import RunName, Tag
from seamark.store import Store, parse_logdir
from seamark.store.test_support import has_steps, wait_until
from tools.fault_proxy import FaultProxy, fault_proxy
from tools.s3_server import free_ports

# Every installation of the emulator has this account.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
START_SECS = 60
RUN, LOSS = RunName("a"), Tag("loss")


@pytest.fixture(scope="module")
def azurite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, (port,) = tmp_path_factory.mktemp("azurite"), free_ports(1)
    program = Path(sys.prefix) / "node_modules" / ".bin" / "azurite-blob"
    options = ["--blobPort", str(port), "--location", str(folder), "--skipApiVersionCheck", "--silent"]
    process = subprocess.Popen([str(program), *options, "--disableTelemetry"])
    endpoint = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + START_SECS
    while not answers(endpoint):
        assert process.poll() is None and time.monotonic() < deadline, "Azurite did not start"
        time.sleep(0.2)
    try:
        yield endpoint
    finally:
        process.kill()
        process.wait()


def answers(endpoint: str) -> bool:
    try:
        urlopen(endpoint, timeout=5).close()
    except OSError as error:
        return hasattr(error, "code")  # an error of HTTP is an answer
    return True


@pytest.fixture
def proxy(azurite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultProxy]:
    for name in os.environ:
        if name.startswith("AZURE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with fault_proxy(azurite) as started:
        yield started


def connection(endpoint: str) -> str:
    return f"AccountName={ACCOUNT};AccountKey={KEY};BlobEndpoint={endpoint}/{ACCOUNT};"


@pytest.fixture
def container(azurite: str, request: pytest.FixtureRequest) -> object:
    """A public one of its own for each test."""
    service = blob.BlobServiceClient.from_connection_string(connection(azurite))
    name = request.node.name.replace("_", "-").replace("[", "-").replace("]", "")[:60]
    return service.create_container(name, public_access="container")


def upload(container: object, folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            container.upload_blob(path.relative_to(folder).as_posix(), path.read_bytes(), overwrite=True)


def log(folder: Path, *steps: int) -> None:
    with SummaryWriter(str(folder)) as writer:
        for step in steps:
            writer.add_scalar("loss", float(step), step)


def test_reads_follows_and_survives_an_outage(
    proxy: FaultProxy, container: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", connection(proxy.address))
    logs = tmp_path / "logs"
    log(logs / "a", 1)
    upload(container, logs)
    address = f"az://{container.container_name}"
    with Store(parse_logdir(address), index_dir=None, reload_secs=0.2) as store:
        wait_until(store, lambda: has_steps(store, [1], RUN, LOSS))
        log(logs / "a", 2)
        upload(container, logs)
        wait_until(store, lambda: has_steps(store, [1, 2], RUN, LOSS))
        proxy.stop()
        wait_until(store, lambda: bool(store.problems()))
        proxy.start()
        wait_until(store, lambda: store.problems() == [])


def test_a_block_blob_that_grows_is_read_by_its_range(
    proxy: FaultProxy, container: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", connection(proxy.address))
    log(tmp_path / "one", 1)
    log(tmp_path / "two", 2)
    (first,), (second,) = (tmp_path / "one").iterdir(), (tmp_path / "two").iterdir()
    container.upload_blob(f"x/a/{first.name}", first.read_bytes())
    with Store(parse_logdir(f"az://{container.container_name}/x"), index_dir=None, reload_secs=0.2) as store:
        wait_until(store, lambda: has_steps(store, [1], RUN, LOSS))
        proxy.seen.clear()
        container.upload_blob(f"x/a/{first.name}", first.read_bytes() + second.read_bytes(), overwrite=True)
        wait_until(store, lambda: has_steps(store, [1, 2], RUN, LOSS))
    ranges = [seen.headers["range"] for seen in proxy.seen if "range" in seen.headers]
    size = first.stat().st_size
    assert ranges == [f"bytes=0-{size - 1}", f"bytes={size}-{size + second.stat().st_size - 1}"]


@pytest.mark.parametrize("access", ["key", "anonymous", "sas"])
def test_keys_signatures_and_public_containers(
    proxy: FaultProxy, container: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, access: str
) -> None:
    log(tmp_path / "logs" / "a", 1)
    upload(container, tmp_path / "logs")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", ACCOUNT)
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", f"{proxy.address}/{ACCOUNT}")
    if access == "key":
        monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", KEY)
    elif access == "anonymous":
        monkeypatch.setenv("AZURE_SKIP_SIGNATURE", "true")
    else:
        monkeypatch.setenv("AZURE_STORAGE_SAS_TOKEN", signature())
    runs = seamark.open(f"az://{container.container_name}")
    assert [run.name for run in runs] == ["a"]
    has_key = any("authorization" in {name.lower() for name in seen.headers} for seen in proxy.seen)
    assert has_key == (access == "key")


def signature() -> str:
    from datetime import UTC, datetime, timedelta

    return blob.generate_account_sas(
        ACCOUNT,
        KEY,
        blob.ResourceTypes(container=True, object=True),
        blob.AccountSasPermissions(read=True, list=True),
        datetime.now(UTC) + timedelta(hours=1),
    )


def test_a_wrong_key_is_a_sentence(proxy: FaultProxy, container: object, monkeypatch: pytest.MonkeyPatch) -> None:
    container.set_container_access_policy({}, public_access=None)
    wrong = "very" + KEY[4:]
    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", connection(proxy.address).replace(KEY, wrong))
    with Store(parse_logdir(f"az://{container.container_name}"), index_dir=None, follow=False) as store:
        (problem,) = store.problems()
    assert problem.message.startswith("the bucket cannot be read (access is denied)")
    assert wrong not in problem.message


def test_a_writer_and_a_reader(proxy: FaultProxy, container: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", connection(proxy.address))
    address = f"az://{container.container_name}/written"
    writer = SummaryWriter(f"{address}/run")
    for step in range(20):
        writer.add_scalar("loss", float(step), step)
    writer.close()
    assert seamark.open(address)["run"].scalars("loss").step.tolist() == list(range(20))
