"""Records of runs: sources of hyperparameters, merging, and invalid files."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import structs

from seamark.compare import RunTable
from seamark.compare.record import hparams_events, records
from seamark.compare.record.config_files import RunFiles, is_current, read_files
from seamark.compare.record.flatten import flattened
from seamark.compare.test_support import BEGAN, cells, log_run, matching, table_of, write_record
from seamark.format.types import RunName, Tag
from seamark.kinds.hparams import SessionEnd, Status
from seamark.store.test_support import append, scalar_bytes, wait_until


def test_runs_of_a_sweep_share_the_names_in_their_records(tmp_path: Path) -> None:
    for run, lr in (("a", 0.1), ("b", 0.2)):
        write_record(tmp_path / run, config={"lr": lr, "optimizer": {"name": "adam"}})
    a, b = read_files(tmp_path / "a"), read_files(tmp_path / "b")
    assert a.record_keys == ("lr", "optimizer.name")
    assert a.record_keys is b.record_keys


def test_sources_are_merged_and_later_ones_win(tmp_path: Path) -> None:
    run = log_run(tmp_path / "a", {"lr": 0.1, "depth": 3.0})
    (run / "config.yaml").write_text("lr: 9\noptim:\n  name: adam\n  betas: [0.9, 0.99]\nseed: 1\n")
    (run / "args.json").write_text('{"seed": 2, "amp": true, "nothing": null}')
    (run / ".hydra").mkdir()
    (run / ".hydra/config.yaml").write_text("hydra_only: x\nseed: 0\n")
    write_record(run, config={"depth": 5, "nested": {"deep": {"er": "yes"}}, "bad": "NaN"})
    with table_of(tmp_path) as table:
        found = {column.name: cells(table, column.id)["a"] for column in table.columns() if column.source == "param"}
    assert math.isnan(found.pop("bad"))
    assert found == {
        "lr": 0.1, "optim.name": "adam", "optim.betas": "[0.9, 0.99]", "seed": 2, "amp": True, "hydra_only": "x",
        "depth": 5, "nested.deep.er": "yes",
    }  # fmt: skip


def test_nested_names_in_files_and_events_are_merged(tmp_path: Path) -> None:
    logged = {"lr": 0.1, "cfg/a": 1.0, "cfg/deep.er/b": True, "blocks/0/sub/width": 4.0, "model/depth": 2.0}
    run = log_run(tmp_path / "a", logged)
    nested = "cfg:\n  a: 1\n  deep.er:\n    b: true\n  other: x\nblocks:\n- sub:\n    width: 4\n"
    (run / "hparams.yaml").write_text(f"lr: 0.1\nmodel: wide\n{nested}")
    with table_of(tmp_path) as table:
        found = {column.name: cells(table, column.id)["a"] for column in table.columns() if column.source == "param"}
    assert found == {**logged, "cfg.other": "x", "model": "wide"}


def test_null_in_run_json_removes_a_hyperparameter(tmp_path: Path) -> None:
    write_record(log_run(tmp_path / "a", {"resume": "", "lr": 0.1}), config={"resume": None, "lr": 0.1})
    with table_of(tmp_path) as table:
        assert [column.name for column in table.columns() if column.source == "param"] == ["lr"]


def test_common_yaml(tmp_path: Path) -> None:
    text = "lr: 1e-3\nneg: -2E+4\nversion: 1e\ntuple: !!python/tuple [1, 2]\nobj: !Own {a: 1}\ncls: !!python/name:a.B ''\nday: 2026-11-01\n3: three\n"
    (log_run(tmp_path / "a", loss=[1.0]) / "hparams.yaml").write_text(text)
    with table_of(tmp_path) as table:
        assert table.problems() == []
        found = {column.name: cells(table, column.id)["a"] for column in table.columns() if column.source == "param"}
    assert found == {
        "lr": 1e-3, "neg": -2e4, "version": "1e", "tuple": "[1, 2]", "obj.a": 1, "cls": "a.B", "day": "2026-11-01", "3": "three",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.yaml", b"a: [1, 2\nb: 3", "not YAML: "),
        ("config.yaml", b"a: b: c", "in line 1"),
        ("config.yaml", b"- 1\n- 2\n", "want a mapping at the top level, got a list"),
        ("config.yaml", b"\xff\xfe\x00", "not UTF-8"),
        ("config.yaml", b"a: !!timestamp nonsense", "not YAML"),
        ("params.json", b"{", "not JSON"),
        ("params.json", b"[" * 100_000, "nested more than 100 levels"),
        ("run.json", b"{}", "has no"),
        ("config.yaml", b"x: 1\n" * 1_000_000, "want at most 4 MB"),
    ],
)
def test_an_invalid_file_is_a_problem_of_its_run(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    run = log_run(tmp_path / "a", {"lr": 0.1})
    (run / name).write_bytes(content)
    (log_run(tmp_path / "b") / "config.yaml").write_text("lr: 0.2")
    with table_of(tmp_path) as table:
        (problem,) = table.problems()
        assert message in problem and problem.endswith(f"{name}'")
        assert cells(table, "param:lr") == {"a": 0.1, "b": 0.2}


def test_runs_of_add_hparams_are_merged_into_the_parent(tmp_path: Path) -> None:
    log_run(tmp_path / "train", loss=[3.0, 1.0])
    end = SessionEnd(Status.SUCCESS, BEGAN + 60)
    log_run(tmp_path / "train/1700000005.25", {"lr": 0.1}, end=end, hparam__acc=[0.9], loss=[9.0])
    log_run(tmp_path / "train/by_name", {"lr": 0.1}, hparam__acc=[0.95], began=BEGAN + 9)
    with table_of(tmp_path) as table:
        assert table.names == ["train"]
        assert table.merged_into == {"train/1700000005.25": "train", "train/by_name": "train"}
        assert cells(table, "param:lr") == {"train": 0.1}
        # The later note counts, and the run's own series before any note.
        assert cells(table, "metric:hparam/acc:last") == {"train": pytest.approx(0.95)}
        assert cells(table, "metric:loss:last") == {"train": 1.0}
        assert cells(table, "run:status") == {"train": "finished"}
        assert matching(table, runs=["train/by_name"]) == ["train"]


def test_different_trials_of_one_writer_stay_rows(tmp_path: Path) -> None:
    log_run(tmp_path / "sweep")
    for at, lr in enumerate((0.1, 0.2)):
        log_run(tmp_path / f"sweep/170000000{at}.5", {"lr": lr}, acc=[lr])
    with table_of(tmp_path) as table:
        assert table.merged_into == {}
        assert cells(table, "param:lr") == {"sweep/1700000000.5": 0.1, "sweep/1700000001.5": 0.2}


def test_sessions_below_a_root_run_are_not_merged(tmp_path: Path) -> None:
    log_run(tmp_path, loss=[1.0])
    log_run(tmp_path / "a", {"lr": 0.1}, loss=[1.0])
    log_run(tmp_path / "b", {"lr": 0.1}, loss=[1.0, 2.0])
    with table_of(tmp_path) as table:
        assert sorted(table.names) == [".", "a", "b"]


def test_a_timestamped_run_is_merged_into_the_root(tmp_path: Path) -> None:
    log_run(tmp_path, loss=[1.0])
    log_run(tmp_path / "1700000005.25", {"lr": 0.1}, acc=[1.0])
    with table_of(tmp_path) as table:
        assert table.names == ["."] and table.merged_into == {"1700000005.25": "."}


def test_changed_files_are_read_again(tmp_path: Path) -> None:
    run = log_run(tmp_path / "a", loss=[1.0])
    with table_of(tmp_path) as table:
        before = table.version
        assert table.refresh(look=True) == before
        (run / "config.yaml").write_text("lr: 1")
        assert table.refresh(look=True) > before
        assert cells(table, "param:lr") == {"a": 1}
        (run / "config.yaml").write_text("lr: 2")
        os.utime(run / "config.yaml", ns=(1, 1))
        table.refresh(look=True)
        assert cells(table, "param:lr") == {"a": 2}
        (run / "config.yaml").unlink()
        table.refresh(look=True)
        assert [column.id for column in table.columns() if column.source == "param"] == []


def test_a_start_that_is_known_after_the_layout_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = log_run(tmp_path / "a", loss=[1.0])
    with table_of(tmp_path, follow=True) as loaded:
        store = loaded.store
        with monkeypatch.context() as patch:
            # As a run is seen whose file is read between the two requests.
            early = structs.replace(store.run(RunName("a")), first_wall=None)
            patch.setattr(store, "run", lambda name: early)
            table = RunTable(store)
            assert cells(table, "run:started") == {}
        append(next(run.iterdir()), scalar_bytes("loss", [(1, 0.5)]))
        wait_until(store, lambda: [info.points for info in store.runs()] == [2])
        table.refresh()
        assert cells(table, "run:started") == {"a": BEGAN}


def test_fields_from_run_json(tmp_path: Path) -> None:
    write_record(
        log_run(tmp_path / "p/a", loss=[1.0]),
        name="my run", project="p", group="g", job_type="train", tags=["x", "y"], notes="fine", status="crashed",
        started_at=BEGAN - 5, ended_at=BEGAN + 55, last_step=7, command=["train.py", "--lr", "1"],
        git={"commit": "abc", "branch": "main", "dirty": True}, host={"name": "box"}, python={"version": "3.11"},
        gpus=[{"name": "H100"}, {"name": "H100"}], summary={"best": 0.5, "loss": 1.0, "nested": {"x": 1}},
    )  # fmt: skip
    log_run(tmp_path / "b", loss=[1.0])
    with table_of(tmp_path) as table:
        row = {column.name: cells(table, column.id).get("p/a") for column in table.columns() if column.source == "run"}
        assert cells(table, "summary:best") == {"p/a": 0.5}
        assert [column.id for column in table.columns() if column.source == "summary"] == [
            "summary:best",
            "summary:nested.x",
        ]
        assert cells(table, "run:status")["b"] == "stopped"
    row.pop("path")
    assert row == {
        "name": "p/a", "label": "my run", "project": "p", "group": "g", "job_type": "train", "status": "crashed",
        "started": BEGAN - 5, "ended": BEGAN + 55, "duration": 60.0, "host": "box", "commit": "abc", "branch": "main",
        "dirty": True, "command": "train.py --lr 1", "tags": ["x", "y"], "notes": "fine", "star": False,
        "archived": False, "last_step": 0, "points": 1, "python": "3.11", "gpu": "2 × H100",
    }  # fmt: skip


def test_files_are_checked_without_blocking_queries(tmp_path: Path) -> None:
    run = log_run(tmp_path / "a", loss=[1.0])
    log_run(tmp_path / "b", loss=[1.0])
    with table_of(tmp_path) as table:
        (run / "config.json").write_text('{"lr": 1}')
        assert table.refresh(look=False) == table.version and table.known_names().params == {}
        table.look()
        table.refresh(look=False)
        assert cells(table, "param:lr") == {"a": 1}


@pytest.mark.timed
def test_a_run_that_ends_between_two_checks_is_noticed(tmp_path: Path) -> None:
    """The last event and run.json are written at about the same time; the table may refresh between the two."""
    run = log_run(tmp_path / "a", loss=[1.0])
    write_record(run, status="running", writer={"host": "far away"}, heartbeat_at=BEGAN + 9_999)
    with table_of(tmp_path, follow=True, reload_secs=0.05) as table:
        assert cells(table, "run:status") == {"a": "running"}
        append(next(run.glob("*tfevents*")), scalar_bytes("loss", [(5, 1.0)]))
        wait_until(table.store, lambda: table.store.run(RunName("a")).points == 2)  # type: ignore[union-attr]
        table.refresh(look=False)
        write_record(run, status="finished", ended_at=BEGAN + 10)

        def has_ended() -> bool:
            table.refresh(look=False)
            return cells(table, "run:status") == {"a": "finished"}

        wait_until(table.store, has_ended)


def test_runs_that_ended_long_ago_are_not_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run being written may end at any time; thousands that ended long ago need no check at every refresh."""
    looked: list[str] = []

    def noted(folder: Path, files: RunFiles) -> bool:
        looked.append(folder.name)
        return is_current(folder, files)

    monkeypatch.setattr(records, "is_current", noted)
    monkeypatch.setattr(records, "LOOK_SECS", 0.0)  # nothing is too soon
    log_run(tmp_path / "old", loss=[1.0])
    log_run(tmp_path / "new", loss=[1.0], began=time.time())
    with table_of(tmp_path) as table:
        table.refresh(look=False)
        assert looked == ["new"]
        table.refresh(look=True)
        assert sorted(looked) == ["new", "new", "old"]


def test_a_session_is_decoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its values are cached unless run.json has them all."""
    decoded: list[int] = []

    def noted(series: Iterable[tuple[RunName, Tag, bytes]]) -> hparams_events.Logged:
        decoded.append(1)
        return logged(series)

    logged = hparams_events.logged
    monkeypatch.setattr(hparams_events, "logged", noted)
    values = {"lr": 0.1, "amp": True, "optim": "größer", "none": math.nan}
    log_run(tmp_path / "alone", values)
    write_record(log_run(tmp_path / "in_record", {"lr": 0.1}), config={"lr": 0.5, "depth": 2})
    write_record(log_run(tmp_path / "partly", {"lr": 0.1, "amp": False}), config={"lr": 0.5})
    with table_of(tmp_path) as table:
        assert len(decoded) == 2  # the names of "in_record" are read without protobuf
        assert cells(table, "param:lr") == {"alone": 0.1, "in_record": 0.5, "partly": 0.5}
        assert cells(table, "param:amp") == {"alone": True, "partly": False}
        assert cells(table, "param:optim") == {"alone": "größer"}
        assert math.isnan(cells(table, "param:none")["alone"])
        assert len(decoded) == 2


def test_child_runs_inherit_hyperparameters(tmp_path: Path) -> None:
    """Keras logs the hyperparameters in the run and the metrics in its subfolders."""
    log_run(tmp_path / "trial", {"units": 16.0})
    for name in ("train", "validation"):
        log_run(tmp_path / f"trial/{name}", epoch_loss=[2.0, 1.0])
    (log_run(tmp_path / "trial/own", loss=[1.0]) / "config.json").write_text('{"lr": 1}')
    log_run(tmp_path / "other/train", loss=[1.0])
    with table_of(tmp_path) as table:
        assert table.merged_into == {}
        assert table.inherits_params_from == {"trial/train": "trial", "trial/validation": "trial"}
        assert cells(table, "param:units") == {"trial": 16, "trial/train": 16, "trial/validation": 16}
        assert matching(table, 'units == 16 and endswith(name, "validation") and metric["epoch_loss"] < 2') == [
            "trial/validation"
        ]


@pytest.mark.timed
def test_hyperparameters_logged_after_the_child_runs(tmp_path: Path) -> None:
    log_run(tmp_path / "trial/train", loss=[1.0])
    with table_of(tmp_path, follow=True, reload_secs=0.05) as table:
        assert matching(table) == ["trial/train"]
        log_run(tmp_path / "trial", {"units": 16.0})

        def has_both() -> bool:
            table.refresh(look=True)
            return "units" in table.known_names().params and cells(table, "param:units") == {
                "trial": 16,
                "trial/train": 16,
            }

        wait_until(table.store, has_both)
        write_record(tmp_path / "trial", config={"units": 32})
        table.refresh(look=True)
        assert cells(table, "param:units") == {"trial": 32, "trial/train": 32}


@pytest.mark.parametrize(
    "odd", [{}, {"size": 1 << 1100}, {"text": "é\ud800"}, {"nest": {"a": {"b": 1}}}, {"list": [1, "x"]}, {3: "three"}]
)
def test_the_fast_path_for_flat_configurations_gives_the_same_result(odd: dict[object, object]) -> None:
    plain = {"lr": 0.1, "steps": 1000, "opt": "adam", "amp": True, "resume": None}
    found = flattened({**plain, **odd})
    assert {key: found.pop(key) for key in plain} == plain
    assert list(found.values()) == {
        "size": [str(1 << 1100)], "text": ["é?"], "nest": [1], "list": ['[1, "x"]'], "3": ["three"],
    }.get("".join(map(str, odd)), [])  # fmt: skip
    assert math.isnan(flattened({**plain, "loss": "NaN"}, parse_text_floats=True)["loss"])  # type: ignore[arg-type]
    assert flattened({"loss": "NaN"}) == {"loss": "NaN"}


def test_a_pipe_named_like_a_configuration_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(log_run(tmp_path / "a", loss=[1.0]) / "params.json")
    with table_of(tmp_path) as table:
        assert table.names == ["a"] and "not a regular file" in table.problems()[0]
