"""Encryption: nothing is readable, everything is bound to its place, and what did not change keeps its bytes."""

from __future__ import annotations

import base64
import builtins
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from seamark.format.seal import (
    PADDED_TO,
    Encryption,
    NoCryptographyError,
    PassphraseSealer,
    PlainSealer,
    WrongPassphraseError,
)
from seamark.publish.conftest import Publish
from seamark.publish.folder import SiteFolder
from seamark.publish.test_site import counts, data_files, files_of

ROOT = Path(__file__).parents[3]
FEW = 1000  # iterations: enough for a test
PHRASE = "correct horse battery"


@pytest.fixture
def passphrase(tmp_path: Path) -> tuple[str, ...]:
    file = tmp_path / "passphrase"
    file.write_text(f"{PHRASE}\n")
    return "--encrypt", "--passphrase_file", str(file)


def test_blob_is_bound_to_its_file_and_offset() -> None:
    sealer = PassphraseSealer(PHRASE, iterations=FEW)
    stored = sealer.seal(b"content", "file", 100)
    assert sealer.open(stored, "file", 100) == b"content"
    for file, offset, changed in (("other", 100, stored), ("file", 0, stored), ("file", 100, stored[:-1] + b"x")):
        with pytest.raises(ValueError, match="damaged or exchanged"):
            sealer.open(changed, file, offset)


def test_nonces_repeat_only_with_the_content() -> None:
    sealer = PassphraseSealer(PHRASE, iterations=FEW)
    assert sealer.seal(b"a", "file", 0) == sealer.seal(b"a", "file", 0)
    nonces = {sealer.seal(content, "file", offset)[:12] for content in (b"a", b"b") for offset in (0, 1)}
    assert len(nonces) == 4


def test_salt_is_random_and_that_of_an_earlier_site_is_used_again() -> None:
    first, second = PassphraseSealer(PHRASE, iterations=FEW), PassphraseSealer(PHRASE, iterations=FEW)
    assert first.encryption.salt != second.encryption.salt
    again = PassphraseSealer.of_site(PHRASE, first.encryption)
    assert again.seal(b"a", "file", 0) == first.seal(b"a", "file", 0)
    with pytest.raises(WrongPassphraseError):
        PassphraseSealer.of_site("another one", first.encryption)


def test_nothing_is_readable_and_sizes_are_rounded(
    publish: Publish, site: Path, passphrase: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(*passphrase) == 0
    plain = site.parent / "plain"
    publish(output=plain)
    # All but the scripts and styles, which are those of any site.
    readable = b"".join(content for name, content in files_of(site).items() if not name.startswith("assets/"))
    for word in (b"secret-run", b"loss", b"picture", b"<title>runs"):
        assert word not in readable
    assert all(path.stat().st_size % PADDED_TO == 0 for path in (site / "data").iterdir())
    manifest = SiteFolder(site).manifest
    assert manifest is not None and manifest.encryption is not None
    assert manifest.encryption.iterations >= 600_000
    assert PHRASE.encode() not in readable
    # The names of files do not give away what is in them.
    assert not data_files(site) & data_files(plain)


def test_second_publish_keeps_the_encrypted_files(
    publish: Publish, passphrase: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    publish(*passphrase)
    capsys.readouterr()
    publish(*passphrase)
    written, _, removed = counts(capsys.readouterr().out)
    assert (written, removed) == (2, 1)


def test_another_passphrase_writes_everything_again(
    publish: Publish, site: Path, passphrase: tuple[str, ...], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    publish(*passphrase)
    before = data_files(site)
    monkeypatch.setenv("SEAMARK_PASSPHRASE", "some other words")
    publish("--encrypt")
    assert "another passphrase" in capsys.readouterr().err
    assert not before & data_files(site)


def test_encrypting_a_plain_site_leaves_nothing_plain(
    publish: Publish, site: Path, passphrase: tuple[str, ...]
) -> None:
    publish()
    before = data_files(site)
    publish(*passphrase)
    assert not before & data_files(site)
    assert SiteFolder(site).earlier_site(PlainSealer()).packs == []


def test_short_or_missing_passphrase_is_a_sentence(
    publish: Publish, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish("--encrypt") == 2
    assert re.search("set SEAMARK_PASSPHRASE, or name a file", capsys.readouterr().err)
    monkeypatch.setenv("SEAMARK_PASSPHRASE", "short")
    assert publish("--encrypt") == 2
    assert "at least 8 characters, got 5" in capsys.readouterr().err


def test_missing_package_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("cryptography"):
            raise ImportError(name)
        return imported(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(NoCryptographyError, match=re.escape("pip install 'seamark[publish]'")):
        PassphraseSealer(PHRASE, iterations=FEW)


def test_page_opens_what_is_sealed() -> None:
    """The fixture of web/src/data/site/files/cipher.test.ts."""
    fixture = json.loads((ROOT / "web" / "src" / "data" / "site" / "files" / "cipher.fixture.json").read_text())
    encryption = msgspec.convert(fixture["encryption"], Encryption)
    sealer = PassphraseSealer.of_site(fixture["passphrase"], encryption)
    stored = sealer.seal(fixture["content"].encode(), fixture["file"], fixture["offset"])
    assert base64.b64encode(stored).decode() == fixture["stored"]
