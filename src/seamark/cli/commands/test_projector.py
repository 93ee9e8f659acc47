"""seamark projector: serves one file where it is, and nothing beside it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import pytest

from seamark import cli

VECTORS = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)


@contextmanager
def served(cache: Path, *words: str) -> Iterator[str]:
    """The command as a process of its own; yields the printed address."""
    command = [sys.executable, "-m", "seamark", "projector", *words, "--port", "0", "--config", "none"]
    environment = {**os.environ, **dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"), str(cache))}
    cache.mkdir(exist_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r"http\S+", line)
            assert address, line
            yield address[0]
        finally:
            process.terminate()


def fetch(address: str, route: str, **parameters: str) -> bytes:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters.items())
    base = urlsplit(address)
    with urllib.request.urlopen(f"{base.scheme}://{base.netloc}/api/dashboards/projector/{route}?{query}") as response:
        return bytes(response.read())


def listed_in(address: str) -> list[tuple[str, str]]:
    """Asks until the server has read the folder."""
    entries: list[dict[str, str]] = []
    while not entries:
        entries = json.loads(fetch(address, "embeddings"))["embeddings"]
    return [(entry["run"], entry["name"]) for entry in entries]


@pytest.mark.timed
def test_the_address_leads_to_the_file_and_only_to_it(tmp_path: Path) -> None:
    files = tmp_path / "data"
    files.mkdir()
    np.save(files / "words & more.npy", VECTORS)
    np.save(files / "private.npy", VECTORS)
    with served(tmp_path / "cache", str(files / "words & more.npy")) as address:
        fragment = urlsplit(address).fragment
        assert fragment.startswith("projector&")
        place = {name: values[0] for name, values in parse_qs(fragment).items()}
        run, name = place["projector.run"], place["projector.name"]
        assert name == "file:words & more.npy"
        assert listed_in(address) == [(run, name)]
        info = json.loads(fetch(address, "info", run=run, name=name))
        assert (info["rows"], info["dimensions"]) == (20, 4)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            fetch(address, "info", run=run, name="file:../../../data/private.npy")


@pytest.mark.timed
def test_metadata_of_another_file(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", VECTORS)
    (tmp_path / "labels.csv").write_text("word,count\n" + "".join(f"w{row},{row}\n" for row in range(20)))
    with served(
        tmp_path / "cache", str(tmp_path / "vectors.npy"), "--metadata", str(tmp_path / "labels.csv")
    ) as address:
        listed_in(address)
        info = json.loads(fetch(address, "info", run="vectors", name="file:vectors.npy"))
        assert [column["name"] for column in info["columns"]] == ["word", "count"]


@pytest.mark.timed
def test_without_an_index_nothing_stays_in_the_cache_directory(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", VECTORS)
    with served(tmp_path / "cache", str(tmp_path / "vectors.npy"), "--index_dir", "none") as address:
        assert listed_in(address) == [("vectors", "file:vectors.npy")]
        assert not (tmp_path / "cache" / "seamark" / "projector").exists()
    assert not list((tmp_path / "cache").glob("seamark-projector-*"))


@pytest.mark.parametrize(
    "words, message",
    [
        (["absent.npy"], "no such file: 'absent.npy'"),
        (["."], "got a folder, want a file (seamark --logdir shows folders): '.'"),
        (["notes.md"], "this type of file is not known, want one of .npy, "),
        (["vectors.npy", "--metadata", "absent.tsv"], "no such file: 'absent.tsv'"),
        (["vectors.npy", "--metadata", "vectors.npy"], "this type of file is not known, want one of .tsv, "),
    ],
)
def test_wrong_files_are_one_sentence(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("vectors.npy", VECTORS)
    Path("notes.md").write_text("no vectors")
    assert cli.main(["projector", "--config", "none", *words]) == 2
    assert f"seamark projector: {message}" in capsys.readouterr().err


def test_a_damaged_file_is_refused_before_a_page_opens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "cut.npy", VECTORS)
    (tmp_path / "cut.npy").write_bytes((tmp_path / "cut.npy").read_bytes()[:-1])
    assert cli.main(["projector", str(tmp_path / "cut.npy"), "--port", "0", "--config", "none"]) != 0
    assert "the array is cut off: the file has 447 bytes, want 448" in capsys.readouterr().err
