"""A published site as a log directory: the contract of stores, growth, hosts that are away, and hosts that lie."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

import seamark
from seamark import _core
from seamark.cli import main
from seamark.format.site_address import is_site, parse_site
from seamark.format.types import RunName, Tag
from seamark.publish.unchanged import files_below
from seamark.store import LogRoot, RunInfo, Store
from seamark.store.buckets import site_objects
from seamark.store.buckets.copy import BucketCopy
from seamark.store.buckets.objects import BucketError
from seamark.store.buckets.site_host import is_same_host
from seamark.store.buckets.site_objects import SiteObjects
from seamark.store.test_contract import OpenStore, StoreContract, StorePair
from seamark.store.test_support import has_steps, loaded, wait_until
from tools.static_host import hosted

PHRASE = "correct horse battery"
RELOAD_SECS = 0.05


def publish(logdir: Path, site: Path, *flags: str) -> int:
    words = ["publish", str(logdir), "-o", str(site), "--index_dir", "none", "--state_dir", "none"]
    return main([*words, "--logs", *flags])


def summary(store: Store) -> list[tuple[str, int, int]]:
    return sorted((run.name, run.points, run.payloads) for run in store.runs())


@contextmanager
def site_store(
    logdir: Path, folder: Path, *flags: str, has_ranges: bool = True, follow: bool = True
) -> Iterator[Store]:
    """A store that reads a site of the log directory, which is published again until the store is closed."""
    publish(logdir, folder / "site", *flags)
    (folder / "site").mkdir(exist_ok=True)
    is_closed = threading.Event()

    published = list(files_below(logdir))

    def publish_again() -> None:
        nonlocal published
        while not is_closed.wait(RELOAD_SECS):
            found = list(files_below(logdir))
            if found != published:
                publish(logdir, folder / "site", *flags)
                published = found

    thread = threading.Thread(target=publish_again)
    with hosted(folder / "site", has_ranges=has_ranges) as (address, _):
        root = LogRoot("", folder / "copy", parse_site(address))
        with Store([root], index_dir=folder / "index", reload_secs=RELOAD_SECS, follow=follow) as store:
            thread.start()
            try:
                with loaded(logdir) as local:
                    wait_until(store, lambda: summary(store) == summary(local))
                yield store
            finally:
                is_closed.set()
                thread.join()


class SiteContract(StoreContract):
    has_ranges = True
    flags: tuple[str, ...] = ()

    @pytest.fixture(scope="class")
    @classmethod
    def open_store(cls, tmp_path_factory: pytest.TempPathFactory) -> OpenStore:
        return lambda logdir: site_store(
            logdir, tmp_path_factory.mktemp("published"), *cls.flags, has_ranges=cls.has_ranges
        )

    def test_runs_are_equal(self, pair: StorePair) -> None:
        """But for where they are: in the local copy."""

        def placeless(runs: list[RunInfo]) -> list[RunInfo]:
            return [msgspec.structs.replace(run, path=Path(run.name), shown_path="") for run in runs]

        assert placeless(pair.tested.runs()) == placeless(pair.embedded.runs())


class TestSiteStore(SiteContract):
    pass


class TestSiteStoreWithoutRanges(SiteContract):
    has_ranges = False


class TestEncryptedSiteStore(SiteContract):
    flags = ("--encrypt",)

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def passphrase(cls) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SEAMARK_PASSPHRASE", PHRASE)
            yield


def write(folder: Path, *steps: int, text: str = "") -> None:
    with seamark.SummaryWriter(folder) as writer:
        for step in steps:
            writer.add_scalar("loss", float(step), step)
        if text:
            writer.add_text("note", text, 1)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    write(tmp_path / "runs" / "a", 1, 2, 3)
    return tmp_path / "runs"


def test_grown_run_is_read_from_where_the_copy_ends(logdir: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(logdir, site)
    with hosted(site) as (address, host):
        copy = BucketCopy(parse_site(address), tmp_path / "copy", reload_secs=0)
        copy.update()
        before = {path.name: path.stat().st_ino for path in (tmp_path / "copy" / "a").iterdir()}
        count = len(host.paths)
        copy.update()
        assert host.paths[count:] == ["/site.json"], "nothing else is read while nothing changed"
        (file,) = (logdir / "a").iterdir()
        with file.open("ab") as stream:
            stream.write(_core.encode_scalar(b"loss", 4.0, 4, 1.7e9))
        publish(logdir, site)
        copy.update()
        assert copy.problems() == []
        assert {path.name: path.stat().st_ino for path in (tmp_path / "copy" / "a").iterdir()} == before
        (copied,) = (tmp_path / "copy" / "a").iterdir()
        assert copied.read_bytes() == file.read_bytes()
        assert "host" not in copied.name.split(".") and os.uname().nodename not in copied.name


def test_site_that_is_away_is_said_and_what_was_read_stays(logdir: Path, tmp_path: Path) -> None:
    publish(logdir, tmp_path / "site")
    with hosted(tmp_path / "site") as (address, _):
        root = LogRoot("", tmp_path / "copy", parse_site(address))
        with Store([root], index_dir=tmp_path / "index", follow=False) as store:
            assert store.wait_loaded(60)
    with Store([root], index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(60)
        assert has_steps(store, [1, 2, 3], RunName("a"), Tag("loss"))
        (problem,) = store.problems()
        assert "the site cannot be read (it does not answer" in problem.message
        assert problem.message.endswith("shown is what was read earlier")


def test_site_beside_a_local_folder_in_a_command(
    logdir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    publish(logdir, tmp_path / "hosts" / "site")
    write(tmp_path / "local" / "b", 7)
    with hosted(tmp_path / "hosts") as (address, _):
        capsys.readouterr()
        spec = f"theirs:{address}site/index.html#scalars,mine:{tmp_path / 'local'}"
        assert main(["query", "--logdir", spec, "--index_dir", "none", "--state_dir", "none"]) == 0
    printed = capsys.readouterr().out
    assert "theirs/a" in printed and "mine/b" in printed


def test_paths_of_this_machine_are_overwritten(logdir: Path, tmp_path: Path) -> None:
    write(logdir / "b", 1, text=f"data in {logdir}/corpus and more")
    publish(logdir, tmp_path / "site")
    with hosted(tmp_path / "site") as (address, _):
        root = LogRoot("", tmp_path / "copy", parse_site(address))
        with Store([root], index_dir=None, follow=False) as store:
            assert store.wait_loaded(60)
            assert store.problems() == [], "checksums are those of the new text"
            (payload,) = store.payloads(RunName("b"), Tag("note/text_summary"), "text").index
            content = store.payload(RunName("b"), Tag("note/text_summary"), "text", int(payload))
    assert b"/corpus and more" in content and str(logdir).encode() not in content


@pytest.mark.parametrize(
    ("flags", "passphrase", "sentence"),
    [
        (("--encrypt",), "", "it is encrypted; set SEAMARK_PASSPHRASE to its passphrase"),
        (("--encrypt",), "another one", "SEAMARK_PASSPHRASE is not its passphrase"),
    ],
)
def test_passphrase_is_asked_for(
    logdir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    flags: tuple[str, ...],
    passphrase: str,
    sentence: str,
) -> None:
    monkeypatch.setenv("SEAMARK_PASSPHRASE", PHRASE)
    publish(logdir, tmp_path / "site", *flags)
    monkeypatch.setenv("SEAMARK_PASSPHRASE", passphrase)
    with hosted(tmp_path / "site") as (address, _), pytest.raises(BucketError, match=sentence):
        list(SiteObjects(parse_site(address)).pages())


def test_site_without_logs_says_how_to_publish_them(logdir: Path, tmp_path: Path) -> None:
    words = ["publish", str(logdir), "-o", str(tmp_path / "site"), "--index_dir", "none", "--state_dir", "none"]
    assert main(words) == 0
    with hosted(tmp_path / "site") as (address, _), pytest.raises(BucketError, match="publish it with --logs"):
        list(SiteObjects(parse_site(address)).pages())


def test_logs_cannot_leave_out_a_part_of_event_files(
    logdir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(logdir, tmp_path / "site", "--without", "images") == 2
    assert "'images' cannot be left out" in capsys.readouterr().err


# Hosts that lie


@contextmanager
def hostile(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *args: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def body(content: bytes) -> Callable[[BaseHTTPRequestHandler], None]:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(content)

    return send


def redirect(to: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.end_headers()

    return send


@pytest.mark.parametrize("to", ["file:///etc/passwd", "http://127.0.0.1:1/", "http://169.254.169.254/x", "ftp://a/b"])
def test_redirects_lead_nowhere_else(to: str) -> None:
    with hostile(redirect(to)) as address, pytest.raises(BucketError):
        list(SiteObjects(address).pages())


def test_same_host() -> None:
    assert is_same_host("http://a/x", "http://a/x/")
    assert is_same_host("http://a/x", "https://a/x")
    for other in ("https://b/x", "http://a:81/x", "file:///x", "http://u@a/x"):
        assert not is_same_host("http://a/x", other)
    assert not is_same_host("https://a/x", "http://a/x")


PART = {"offset": 0, "length": 100}
MANIFEST = {"format": "seamark-site/2", "file": "0" * 32, "index": PART, "ledger": PART}


@pytest.mark.parametrize(
    "manifest",
    [
        [],
        {},
        {**MANIFEST, "format": "other"},
        {**MANIFEST, "file": "../../etc/passwd"},
        {**MANIFEST, "index": {"offset": -5, "length": 1 << 60}},
        {**MANIFEST, "encryption": {"cipher": "", "kdf": "", "iterations": 10**12, "salt": "AA==", "check": ""}},
    ],
)
def test_manifest_that_lies_is_a_sentence(manifest: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEAMARK_PASSPHRASE", PHRASE)
    with hostile(body(json.dumps(manifest).encode())) as address, pytest.raises(BucketError, match="cannot be read"):
        list(SiteObjects(address).pages())


def test_endless_answer_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_objects, "MAX_MANIFEST_BYTES", 1000)
    with hostile(body(b" " * 100_000)) as address, pytest.raises(BucketError, match="larger than 1,000 bytes"):
        list(SiteObjects(address).pages())


def test_paths_do_not_escape(logdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from seamark.publish.gather import logs

    monkeypatch.setattr(logs, "folder_of", lambda run: "../../outside/")
    publish(logdir, tmp_path / "site")
    with hosted(tmp_path / "site") as (address, _):
        copy = BucketCopy(parse_site(address), tmp_path / "deep" / "er" / "copy", reload_secs=0)
        copy.update()
    assert not (tmp_path / "outside").exists() and not (tmp_path / "deep" / "outside").exists()
    assert "a name that cannot be a file" in copy.problems()[0].message


def test_addresses() -> None:
    assert is_site("HTTPS://host/x") and not is_site("s3://b")
    assert parse_site("https://host/site/index.html?at=run/a#scalars") == "https://host/site"
    with pytest.raises(ValueError, match="no user or password") as found:
        parse_site("https://me:secret@host/")
    assert "secret" not in str(found.value)
