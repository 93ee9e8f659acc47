"""Stores that the real libraries wrote come in whole: every value, step and time as the library itself reads them."""

from __future__ import annotations

import math
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.cli import main
from seamark.kinds.hparams import SESSION_END_TAG, SESSION_START_TAG, Status

PNG = b"\x89PNG\r\n\x1a\n"
NOTES = "the *first* try\nwith two lines"


def imported(source: str, path: Path, logdir: Path) -> None:
    assert main(["import", source, str(path), "--logdir", str(logdir)]) == 0


def same(found: list[tuple[int, float, float]], wanted: list[list[float]]) -> bool:
    # A database has no infinity; MLflow gives back what it wrote instead, we give back what was logged.
    wanted = [
        [step, wall, math.copysign(math.inf, value) if abs(value) == sys.float_info.max else value]
        for step, wall, value in wanted
    ]
    return len(found) == len(wanted) and np.array_equal(np.array(found), np.array(wanted), equal_nan=True)


def of_tag(run: Any, tag: str) -> Any:
    [(_, _, value)] = run.payloads[tag]
    return value


@pytest.mark.parametrize("store", ["mlruns", "mlflowdb"])
def test_mlflow_comes_in_whole(store: str, unpacked: Any, shown: Any, tmp_path: Path) -> None:
    folder, expected = unpacked(store)
    imported("mlflow", folder, tmp_path / "logs")
    runs = shown(tmp_path / "logs")
    # Of the two runs called "first" one has something of its id behind the name; the deleted one is not there.
    assert sorted(name.rsplit("-", 1)[0] for name in runs) == ["moons/failed", "moons/first", "moons/first"]
    wanted = sorted(expected.values(), key=lambda run: run["start"])
    for run, theirs in zip([runs["moons/first"], runs["moons/failed"]], [wanted[0], wanted[-1]], strict=True):
        assert set(run.scalars) == set(theirs["scalars"])
        for tag, points in theirs["scalars"].items():
            assert same(run.scalars[tag], points), tag
    first = runs["moons/first"]
    assert of_tag(first, SESSION_START_TAG).hparams == {"lr": 0.001, "depth": 12.0, "name": "résnet <b>", "bias": True}
    assert of_tag(first, SESSION_START_TAG).start_time_secs == wanted[0]["start"]
    assert of_tag(first, SESSION_END_TAG).status is Status.SUCCESS
    assert of_tag(first, "run/notes").strings.item() == NOTES
    assert ["team", "harbour: a"] in of_tag(first, "run/tags").strings.tolist()
    [(step, _, images)] = first.payloads["seen"]
    assert (step, images.width, images.height) == (3, 6, 4) and images.images[0].data.startswith(PNG)
    assert of_tag(first, "plain.png").images[0].mime == "image/png"


def test_wandb_comes_in_whole(unpacked: Any, shown: Any, tmp_path: Path) -> None:
    folder, expected = unpacked("wandb")
    imported("wandb", folder, tmp_path / "logs")
    [(name, run)] = shown(tmp_path / "logs").items()
    assert name == "moons/first"
    theirs = expected["abc123"]["scalars"]
    assert {tag for tag in run.scalars if not tag.startswith("system/")} == set(theirs)
    assert len(theirs) == 603  # one record spans several blocks of the log
    for tag, points in theirs.items():
        assert same(run.scalars[tag], points), tag
    assert math.isnan(run.scalars["odd"][0][2]) and run.scalars["odd"][2][2] == -math.inf
    assert [step for step, _, _ in run.scalars["system/memory_percent"]][:2] == [0, 1]
    start = of_tag(run, SESSION_START_TAG)
    assert start.hparams == {
        "lr": 0.001, "depth": 12.0, "model.name": "résnet <b>", "model.bias": True, "late": "yes",
    }  # fmt: skip
    assert of_tag(run, SESSION_END_TAG).status is Status.SUCCESS
    assert of_tag(run, "run/notes").strings.item() == NOTES
    assert ["tags", "a, b"] in of_tag(run, "run/tags").strings.tolist()
    assert of_tag(run, "word").strings.item() == "text"
    assert of_tag(run, "seen").images[0].data == next(folder.rglob("media/images/seen_*")).read_bytes()
    assert len(of_tag(run, "several").images) == 2
    assert of_tag(run, "weights").buckets.tolist() == [[1, 2, 1], [2, 3, 2], [3, 4, 1]]


def test_aim_comes_in_whole(unpacked: Any, shown: Any, tmp_path: Path) -> None:
    pytest.importorskip("aim", reason="aim's database is read through its package")
    folder, expected = unpacked("aim")
    imported("aim", folder, tmp_path / "logs")
    [(name, run)] = shown(tmp_path / "logs").items()
    [theirs] = expected.values()
    assert name == "moons/first"
    assert same(run.scalars["train/loss"], theirs["scalars"]["loss {'subset': 'train'}"])
    assert same(run.scalars["odd"], theirs["scalars"]["odd {}"])
    assert of_tag(run, SESSION_START_TAG).hparams["model.name"] == "résnet <b>"
    assert of_tag(run, "run/notes").strings.item() == NOTES
    assert of_tag(run, "seen").images[0].data.startswith(PNG)
    assert of_tag(run, "words").strings.item() == "hello <b>"
    assert of_tag(run, "weights").count.tolist() == [1, 2, 1]
    imported("aim", folder, tmp_path / "logs")  # a second time adds nothing
    assert len(list((tmp_path / "logs").rglob("*tfevents*"))) == 1


def test_without_aim_its_repository_is_refused_with_the_remedy(
    unpacked: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "aim", None)
    folder, _ = unpacked("aim")
    assert main(["import", "aim", str(folder), "--logdir", str(tmp_path / "logs")]) == 2
    assert "pip install aim" in capsys.readouterr().err
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(("source", "store"), [("mlflow", "mlruns"), ("mlflow", "mlflowdb"), ("wandb", "wandb")])
def test_a_second_import_changes_nothing(source: str, store: str, unpacked: Any, tmp_path: Path) -> None:
    folder, _ = unpacked(store)
    imported(source, folder, tmp_path / "logs")
    before = {path: path.read_bytes() for path in (tmp_path / "logs").rglob("*") if path.is_file()}
    imported(source, folder, tmp_path / "logs")
    assert {path: path.read_bytes() for path in (tmp_path / "logs").rglob("*") if path.is_file()} == before


def test_what_was_logged_since_is_added(unpacked: Any, shown: Callable[[Path], Any], tmp_path: Path) -> None:
    folder, _ = unpacked("mlruns")
    imported("mlflow", folder, tmp_path / "logs")
    before = shown(tmp_path / "logs")["moons/failed"].scalars["train/loss"]
    [metric] = [
        path
        for path in folder.rglob("metrics/train/loss")
        if path.read_text().endswith(" 0.25 1\n") and len(path.read_text().splitlines()) == 1
    ]
    with metric.open("a") as file:
        file.write("1794788000000 0.1 2\n1794788000001 0.3")  # the second is still being written
    imported("mlflow", folder, tmp_path / "logs")
    after = shown(tmp_path / "logs")["moons/failed"].scalars["train/loss"]
    assert after == [*before, (2, 1794788000.0, 0.1)]


def test_a_run_that_is_being_written_comes_in_as_far_as_it_is(unpacked: Any, shown: Any, tmp_path: Path) -> None:
    folder, expected = unpacked("wandb")
    [path] = folder.rglob("run-*.wandb")
    whole = path.read_bytes()
    theirs = expected["abc123"]["scalars"]["train/loss"]
    for share in (0.12, 0.5, 0.83, 1.0):  # as it grows, each import adds what came
        path.write_bytes(whole[: int(len(whole) * share)])
        imported("wandb", folder, tmp_path / "logs")
    run = shown(tmp_path / "logs")["moons/first"]
    assert same(run.scalars["train/loss"], theirs)
    assert sum(len(points) for tag, points in run.scalars.items() if tag.startswith("wide/")) == 600


def test_damage_and_other_files_are_refused_with_one_sentence(
    unpacked: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = unpacked("wandb")
    [path] = folder.rglob("run-*.wandb")
    broken = bytearray(path.read_bytes())
    broken[400] ^= 1
    path.write_bytes(broken)
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.db").write_text("no database")
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE a (b)")
    for source, where, reason in [
        ("wandb", folder, "a record is damaged (wrong checksum) at byte"),
        ("wandb", tmp_path / "text.db", "this is no run file of W&B"),
        ("wandb", tmp_path / "empty", "no run of W&B"),
        ("mlflow", tmp_path / "empty", "no MLflow store"),
        ("mlflow", tmp_path / "text.db", "this is no MLflow database"),
        ("mlflow", tmp_path / "other.db", "this is no MLflow database"),
        ("mlflow", tmp_path / "gone", "no such file or folder"),
        ("aim", tmp_path / "empty", "no repository of Aim"),
    ]:
        assert main(["import", source, str(where), "--logdir", str(tmp_path / "logs")]) == 2
        errors = capsys.readouterr().err
        assert errors.startswith(f"seamark import: {reason}") and errors.count("\n") == 1, errors


def test_images_outside_the_run_are_not_taken(unpacked: Any, shown: Any, tmp_path: Path) -> None:
    """A log may name any path; a missing file is reported."""
    folder, _ = unpacked("wandb")
    [seen] = folder.rglob("media/images/seen_*")
    elsewhere = tmp_path / "secret.png"
    shutil.move(seen, elsewhere)
    seen.symlink_to(elsewhere)
    imported("wandb", folder, tmp_path / "logs")
    assert "seen" not in shown(tmp_path / "logs")["moons/first"].payloads


def test_links_in_a_store_of_mlflow_are_not_followed(unpacked: Any, shown: Any, tmp_path: Path) -> None:
    folder, _ = unpacked("mlruns")
    secret = tmp_path / "secret"
    secret.write_text("1700000000000 42.0 0\n")
    for metrics in folder.glob("*/*/metrics"):
        (metrics / "stolen").symlink_to(secret)
    for params in folder.glob("*/*/params"):
        (params / "stolen").symlink_to(secret)
    imported("mlflow", folder, tmp_path / "logs")
    runs = shown(tmp_path / "logs")
    assert runs and not any("stolen" in run.scalars for run in runs.values())
    assert "stolen" not in of_tag(runs["moons/first"], SESSION_START_TAG).hparams
