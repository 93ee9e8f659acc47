"""The state of the code, from real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from seamark.write.run.code import git

SECRET = "hunter2hunter2"


def in_repository(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    in_repository(folder, "init", "-q", "-b", "work")
    (folder / "train.py").write_text("lr = 1\n")
    (folder / ".env").write_text("A=1\n")
    in_repository(folder, "add", "-A")
    in_repository(folder, "commit", "-q", "-m", "first")
    return folder


def test_a_clean_repository(repository: Path) -> None:
    in_repository(repository, "remote", "add", "origin", f"https://me:{SECRET}@example.org/code.git")
    captured = git.capture(repository)
    assert captured is not None
    state, diff = captured
    assert len(state.commit) == 40 and state.branch == "work" and state.remote == "https://example.org/code.git"
    assert (state.dirty, state.diff_file, diff) == (False, "", "")


def test_changes_are_kept_as_a_diff_without_files_that_hold_secrets(repository: Path) -> None:
    (repository / "train.py").write_text(f"lr = 2\napi_key = '{SECRET}'\n")
    (repository / ".env").write_text(f"B={SECRET}\n")
    (repository / "new.txt").write_text("untracked: not asked for\n")
    (repository / "sub").mkdir()
    captured = git.capture(repository / "sub")
    assert captured is not None
    state, diff = captured
    assert state.dirty and state.diff_file == "diff.patch" and not state.diff_truncated
    assert "+lr = 2" in diff and SECRET not in diff and "untracked" not in diff and ".env" not in diff
    assert state.diff_bytes == len(diff.encode())


@pytest.mark.parametrize(
    "name",
    [".npmrc", ".pypirc", ".htpasswd", "service-account.json", "secrets.yaml", "prod.tfvars", ".env.local", "a/server.pem",
     "id_rsa", "deep/er/.netrc", "secrets/db.txt", "gcp-credentials.json", "client_secret_1.json"],
)  # fmt: skip
def test_files_that_hold_secrets_are_not_in_the_diff(repository: Path, name: str) -> None:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for content in ("before", SECRET):
        path.write_text(content)
        if content == "before":
            in_repository(repository, "add", "-f", name)
            in_repository(repository, "commit", "-q", "-m", "second")
    (repository / "train.py").write_text("lr = 2\n")
    captured = git.capture(repository)
    assert captured is not None
    assert "+lr = 2" in captured[1] and SECRET not in captured[1] and path.name not in captured[1]


def test_files_with_ordinary_names_are_in_the_diff(repository: Path) -> None:
    names = ["environment.yml", "tokenizer.json", "keys.py", "secretary.py", "model.env.py", "config.json"]
    for name in names:
        (repository / name).write_text("a = 1\n")
    in_repository(repository, "add", "-A")
    captured = git.capture(repository)
    assert captured is not None and [name for name in names if name not in captured[1]] == []


def test_without_the_diff_the_commit_is_known(repository: Path) -> None:
    (repository / "train.py").write_text("lr = 2\n")
    captured = git.capture(repository, with_diff=False)
    assert captured is not None
    state, diff = captured
    assert (state.dirty, state.diff_file, diff) == (True, "", "") and len(state.commit) == 40


def test_a_huge_diff_is_cut_at_a_line(repository: Path) -> None:
    (repository / "train.py").write_text("x = 'äöü'\n" * 200_000)
    captured = git.capture(repository)
    assert captured is not None
    state, diff = captured
    assert state.diff_truncated and state.diff_bytes > git.MAX_DIFF_BYTES
    assert len(diff.encode()) <= git.MAX_DIFF_BYTES and diff.endswith("\n")


def test_a_detached_head_has_a_commit_and_no_branch(repository: Path) -> None:
    in_repository(repository, "checkout", "-q", "--detach")
    captured = git.capture(repository)
    assert captured is not None and captured[0].commit and captured[0].branch == ""


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    in_repository(tmp_path, "init", "-q", "-b", "main")
    captured = git.capture(tmp_path)
    assert captured is not None and captured[0].commit == "" and captured[0].branch == "main"


def test_outside_a_repository_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert git.capture(tmp_path) is None
    assert git.capture(tmp_path / "gone") is None


def test_without_git_there_is_nothing(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert git.capture(repository) is None


def test_a_git_that_hangs_is_abandoned(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git, "TIMEOUT_SECS", 0.05)
    assert git.capture(repository) is None
