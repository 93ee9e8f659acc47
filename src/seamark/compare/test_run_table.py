"""The table: types, blanks, order, and that a refresh costs what changed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from seamark.compare import RunTable, UnknownColumnError
from seamark.compare.test_support import cells, log_run, matching, table_of, write_record
from seamark.store import Store
from seamark.store.test_support import append, file_start, scalar_bytes, wait_until


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    log_run(tmp_path / "run10", {"lr": 0.1, "opt": "sgd", "bn": True, "x": 1.0}, loss=[3.0, 1.0, 2.0])
    log_run(tmp_path / "run2", {"lr": 0.01, "opt": "adam", "bn": False, "x": "auto"}, loss=[math.nan, math.inf])
    log_run(tmp_path / "run1", {"lr": math.nan, "only": 1.0}, acc=[0.5])
    return tmp_path


def test_keys_that_some_runs_have_are_a_union_with_blanks(logdir: Path) -> None:
    with table_of(logdir) as table:
        types = {c.name: (c.type, c.runs, c.mixed) for c in table.columns() if c.source == "param"}
        assert types == {
            "lr": ("number", 3, False), "opt": ("text", 2, False), "bn": ("bool", 2, False), "x": ("text", 2, True),
            "only": ("number", 1, False),
        }  # fmt: skip
        assert table.problems() == ["'x' is a number in 1 and text in 1 of 2 runs; it is shown as text, numbers first"]
        listed = {c.id: c for c in table.columns()}
    assert (listed["param:lr"].low, listed["param:lr"].high) == (0.01, 0.1)
    assert listed["param:opt"].values == [("adam", 1), ("sgd", 1)]
    assert listed["metric:loss"].goal == "min" and listed["metric:acc"].goal == "max"
    assert listed["metric:loss"].runs == 2


def test_statistics_are_over_every_point(logdir: Path) -> None:
    with table_of(logdir) as table:
        of_run10 = {stat: cells(table, f"metric:loss:{stat}")["run10"] for stat in ("last", "min", "max", "min_step", "max_step", "mean", "first", "count", "tail")}  # fmt: skip
        assert of_run10 == {"last": 2, "min": 1, "max": 3, "min_step": 1, "max_step": 0, "mean": 2, "first": 3, "count": 3, "tail": 2}  # fmt: skip
        assert cells(table, "metric:loss:last")["run2"] == math.inf
        assert math.isnan(cells(table, "metric:loss:min")["run2"])
        assert "run2" not in cells(table, "metric:loss:min_step") and "run1" not in cells(table, "metric:loss:last")
        last_two = table.column("metric:loss:tail", tail=2)
        assert last_two.cells(table.select('name == "run10"').rows) == [1.5]


def test_blanks_come_last_either_way_and_names_count_as_people_do(logdir: Path) -> None:
    with table_of(logdir) as table:
        assert matching(table, sort=["run:name"]) == ["run1", "run2", "run10"]
        assert matching(table, sort=["param:lr"]) == ["run2", "run10", "run1"]
        assert matching(table, sort=["-param:lr"]) == ["run10", "run2", "run1"]
        assert matching(table, sort=["param:opt"]) == ["run2", "run10", "run1"]
        assert matching(table, sort=["-param:opt"]) == ["run10", "run2", "run1"]
        assert matching(table, sort=["param:x"]) == ["run10", "run2", "run1"]
        # NaN is a value: it stands before blanks.
        assert matching(table, sort=["-metric:loss:min"]) == ["run10", "run2", "run1"]


def test_several_columns_to_sort_by(tmp_path: Path) -> None:
    for name, group, value in (("a", 1.0, 5.0), ("b", 2.0, 6.0), ("c", 1.0, 7.0)):
        log_run(tmp_path / name, {"group_id": group}, loss=[value])
    with table_of(tmp_path) as table:
        assert matching(table, sort=["param:group_id", "-metric:loss:last"]) == ["c", "a", "b"]


def test_what_people_noted(logdir: Path) -> None:
    write_record(logdir / "run1", tags=["old"], notes="from the run")
    state = {"run1": {"tags": ["new"], "star": True, "label": "best"}, "run2": {"archived": True, "note": "bad"}}
    with table_of(logdir, state) as table:
        assert matching(table) == ["run10", "run1"] or sorted(matching(table)) == ["run1", "run10"]
        assert matching(table, archived="only") == ["run2"]
        assert matching(table, 'tag("new")') == ["run1"] and matching(table, 'tag("old")') == []
        assert matching(table, "star") == [] and matching(table, "star == True") == ["run1"]
        assert matching(table, "best") == ["run1"]
        assert cells(table, "run:notes") == {"run1": "from the run", "run2": "bad"}
        before = table.version
        assert table.refresh(dict(state)) == before
        assert table.refresh({}) > before
        assert sorted(matching(table, 'tag("old")')) == ["run1"] and len(matching(table)) == 3


def test_unknown_columns_name_the_nearest(logdir: Path) -> None:
    with table_of(logdir) as table:
        for wrong, near in (("param:lrr", "'lr'"), ("metric:los:min", "'loss'"), ("metric:loss:best", "'loss'"), ("run:nmae", "'name'")):  # fmt: skip
            with pytest.raises(UnknownColumnError, match=f"did you mean .*{near}"):
                table.column(wrong)


def test_names_that_people_give_columns(tmp_path: Path) -> None:
    (log_run(tmp_path / "a", val__loss=[1.0], acc=[1.0]) / "config.json").write_text(
        '{"optim": {"lr": 1, "wd": 2}, "model": {"wd": 3}, "acc": 4, "name": "own", "a.b": 5, "größe 🙂": 6}'
    )
    with table_of(tmp_path) as table:
        for text, meant in {
            "name": "run:name", "optim.lr": "param:optim.lr", "lr": "param:optim.lr", "val/loss": "metric:val/loss:last",
            "val/loss.min": "metric:val/loss:min", "metric:val/loss:mean": "metric:val/loss:mean", "acc": "param:acc",
            "acc.max": "metric:acc:max", "param:name": "param:name", "a.b": "param:a.b", "größe 🙂": "param:größe 🙂",
        }.items():  # fmt: skip
            assert table.resolve(text) == meant
        with pytest.raises(UnknownColumnError, match=r"any of 'optim\.wd', 'model\.wd'"):
            table.resolve("wd")


@pytest.mark.timed
def test_a_refresh_looks_only_at_runs_that_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        append(tmp_path / name / "events.out.tfevents.1", file_start() + scalar_bytes("loss", [(0, 4.0)]))
        (tmp_path / name / "config.json").write_text('{"lr": 1}')
    asked: list[Any] = []
    plain = Store.digests

    def counted(self: Store, tags: Any, runs: Any, *, tail: int) -> Any:
        asked.append(sorted(runs))
        return plain(self, tags, runs, tail=tail)

    monkeypatch.setattr(Store, "digests", counted)
    with table_of(tmp_path, follow=True, reload_secs=0.05) as table:
        assert cells(table, "metric:loss:min") == {"a": 4.0, "b": 4.0, "c": 4.0}
        lr = table.column("param:lr")
        seen = table.store.version
        append(tmp_path / "b" / "events.out.tfevents.1", scalar_bytes("loss", [(1, 2.0)]))
        # The store shows the point a moment before it counts the change.
        wait_until(table.store, lambda: table.store.version > seen)
        version = table.version
        assert table.refresh() > version
        assert cells(table, "metric:loss:min") == {"a": 4.0, "b": 2.0, "c": 4.0}
        assert asked == [["a", "b", "c"], ["b"]]
        assert table.column("param:lr") is lr, "hyperparameters did not change"


@pytest.mark.timed
def test_runs_that_come_and_go_while_the_table_is_open(tmp_path: Path) -> None:
    log_run(tmp_path / "a", {"lr": 1.0}, loss=[1.0])
    with table_of(tmp_path, follow=True, reload_secs=0.05) as table:

        def shows(*, lr: dict[str, float], last: dict[str, float]) -> bool:
            table.refresh()
            return cells(table, "param:lr") == lr and cells(table, "metric:loss:last") == last

        assert shows(lr={"a": 1.0}, last={"a": 1})
        log_run(tmp_path / "b", {"lr": 2.0}, loss=[2.0])
        wait_until(table.store, lambda: shows(lr={"a": 1.0, "b": 2.0}, last={"a": 1, "b": 2}))
        for file in (tmp_path / "a").iterdir():
            file.unlink()
        wait_until(table.store, lambda: shows(lr={"b": 2.0}, last={"b": 2}))


def test_an_empty_log_directory(tmp_path: Path) -> None:
    with table_of(tmp_path) as table:
        assert matching(table) == [] and matching(table, "points > 1") == []
        assert [column.source for column in table.columns()] == ["run"] * 23


def test_thousands_of_keys(tmp_path: Path) -> None:
    for name in "ab":
        write_record(log_run(tmp_path / name), config={f"k{at}": at for at in range(5000)})
    with table_of(tmp_path) as table:
        assert sum(column.source == "param" for column in table.columns()) == 5000
        assert matching(table, "k4999 == 4999 and k0 == 0") == ["a", "b"]


def test_a_table_is_the_same_from_many_threads(logdir: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def ask(table: RunTable) -> list[str]:
        table.refresh(look=True)
        return matching(table, "points > 0", ["run:name"])

    with table_of(logdir) as table, ThreadPoolExecutor(4) as pool:
        assert all(found == ["run1", "run2", "run10"] for found in pool.map(ask, [table] * 20))


def snapshot(table: RunTable) -> list[Any]:
    """Everything a table shows, by run."""
    rows = table.select(archived="show").rows
    ids = [c.id for c in table.columns() if c.source != "metric"] + [
        f"{c.id}:{stat}" for c in table.columns() for stat in c.stats
    ]
    columns = [table.column(column_id) for column_id in ids]
    return [[table.names[row] for row in rows], table.merged_into, table.problems(), *map(repr, table.columns())] + [
        (c.id, c.type, c.mixed, c.is_whole, repr(c.cells(rows))) for c in columns
    ]


@pytest.mark.timed
def test_a_table_that_followed_is_the_same_as_a_new_one(tmp_path: Path) -> None:
    """Every kind of change, one after the other, in a table whose columns have all been asked for before."""
    log_run(tmp_path / "a", {"lr": 1.0, "opt": "sgd", "bn": True}, loss=[1.0, 2.0])
    steps: list[Any] = [
        lambda: log_run(tmp_path / "b", {"lr": 2.0, "new": "x"}, loss=[0.5], acc=[1.0]),
        lambda: log_run(tmp_path / "c", {"lr": 0.5, "opt": "adam", "bn": False}),
        lambda: log_run(tmp_path / "d", {"lr": "auto", "bn": 1.0}, loss=[math.nan]),
        lambda: write_record(tmp_path / "a", config={"lr": 9, "opt": None}, tags=["t"], summary={"s": 1}),
        lambda: log_run(tmp_path / "a/1700000000.5", {"note": 1.0}, noted=[3.0]),
        lambda: (tmp_path / "b" / "config.yaml").write_text("lr: {deep: 1}"),
        lambda: [file.unlink() for file in (tmp_path / "d").iterdir()],
        lambda: log_run(tmp_path / "e", {"bn": False}),
    ]
    with table_of(tmp_path, follow=True, reload_secs=0.05) as table:
        snapshot(table)
        for change in steps:
            seen = table.store.version
            change()
            if change not in (steps[3], steps[5]):  # those write no events
                wait_until(table.store, lambda seen=seen: table.store.version > seen)  # type: ignore[misc]
            with table_of(tmp_path) as fresh:
                want = snapshot(fresh)

            def has_caught_up(want: list[Any] = want) -> bool:
                table.refresh(look=True)
                return snapshot(table) == want

            wait_until(table.store, has_caught_up)
