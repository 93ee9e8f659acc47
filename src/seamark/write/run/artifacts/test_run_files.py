"""run.save(), run.log_code() and artifacts."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path

import pytest

import seamark
from seamark.write.run.artifacts import artifacts, copying, run_files
from seamark.write.run.code import source_files
from seamark.write.run.test_support import begin, stored_record
from seamark.write.test_support import logged_warnings

SECRET = "hunter2hunter2"


def write(path: str, content: str = "x") -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    return file


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# run.save


def test_saved_files_keep_their_folders_below_the_working_directory(tmp_path: Path) -> None:
    write("model.pt"), write("out/a.txt"), write("out/deep/b.txt"), write("out/.env"), write("out/skip.log")
    elsewhere = write(str(tmp_path.parent / f"{tmp_path.name}-elsewhere.txt"))
    run = begin()
    saved = run.save("model.pt") + run.save("out/**/*.txt") + run.save(elsewhere)
    run.save("out/a.txt", base_path="out")
    run.finish()
    assert below(run.dir / "files") == sorted(["a.txt", elsewhere.name, "model.pt", "out/a.txt", "out/deep/b.txt"])
    assert all(path.is_relative_to(run.dir / "files") for path in saved)


def test_a_folder_is_saved_without_hidden_files_and_without_the_run_itself() -> None:
    write("a.txt"), write(".env", SECRET), write(".git/config", SECRET)
    run = begin(dir="runs")
    run.save(".")
    run.save(".")  # what was saved is not saved again within itself
    assert below(run.dir / "files") == ["a.txt"]


def test_the_policy_selects_when_a_file_is_copied() -> None:
    run = begin()
    for name in ("now", "live", "end"):
        write(f"{name}.txt", "early")
        run.save(f"{name}.txt", policy=name)
    assert below(run.dir / "files") == ["live.txt", "now.txt"]
    for name in ("now", "live", "end"):
        write(f"{name}.txt", "late")
    run.finish()
    kept = {path.name: path.read_text() for path in (run.dir / "files").iterdir()}
    assert kept == {"now.txt": "early", "live.txt": "late", "end.txt": "late"}
    with pytest.raises(ValueError, match="'now', 'end', 'live'"):
        run.save("x", policy="often")


def test_a_file_that_cannot_be_saved_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "MAX_FILE_BYTES", 10)
    write("big.bin", "x" * 11), write("small.txt"), write("events.out.tfevents.1.h")
    run = begin()
    with logged_warnings() as caught:
        for _ in range(2):
            assert run.save("missing-*.pt") == []
            assert [path.name for path in run.save("*.*")] == ["small.txt"]
    assert len(caught) == 3
    monkeypatch.setattr(copying, "MIN_FREE_BYTES", 1 << 60)
    with logged_warnings("would leave less than"):
        assert run.save("small.txt") == []


@pytest.mark.parametrize("relative", ["../../up", "/etc/passwd", "a/../../b", "..", ""])
def test_no_path_leads_out(relative: str) -> None:
    assert not {"", ".", ".."} & set(copying.inside(relative).split("/"))


def test_a_run_that_writes_nothing_saves_nothing() -> None:
    write("a.txt")
    run = seamark.init(mode="disabled")
    assert (run.save("a.txt"), run.log_code(), run.log_artifact("a.txt")) == ([], None, None)
    assert not Path("runs").exists()
    finished = begin()
    finished.finish()
    with logged_warnings("is finished"):
        assert finished.save("a.txt") == []


# run.log_code


def test_only_source_files_are_copied_and_without_secrets() -> None:
    write("train.py", f"api_key = '{SECRET}'\nlr = 0.1\n"), write("pkg/model.py"), write("conf/a.yaml")
    (
        write("data.bin"),
        write("secrets.yaml", SECRET),
        write(".env", SECRET),
        write("node_modules/x.py"),
        write(".venv/y.py"),
    )
    write("env/pyvenv.cfg"), write("env/lib/z.py")
    run = begin()
    folder = run.log_code()
    assert folder == run.dir / "code" and below(folder) == ["conf/a.yaml", "pkg/model.py", "train.py"]
    assert (folder / "train.py").read_text() == "api_key = '[hidden]'\nlr = 0.1\n"
    run.log_code(".", include_fn=lambda path: path.endswith(".bin"), exclude_fn=lambda path: "model" in path)
    assert "data.bin" in below(folder)


def test_ignored_files_are_not_copied() -> None:
    (
        write(".gitignore", "ignored.py\nout/\n"),
        write("ignored.py"),
        write("out/x.py"),
        write("new.py"),
        write("sub/known.py"),
    )
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "sub/known.py"], check=True)
    run = begin()
    assert below(run.log_code() or Path()) == ["new.py", "sub/known.py"]


def test_code_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "MAX_FILES", 2)
    for name in "abc":
        write(f"{name}.py")
    run = begin()
    with logged_warnings(r"1 files, such as 'c\.py'"):
        assert below(run.log_code() or Path()) == ["a.py", "b.py"]


# Artifacts


def test_an_artifact_is_used_by_another_run() -> None:
    write("data/train.csv", "1,2"), write("data/deep/test.csv", "3")
    first = begin(name="prepare")
    assert (
        first.log_artifact("data", name="moons", type="dataset", aliases=["clean"], metadata={"rows": 1}) == "moons:v0"
    )
    assert first.log_artifact("data", name="moons") == "moons:v0", "the same files are no new version"
    write("data/train.csv", "1,2,3")
    assert first.log_artifact("data", name="moons", type="dataset") == "moons:v1"
    first.finish()
    second = begin(name="train")
    assert below(second.use_artifact("moons")) == ["deep/test.csv", "train.csv"]
    assert (second.use_artifact("moons:latest") / "train.csv").read_text() == "1,2,3"
    for which in ("moons:v0", "moons:clean"):
        assert (second.use_artifact(which) / "train.csv").read_text() == "1,2"
    assert second.log_artifact("data/train.csv") == "train.csv:v0"
    second.finish()
    uses = [(use.name, use.version, use.role) for use in stored_record(second).artifacts]
    assert uses == [("moons", 1, "input"), ("moons", 0, "input"), ("train.csv", 0, "output")]
    assert [(use.version, use.type) for use in stored_record(first).artifacts] == [(0, "dataset"), (1, "dataset")]
    manifest = json.loads((first.dir / "artifacts" / "moons" / "v0" / "manifest.json").read_text())
    assert manifest["metadata"] == {"rows": 1} and manifest["run_id"] == first.id
    assert sorted(file["path"] for file in manifest["files"]) == ["deep/test.csv", "train.csv"]
    assert "." not in {name[0] for name in below(first.dir / "artifacts")}, "nothing unfinished is left"


def test_an_alias_of_unchanged_files_names_the_latest_version() -> None:
    path = write("model.txt", "weights 0")
    first = begin(name="first")
    assert first.log_artifact(path, name="model", aliases=["best"]) == "model:v0"
    path.write_text("weights 1")
    assert first.log_artifact(path, name="model") == "model:v1"
    first.finish()
    second = begin(name="second")
    assert second.log_artifact(path, name="model", aliases=["best", "released"]) == "model:v1"
    for alias in ("best", "released"):
        assert (second.use_artifact(f"model:{alias}") / "model.txt").read_text() == "weights 1"
    second.finish()


def test_an_artifact_may_be_a_reference() -> None:
    path = write("data/train.csv", "1,2")
    run = begin()
    assert run.log_artifact("data", copy=False) == "data:v0"
    assert run.use_artifact("data") == path.parent.resolve()
    assert below(run.dir / "artifacts") == ["data/v0/manifest.json"]
    path.write_text("something else")
    with pytest.raises(artifacts.NoSuchArtifactError, match=r"lost or changed 1 of its files, such as 'train\.csv'"):
        run.use_artifact("data")


def test_a_missing_artifact_raises_with_the_existing_versions() -> None:
    write("a.txt")
    run = begin()
    run.log_artifact("a.txt", name="odd [name]*?")
    assert (run.use_artifact("odd [name]*?:v0") / "a.txt").is_file()
    with pytest.raises(artifacts.NoSuchArtifactError, match=r"no artifact 'odd .*:v7': there is v0"):
        run.use_artifact("odd [name]*?:v7")
    with pytest.raises(artifacts.NoSuchArtifactError, match="no version of it"):
        run.use_artifact("other")
    other_rank = seamark.init(mode="disabled", reinit="create_new")
    assert (other_rank.use_artifact("odd [name]*?") / "a.txt").is_file()


def test_an_artifact_that_cannot_be_saved_is_reported() -> None:
    write("logs/events.out.tfevents.1.h")
    run = begin()
    with logged_warnings() as caught:
        assert run.log_artifact("missing") is None
        assert run.log_artifact("logs") is None
    assert [("no such file" in each) for each in caught] == [True, False]


def test_versions_of_runs_that_log_at_once_differ() -> None:
    runs = [begin(name=f"r{number}", reinit="create_new") for number in range(4)]
    versions: list[str | None] = []
    for number in range(4):
        write(f"f{number}/x.txt", str(number))
    threads = [
        threading.Thread(
            target=lambda number=number: versions.append(runs[number].log_artifact(f"f{number}", name="same"))
        )
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, versions)) == [f"same:v{number}" for number in range(4)]
    for run in runs:
        run.finish()
