"""Files in run folders: links lead out of them only to files that the user named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from seamark.plugin import run_folder
from seamark.plugin.run_folder import allow_links_to, file_in_run, files_in_runs
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def test_a_link_leads_out_of_the_folder_only_to_a_named_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_folder, "_link_targets", set())
    EventFile(tmp_path / "logs" / "a").close()
    for name in ("named.npy", "other.npy"):
        (tmp_path / name).write_text("numbers")
        (tmp_path / "logs" / "a" / name).symlink_to(tmp_path / name)
    allow_links_to(tmp_path / "named.npy")
    with Store([LogRoot("", tmp_path / "logs")], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        runs = store.runs()
    assert [file.path for file in files_in_runs(runs, (".npy",))[0]] == ["named.npy"]
    assert file_in_run(runs, "a", "named.npy", (".npy",)) == (tmp_path / "named.npy").resolve()
    assert file_in_run(runs, "a", "other.npy", (".npy",)) is None


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8")
def test_a_name_that_is_not_utf8_is_listed_with_escapes_and_found_by_them(tmp_path: Path) -> None:
    folder = tmp_path / "logs" / "a"
    EventFile(folder).close()
    real = os.fsdecode(b"caf\xe9/\xff\xfe.npy")
    (folder / real).parent.mkdir()
    (folder / real).write_text("bytes")
    (folder / r"\xff.npy").write_text("backslash")
    with Store([LogRoot("", tmp_path / "logs")], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        runs = store.runs()
    files, _ = files_in_runs(runs, (".npy",))
    assert {file.path: file.location for file in files} == {
        r"\xff.npy": str(folder / r"\xff.npy"),
        r"caf\xe9/\xff\xfe.npy": str(folder / real),
    }
    found = [file_in_run(runs, "a", file.path, (".npy",)) for file in files]
    assert [path.read_text() for path in found if path] == ["backslash", "bytes"]
    assert file_in_run(runs, "a", r"\x2e\x2e/\x2e\x2e/secret.npy", (".npy",)) is None
