"""Tests of how changes are merged for a subscriber that takes them late."""

import pytest

from seamark._core import Scanner, Stripe
from seamark.format.types import RunName
from seamark.store.read.series_table import SeriesTable, series_table
from seamark.store.runs.subscribe import MAX_APPENDED_ROWS, Hub
from seamark.store.test_support import LOSS, A, B, curve, scalar_bytes

TABLE: SeriesTable = series_table([(b"loss", 0, b"")])


def stripe(start: int, stop: int) -> Stripe:
    scanner = Scanner()
    scanner.scan(scalar_bytes(LOSS, curve(start, stop)), 0)
    data = scanner.take_stripe()
    assert data is not None
    return Stripe(data)


def add_rows(hub: Hub, run: RunName, start: int, stop: int) -> None:
    hub.rows_added(run, TABLE, [stripe(start, stop)])


def test_versions_grow_without_subscribers() -> None:
    hub = Hub()
    hub.runs_changed(added=[A])
    subscription = hub.subscribe()
    hub.runs_changed(added=[B])
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.version, delta.runs_added) == (2, frozenset({B}))


def test_series_of_a_reset_run_are_not_named() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    add_rows(hub, A, 0, 3)
    add_rows(hub, B, 0, 3)
    hub.runs_changed(reset=[A])
    add_rows(hub, A, 3, 5)
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.runs_reset, list(delta.scalars)) == (frozenset({A}), [B])


def test_a_run_added_and_removed_before_a_delta_is_only_removed() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    hub.runs_changed(added=[A])
    add_rows(hub, A, 0, 3)
    hub.runs_changed(removed=[A])
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.runs_added, delta.runs_removed, dict(delta.scalars)) == (frozenset(), frozenset({A}), {})


def test_a_run_removed_and_added_before_a_delta_is_reset() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    hub.runs_changed(removed=[A])
    hub.runs_changed(added=[A])
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.runs_added, delta.runs_removed, delta.runs_reset) == (frozenset({A}), frozenset(), frozenset({A}))


def test_series_with_new_points_are_named_once() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    add_rows(hub, A, 0, 3)
    add_rows(hub, A, 3, 5)
    delta = subscription.get(0)
    assert delta is not None
    assert (dict(delta.scalars), dict(delta.payloads)) == ({A: frozenset({LOSS})}, {})


def test_a_large_load_resets_the_run() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    add_rows(hub, A, 0, MAX_APPENDED_ROWS + 1)
    delta = subscription.get(0)
    assert delta is not None
    assert (set(delta.runs_reset), dict(delta.scalars)) == ({A}, {})


def test_too_many_waiting_series_become_a_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.store.runs.subscribe.MAX_WAITING_SERIES", 3)
    hub = Hub()
    subscription = hub.subscribe()
    for start in range(4):
        add_rows(hub, A, start, start + 1)
    delta = subscription.get(0)
    assert delta is not None
    assert (set(delta.runs_reset), dict(delta.scalars)) == ({A}, {})


def test_a_subscriber_can_be_notified_by_a_callback() -> None:
    calls: list[str] = []
    hub = Hub()
    subscription = hub.subscribe(lambda: calls.append("news"))
    hub.runs_changed(added=[A])
    subscription.close()
    hub.runs_changed(added=[B])
    assert calls == ["news"]
