"""Parsed run.json files are cached in the index for the next process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from seamark.compare import RunTable
from seamark.compare.record import config_files, record_cache
from seamark.compare.test_support import cells, log_run, write_record
from seamark.format import run_record
from seamark.store import LogRoot, Store

CONFIG = {"lr": 0.1, "optim": {"name": "adam"}, "loss": "NaN"}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every run.json that is parsed."""
    counted: list[int] = []
    loads = run_record.loads

    def counting(text: str | bytes) -> run_record.RunRecord:
        counted.append(1)
        return loads(text)

    monkeypatch.setattr(config_files.run_record, "loads", counting)
    monkeypatch.setattr(record_cache, "MIN_RUNS", 0)
    return counted


def logged(logdir: Path) -> None:
    for number in range(3):
        folder = log_run(logdir / f"run{number}", loss=[1.0])
        write_record(folder, config={**CONFIG, "seed": number})
        os.utime(folder / "run.json", (1_700_000_000, 1_700_000_000))


def table(logdir: Path, index: Path, *, cache: bool = False) -> list[dict[str, object]]:
    with Store([LogRoot("", logdir)], index_dir=index, follow=False) as store:
        store.wait_loaded()
        made = RunTable(store)
        if cache:
            made.cache_files()
        return [cells(made, column) for column in ("param:seed", "param:optim.name", "param:loss", "run:status")]


def test_records_are_parsed_once(tmp_path: Path, parsed: list[int]) -> None:
    logged(tmp_path / "logs")
    first = table(tmp_path / "logs", tmp_path / "index", cache=True)
    assert len(parsed) == 3
    again = table(tmp_path / "logs", tmp_path / "index")
    assert len(parsed) == 3 and repr(again) == repr(first)


def test_a_changed_record_is_parsed_again(tmp_path: Path, parsed: list[int]) -> None:
    logged(tmp_path / "logs")
    table(tmp_path / "logs", tmp_path / "index", cache=True)
    write_record(tmp_path / "logs/run1", config={**CONFIG, "seed": 7})
    assert table(tmp_path / "logs", tmp_path / "index")[0] == {"run0": 0, "run1": 7, "run2": 2}
    assert len(parsed) == 4


def test_a_damaged_or_outdated_cache_entry_is_ignored(
    tmp_path: Path, parsed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    logged(tmp_path / "logs")
    table(tmp_path / "logs", tmp_path / "index", cache=True)
    monkeypatch.setattr(record_cache, "format_mark", lambda: b"other")
    table(tmp_path / "logs", tmp_path / "index", cache=True)
    assert len(parsed) == 6
    cached = record_cache.CachedRunFile(record_cache.to_store((1, 2, 3)), b"otherf\xc1")
    assert record_cache.decode(cached, (1, 2, 3)) is None
