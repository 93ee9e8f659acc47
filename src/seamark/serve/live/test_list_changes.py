"""A change carries the entries of the lists that it replaces, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seamark import SummaryWriter
from seamark.compare import MergedRuns
from seamark.compare.test_support import log_run
from seamark.format.types import RunName
from seamark.serve.live.list_changes import ListChanges
from seamark.store import Delta, LogRoot, Store
from seamark.store.test_support import wait_until


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    for run in ("a", "b"):
        with SummaryWriter(tmp_path / run) as writer:
            writer.add_scalar("loss", 1.0, 0)
            writer.add_text("note", "hello", 0)
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as opened:
        opened.wait_loaded()
        yield opened


def lists_of(store: Store, problems: list[Any]) -> ListChanges:
    return ListChanges(
        store,
        runs=lambda runs: [run.name for run in runs],
        problems=lambda: list(problems),
        merged=MergedRuns(store),
    )


GROWN = Delta(version=9, scalars={"a": frozenset({"loss"})})


def test_a_run_that_grew_is_listed_again_without_its_tags(store: Store) -> None:
    lists = lists_of(store, [])
    lists.start()
    assert lists.since(GROWN) == {"runs": ["a"], "tags": {}}


def test_tags_are_sent_once_for_each_run_that_has_new_ones(store: Store) -> None:
    lists = lists_of(store, [])
    expected = {"a": {"scalars": ["loss"], "text": ["note/text_summary"]}}
    assert lists.since(GROWN)["tags"] == expected
    assert lists.since(GROWN)["tags"] == {}


def test_a_removed_run_has_no_tags_left(store: Store) -> None:
    lists = lists_of(store, [])
    lists.start()
    assert lists.since(Delta(version=9, runs_removed=frozenset({"gone"}))) == {"runs": [], "tags": {"gone": {}}}


def test_a_run_that_is_part_of_another_now_is_listed_again(tmp_path: Path) -> None:
    log_run(tmp_path / "a/loss_x", loss=[1.0])
    with Store([LogRoot("", tmp_path)], index_dir=None) as followed:
        assert followed.wait_loaded(30)
        lists = lists_of(followed, [])
        lists.start()
        log_run(tmp_path / "a", accuracy=[1.0])
        wait_until(followed, lambda: followed.run(RunName("a")) is not None)
        listed = lists.since(Delta(version=9, runs_added=frozenset({"a"})))["runs"]
        assert sorted(listed) == ["a", "a/loss_x"]
        assert lists.since(GROWN)["runs"] == ["a"]


def test_problems_are_sent_when_they_change(store: Store) -> None:
    problems: list[Any] = []
    lists = lists_of(store, problems)
    lists.start()
    assert "problems" not in lists.since(GROWN)
    problems.append({"message": "truncated"})
    assert lists.since(GROWN)["problems"] == [{"message": "truncated"}]
    assert "problems" not in lists.since(GROWN)
