"""Tests of how changes are gathered for one who does not look all the time."""

from seamark._core import Scanner, Stripe
from seamark.format.types import RunName
from seamark.store.series_table import SeriesTable, series_table
from seamark.store.subscribe import MAX_ROWS_AT_ONCE, MAX_WAITING_ROWS, Hub
from seamark.store.test_support import LOSS, A, B, curve, scalar_bytes

TABLE: SeriesTable = series_table([(b"loss", 0, b"")])


def stripe(start: int, stop: int) -> Stripe:
    scanner = Scanner()
    scanner.scan(scalar_bytes(LOSS, curve(start, stop)), 0)
    data = scanner.take_stripe()
    assert data is not None
    return Stripe(data)


def add_rows(hub: Hub, run: RunName, start: int, stop: int) -> None:
    hub.rows_added(run, TABLE, [stripe(start, stop)], lambda tag: stop)


def test_versions_grow_even_when_nobody_listens() -> None:
    hub = Hub()
    hub.runs_changed(added=[A])
    subscription = hub.subscribe()
    hub.runs_changed(added=[B])
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.version, delta.runs_added) == (2, frozenset({B}))


def test_points_of_a_run_that_is_reset_are_not_told_any_more() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    add_rows(hub, A, 0, 3)
    add_rows(hub, B, 0, 3)
    hub.runs_changed(reset=[A])
    add_rows(hub, A, 3, 5)
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.runs_reset, list(delta.appended)) == (frozenset({A}), [B])


def test_a_run_that_came_and_went_unseen_is_only_said_to_be_gone() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    hub.runs_changed(added=[A])
    add_rows(hub, A, 0, 3)
    hub.runs_changed(removed=[A])
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.runs_added, delta.runs_removed, dict(delta.appended)) == (frozenset(), frozenset({A}), {})


def test_a_run_that_went_and_came_back_unseen_is_to_be_asked_for_again() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    hub.runs_changed(removed=[A])
    hub.runs_changed(added=[A])
    delta = subscription.get(0)
    assert delta is not None
    assert (delta.runs_added, delta.runs_removed, delta.runs_reset) == (frozenset({A}), frozenset(), frozenset({A}))


def test_points_say_how_many_came_before_them() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    add_rows(hub, A, 0, 3)
    assert subscription.get(0) is not None
    add_rows(hub, A, 3, 5)
    add_rows(hub, A, 5, 6)
    delta = subscription.get(0)
    assert delta is not None
    rows = delta.appended[A][LOSS]
    assert (rows.start, rows.steps.tolist()) == (3, [3, 4, 5])


def test_too_many_waiting_points_become_a_reset() -> None:
    hub = Hub()
    subscription = hub.subscribe()
    for start in range(0, MAX_WAITING_ROWS + MAX_ROWS_AT_ONCE, MAX_ROWS_AT_ONCE):
        add_rows(hub, A, start, start + MAX_ROWS_AT_ONCE)
    delta = subscription.get(0)
    assert delta is not None
    assert (set(delta.runs_reset), dict(delta.appended)) == ({A}, {})


def test_a_subscriber_may_be_called_instead_of_waiting() -> None:
    calls: list[str] = []
    hub = Hub()
    subscription = hub.subscribe(lambda: calls.append("news"))
    hub.runs_changed(added=[A])
    subscription.close()
    hub.runs_changed(added=[B])
    assert calls == ["news"]
