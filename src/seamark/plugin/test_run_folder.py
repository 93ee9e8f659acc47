"""Files in run folders: links lead out of them only to files that the user named."""

from __future__ import annotations

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
