from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from seamark import _core
from seamark.cli import main

START = 1_700_000_000.0


def write_run(folder: Path, tag: str, steps: list[int], values: list[float]) -> Path:
    """An event file with one scalar series, a point per second."""
    folder.mkdir(parents=True)
    path = folder / "events.out.tfevents.1.host"
    walls = START + np.arange(len(steps), dtype=np.float64)
    index = np.zeros(len(steps), np.uint32)
    events = _core.encode_scalars([tag.encode()], index, np.array(steps), walls, np.array(values))
    path.write_bytes(_core.encode_file_version(START) + events)
    return path


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """Two runs; the second wrote a step late, saw a NaN, and has a damaged record at its end."""
    write_run(tmp_path / "first", "loss", [0, 10, 20], [3.0, 2.0, 1.5])
    path = write_run(tmp_path / "second", "accuracy/top 1", [0, 10, 5, 2000], [0.5, math.nan, 0.25, 0.75])
    with path.open("ab") as file:
        file.write(_core.frame(b"\xff\xff\xff"))
    return tmp_path


def test_text_names_runs_tags_counts_steps_and_problems(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "--logdir", str(logdir)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 runs, 2 files, ")
    assert lines[0].endswith("7 scalar points, 0 payloads")
    assert lines[2].startswith("first  (1 file, ")
    assert lines[3:5] == ["  scalars", "    loss  3  steps 0 … 20  last 1.5"]
    assert lines[8] == "    accuracy/top 1  4  steps 0 … 2,000  last 0.75, 1 NaN"
    assert lines[10] == "1 problem"
    assert lines[11].startswith("  error: ")


def test_columns_are_aligned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_run(tmp_path / "run", "a", [0, 1], [1.0, 2.0])
    with path.open("ab") as file:
        file.write(_core.encode_scalar(b"longer", 5.0, 7, START))
    main(["inspect", "--logdir", str(tmp_path)])
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "    a       2  steps 0 … 1  last 2",
        "    longer  1  step 7       last 5",
    ]


def test_numbers_in_tags_count_as_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_run(tmp_path / "run", "layer_10/loss", [0], [1.0])
    with path.open("ab") as file:
        file.write(_core.encode_scalar(b"layer_2/loss", 5.0, 7, START))
    main(["inspect", "--logdir", str(tmp_path), "--json"])
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert [series["tag"] for series in run["series"]] == ["layer_2/loss", "layer_10/loss"]


def test_json_holds_the_same(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "--logdir", str(logdir), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first, second = found["runs"]
    assert (first["name"], first["files"], first["points"]) == ("first", 1, 3)
    assert (first["first_wall"], first["last_wall"]) == (START, START + 2)
    [series] = second["series"]
    assert (series["tag"], series["kind"]) == ("accuracy/top 1", "scalars")
    assert (series["count"], series["attempts"], series["nan"]) == (4, 1, 1)
    assert (series["first_step"], series["last_step"]) == (0, 2000)
    assert (series["last_value"], series["min_value"], series["max_value"]) == (0.75, 0.25, 0.75)
    [problem] = found["problems"]
    assert (problem["severity"], problem["run"]) == ("error", "second")


def test_numbers_that_json_lacks_are_strings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "run", "loss", [0, 1], [1.0, math.inf])
    main(["inspect", "--logdir", str(tmp_path), "--json"])
    [run] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["runs"]
    assert run["series"][0]["last_value"] == "Infinity"


def test_filters_choose_runs_and_tags(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["inspect", "--logdir", str(logdir), "--json", "--run", "^sec", "--tag", "loss"])
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert (run["name"], run["series"]) == ("second", [])


def test_an_empty_folder_has_no_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "--logdir", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no runs\n"


@pytest.mark.parametrize(
    ("name", "reason"), [("gone", "no such log directory"), ("file", "a log directory must be a folder")]
)
def test_a_bad_path_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str) -> None:
    (tmp_path / "file").write_text("")
    assert main(["inspect", "--logdir", str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"seamark inspect: {reason}")
    assert captured.err.count("\n") == 1


def test_a_folder_without_event_files_says_what_else_it_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "run" / "plugins" / "profile" / "2026_01_01"
    profile.mkdir(parents=True)
    (profile / "host.xplane.pb").write_bytes(b"")
    (tmp_path / "projector_config.pbtxt").write_text("")
    assert main(["inspect", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"no event files, but profiles in '{profile}'; the page shows them on the tab Profile" in lines
    assert f"no event files, but embeddings in '{tmp_path}'; the page shows them on the tab Projector" in lines
    assert lines[-1] == "no runs"

    # Beside runs, too.
    write_run(tmp_path / "other", "loss", [0], [1.0])
    assert main(["inspect", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 run") and f"profiles in '{profile}'; the page shows them on the tab Profile" in lines


def test_a_file_with_nothing_but_its_header_has_nothing_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "events.out.tfevents.1.host").write_bytes(_core.encode_file_version(START))
    assert main(["inspect", str(tmp_path)]) == 0
    assert "1 file, 40 bytes, nothing logged" in capsys.readouterr().out
