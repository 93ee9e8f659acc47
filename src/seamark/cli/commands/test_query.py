"""`seamark query`, `seamark sql` and `seamark diff` on one small sweep, as people and as programs read them."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seamark.cli import main
from seamark.compare.test_support import log_run, write_record
from seamark.format.run_record import SCHEMA
from seamark.store.test_support import append, curve, file_start, scalar_bytes

START = 1_700_000_000.0
HOSTILE = "\x1b[31m<script>,\"'=1+1\n🌊"


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """Three runs of a sweep, one of them NaN in the end, and one with a name that tries everything."""
    for lr, end in ((0.1, 3.0), (0.01, 0.25), (0.001, math.nan)):
        make_run(tmp_path, f"lr{lr}", end, {"lr": lr, "model": {"name": "resnet"}, "seed": 1})
    make_run(tmp_path, HOSTILE.replace("/", ""), 9.0, {"lr": "auto"})
    return tmp_path


def make_run(logdir: Path, name: str, end: float, config: dict[str, Any]) -> None:
    points = [*curve(1, 20, scale=0.5), (20, end)]
    append(logdir / name / "events.out.tfevents.1", file_start() + scalar_bytes("val/loss", points))
    record = {"schema": SCHEMA, "version": 1, "name": name, "status": "finished", "config": config, "started_at": START}
    git = {"commit": f"c{len(name)}", "branch": "main", "dirty": True, "diff_file": "git.diff"}
    (logdir / name / "git.diff").write_text("diff --git a/x b/x\n--- a/x\n+++ b/x\n+new line\n")
    (logdir / name / "run.json").write_text(
        json.dumps({**record, "ended_at": START + 90, "git": git, "command": ["train.py"]})
    )


def run_command(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    code = main([*words, "--state_dir", "none", "--index_dir", "none"])
    captured = capfdbinary.readouterr()
    return code, captured.out.decode(), captured.err.decode()


def test_a_table_for_people(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, err = run_command(
        capfdbinary, "query", "lr < 0.05", "--logdir", str(logdir), "--columns", "lr,val/loss.min", "--columns", "duration", "--sort", "val/loss.min",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()] == [
        ["name", "lr", "val/loss.min", "duration"],
        ["lr0.01", "0.01", "0.25", "1", "m", "30", "s"],
        ["lr0.001", "0.001", "0.5", "1", "m", "30", "s"],
    ]


def test_without_columns_it_shows_what_tells_runs_apart(
    logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, out, _ = run_command(capfdbinary, "query", "/^lr/", "--logdir", str(logdir), "--sort=-lr")
    head, *rows = out.splitlines()
    assert head.split() == ["name", "status", "started", "duration", "last_step", "lr", "val/loss.last"]
    assert code == 0 and [row.split()[0] for row in rows] == ["lr0.1", "lr0.01", "lr0.001"]
    assert rows[-1].split()[-1] == "NaN"


def test_names_cannot_command_the_terminal(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run_command(capfdbinary, "query", "--logdir", str(logdir))
    assert code == 0 and "\x1b" not in out and len(out.splitlines()) == 5 and "<script>" in out


def test_csv_and_json_hold_everything_exactly(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    _, out, _ = run_command(
        capfdbinary, "query", "--logdir", str(logdir), "--columns", "lr,val/loss", "--format", "csv", "--sort", "name"
    )
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == ["name", "lr", "val/loss"] and len(rows) == 5
    values = {row[0]: row[1:] for row in rows[1:]}
    assert values["lr0.001"] == ["0.001", "NaN"] and values[HOSTILE.replace("/", "")] == ["auto", "9.0"]
    _, out, _ = run_command(capfdbinary, "query", "lr0.0", "--logdir", str(logdir), "--format", "json")
    first = {row["name"]: row for row in json.loads(out)}["lr0.001"]
    assert first["val/loss.last"] == "NaN" and first["val/loss.min"] == 0.5
    assert first["model.name"] == "resnet" and first["lr"] == 0.001


def test_parquet_keeps_types(
    logdir: Path, tmp_path_factory: pytest.TempPathFactory, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path_factory.mktemp("out") / "runs.parquet"
    words = ("query", "/^lr/", "--logdir", str(logdir), "--format", "parquet", "--sort", "lr")
    assert run_command(capfdbinary, *words, "-o", str(target))[0] == 0
    table = parquet.read_table(target)
    assert table["lr"].to_pylist() == [0.001, 0.01, 0.1] and str(table.schema.field("seed").type) == "int64"
    code, _, err = run_command(capfdbinary, *words, "-o", str(target))
    assert code == 2 and "not overwritten" in err
    code, _, err = run_command(capfdbinary, *words)
    assert code == 2 and "Parquet needs a file" in err


def test_limit_and_an_empty_answer(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run_command(
        capfdbinary, "query", "--logdir", str(logdir), "--limit", "1", "--sort", "lr", "--columns", "lr"
    )
    assert code == 0 and [line.split()[0] for line in out.splitlines()] == ["name", "lr0.001"]
    code, out, _ = run_command(capfdbinary, "query", "lr > 100", "--logdir", str(logdir), "--columns", "lr")
    assert code == 0 and out.splitlines() == ["name  lr"]
    code, out, _ = run_command(capfdbinary, "query", "lr > 100", "--logdir", str(logdir), "--format", "json")
    assert json.loads(out) == []


@pytest.mark.parametrize(
    ("words", "message", "mark"),
    [
        (("lr = 0.1",), "==", "     ^"),
        (("lr < 0.1 and",), "missing", "^"),
        (("nope < 1",), "nope", "  ^^^^"),
        (("lr", "--columns", "val/los.min"), "did you mean 'val/loss'", ""),
        (("lr", "--sort", "lrr"), "did you mean 'lr'", ""),
    ],
)
def test_a_wrong_question_is_answered_with_the_place(
    words: tuple[str, ...], message: str, mark: str, logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, out, err = run_command(capfdbinary, "query", *words, "--logdir", str(logdir))
    assert (code, out) == (2, "") and err.startswith("seamark query: ") and message in err and mark in err


def test_sql_joins_runs_hyperparameters_and_points(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    question = """
        select run, number as lr, min(value) as low, count(*) as points, max(step) as last
        from scalars join params using (run) join runs using (run)
        where key = 'lr' and tag = 'val/loss' and status = 'finished' and number is not null and not isnan(value)
        group by all order by lr
    """
    code, out, _ = run_command(capfdbinary, "sql", question, "--logdir", str(logdir), "--format", "json")
    assert code == 0
    assert json.loads(out) == [
        {"run": "lr0.001", "lr": 0.001, "low": 0.5, "points": 19, "last": 19},
        {"run": "lr0.01", "lr": 0.01, "low": 0.25, "points": 20, "last": 20},
        {"run": "lr0.1", "lr": 0.1, "low": 0.5, "points": 20, "last": 20},
    ]


def test_sql_knows_times_and_text(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    _, out, _ = run_command(
        capfdbinary,
        "sql",
        "select distinct epoch(ended - started) as secs, commit from runs where run = 'lr0.1'",
        "--logdir",
        str(logdir),
    )
    assert [line.split() for line in out.splitlines()] == [["secs", "commit"], ["90", "c5"]]
    _, out, _ = run_command(
        capfdbinary,
        "sql",
        "select key, text, number from params where text = 'auto' or key = 'seed' order by key limit 1",
        "--logdir",
        str(logdir),
        "--format",
        "csv",
    )
    assert out == "key,text,number\nlr,auto,\n"


def test_sql_as_parquet_and_what_cannot_be(
    logdir: Path, tmp_path_factory: pytest.TempPathFactory, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pytest.importorskip("duckdb")
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path_factory.mktemp("out") / "points.parquet"
    run_command(
        capfdbinary,
        "sql",
        "select *, 1 as step from scalars",
        "--logdir",
        str(logdir),
        "--format",
        "parquet",
        "-o",
        str(target),
    )
    table = parquet.read_table(target)
    assert table.num_rows == 80 and table.column_names == ["tag", "run", "step", "wall_time", "value", "step_2"]
    code, out, err = run_command(capfdbinary, "sql", "selec 1", "--logdir", str(logdir))
    assert (code, out) == (2, "") and err.startswith("seamark sql: Parser Error")
    code, _, err = run_command(capfdbinary, "sql", "select nope from runs", "--logdir", str(logdir))
    assert code == 2 and "nope" in err


def test_points_reach_sql_without_a_copy(logdir: Path) -> None:
    pytest.importorskip("pyarrow")
    import numpy as np

    import seamark
    from seamark.read.relations import scalars_table

    with seamark.open(logdir, index_dir=None) as runs:
        table = scalars_table(runs["lr0.1"])
        held = runs["lr0.1"].scalars("val/loss").value
        assert table["value"].chunk(0).buffers()[1].address == held.ctypes.data
        assert np.array_equal(table["step"].to_numpy(), np.arange(1, 21))


def test_without_duckdb_sql_says_what_to_install(
    logdir: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = run_command(capfdbinary, "sql", "select 1", "--logdir", str(logdir))
    assert code == 2 and "pip install 'seamark[sql]'" in err


def test_a_difference_for_people(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, err = run_command(capfdbinary, "diff", "lr0.1", "lr0.01", "--logdir", str(logdir))
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert lines[:3] == [["config"], ["lr0.1", "lr0.01"], ["lr", "0.1", "0.01"]]
    assert ["commit", "c5", "c6"] in lines and "seed" not in out
    (metric,) = (line for line in lines if line[:1] == ["val/loss"])
    assert metric[1:7] == ["3", "0.5", "1", "0.25", "0.25", "20"]


def test_a_difference_shows_the_lines_of_a_note(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for run, notes in (("lr0.1", "first\n\nthird"), ("lr0.01", "one")):
        path = logdir / run / "run.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"notes": notes}))
    _, out, _ = run_command(capfdbinary, "diff", "lr0.1", "lr0.01", "--logdir", str(logdir))
    assert "    lr0.1   first\n            \n            third\n    lr0.01  one\n" in out
    assert "�" not in out


def test_a_difference_can_show_all_and_the_changes_of_code(
    logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    _, out, _ = run_command(
        capfdbinary, "diff", "lr0.1", "lr0.01", "lr0.001", "--all", "--patch", "--logdir", str(logdir)
    )
    assert "seed" in out and out.count("+new line") == 3


def test_a_difference_for_programs(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    _, out, _ = run_command(
        capfdbinary, "diff", "lr0.1", "lr0.001", "--json", "--tags", "loss", "--logdir", str(logdir)
    )
    diff = json.loads(out)
    assert diff["runs"] == ["lr0.1", "lr0.001"] and diff["metrics"][0]["final"] == [3.0, "NaN"]
    config = next(section for section in diff["sections"] if section["name"] == "config")
    assert {"key": "lr", "values": [0.1, 0.001], "state": "changed"} in config["rows"]


def test_a_difference_needs_two_runs_that_exist(logdir: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, _, err = run_command(capfdbinary, "diff", "lr0.1", "lr0.1", "--logdir", str(logdir))
    assert code == 2 and "two or more runs to compare, got 1 run" in err
    code, _, err = run_command(capfdbinary, "diff", "lr0.1", "lr0.2", "--logdir", str(logdir))
    assert code == 2 and "no run called 'lr0.2'; did you mean" in err


def test_runs_of_which_nothing_is_known_are_compared_by_their_metrics(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for name in ("a", "b"):
        append(tmp_path / name / "events.out.tfevents.1", file_start() + scalar_bytes("loss", curve(0, 5)))
    code, out, _ = run_command(capfdbinary, "diff", "a", "b", "--logdir", str(tmp_path))
    assert code == 0 and out.startswith("these runs have metrics only") and "loss" in out


def test_long_values_that_differ_are_printed_whole(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        log_run(tmp_path / name, loss=[1.0])
        write_record(tmp_path / name, command=["train.py", "--data", "x" * 60, "--seed", str(seed)])
    code, out, _ = run_command(capfdbinary, "diff", "a", "b", str(tmp_path))
    assert code == 0 and f"a  train.py --data {'x' * 60} --seed 1\n" in out and "--seed 2\n" in out


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('{file}')",
        "copy (select 1) to '{file}.new'",
        "attach '{file}.db'",
        "install httpfs",
        "set enable_external_access = true",
    ],
)
def test_sql_reaches_nothing_but_its_tables(
    logdir: Path, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, sql: str
) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("key\n42\n")
    code, out, error = run_command(capfdbinary, "sql", sql.format(file=secret), str(logdir))
    assert code == 2 and out == "" and error.startswith("seamark sql: ")
    assert [path.name for path in tmp_path.glob("secret*")] == ["secret.csv"]


def test_a_name_that_looks_like_a_formula_is_text_in_csv(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    log_run(tmp_path / '=HYPERLINK("x")', {"shift": "-3", "note": "+1+1"}, loss=[-1.5])
    _, out, _ = run_command(capfdbinary, "query", str(tmp_path), "--format", "csv", "--columns", "shift,note,loss")
    assert out.splitlines()[1] == '"\'=HYPERLINK(""x"")",-3,\'+1+1,-1.5'
    _, out, _ = run_command(capfdbinary, "export", "csv", str(tmp_path))
    assert ",\"'=HYPERLINK(" in out


def test_metrics_of_the_machine_are_shown_when_asked_for(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    log_run(tmp_path / "a", system__cpu=[1.0], loss=[1.0])
    _, out, _ = run_command(capfdbinary, "query", str(tmp_path))
    assert "loss" in out and "system/" not in out
    assert "system/cpu" in run_command(capfdbinary, "query", str(tmp_path), "--columns", "system/cpu")[1]


@pytest.mark.timed
def test_a_reader_that_has_seen_enough_is_no_failure(logdir: Path) -> None:
    program = "import sys; from seamark.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "query", str(logdir)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert (process.stderr.read(), process.wait(60)) == (b"", 0)
