"""Tells subscribers what changed. A slow subscriber gets fewer, bigger deltas and never holds up the loader."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from seamark._core import Stripe
from seamark.format.types import RunName, Tag
from seamark.store.series_table import PayloadKey, SeriesTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seamark.store.answers import Delta, ScalarRows

# Beyond this many waiting points a delta stops carrying them and says "ask again" instead.
MAX_WAITING_ROWS = 50_000
MAX_ROWS_AT_ONCE = 5_000  # of one visit to a file; more is a load, not news

Columns = tuple["NDArray[np.int64]", "NDArray[np.float64]", "NDArray[np.float64]"]


class Subscription:
    """One consumer's view of the changes. What it has not taken yet is gathered into one delta."""

    def __init__(self, hub: Hub, notify: Callable[[], None] | None) -> None:
        self._hub = hub
        self._notify = notify
        self._changed = threading.Condition()
        self._waiting = _Gathered()
        self._is_closed = False

    def get(self, timeout_secs: float | None = None) -> Delta | None:
        """The changes since the last call; None when there are none in time or the subscription is closed."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting or self._is_closed, timeout_secs):
                return None
            if not self._waiting:
                return None
            gathered, self._waiting = self._waiting, _Gathered()
        return gathered.delta()

    def close(self) -> None:
        """Ends it; a `get` that waits returns None."""
        self._hub.leave(self)
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def gather(self, change: Callable[[_Gathered], None], version: int) -> None:
        """Called by the hub."""
        with self._changed:
            change(self._waiting)
            self._waiting.version = version
            self._changed.notify_all()
        if self._notify is not None:
            self._notify()


class Hub:
    """Counts versions and hands each change to every subscription."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscriptions: tuple[Subscription, ...] = ()
        self._version = 0
        self._changed: dict[RunName, int] = {}  # in the order of the last change, the version of it

    @property
    def version(self) -> int:
        return self._version

    def changed_since(self, version: int) -> list[RunName]:
        """Runs that changed, came or went after that version; the newest change first."""
        with self._lock:
            found = []
            for run in reversed(self._changed):
                if self._changed[run] <= version:
                    break
                found.append(run)
            return found

    def subscribe(self, notify: Callable[[], None] | None = None) -> Subscription:
        subscription = Subscription(self, notify)
        with self._lock:
            self._subscriptions = (*self._subscriptions, subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        with self._lock:
            self._subscriptions = tuple(s for s in self._subscriptions if s is not subscription)

    def close(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    def runs_changed(
        self, *, added: Iterable[RunName] = (), removed: Iterable[RunName] = (), reset: Iterable[RunName] = ()
    ) -> None:
        added, removed, reset = frozenset(added), frozenset(removed), frozenset(reset)
        if added or removed or reset:
            self._publish(lambda gathered: gathered.add_runs(added, removed, reset), added | removed | reset)

    def rows_added(
        self, run: RunName, table: SeriesTable, stripes: list[Stripe], stored_now: Callable[[Tag], int]
    ) -> None:
        """New rows at the end of their series; `stored_now` counts a series with them."""
        if not self._subscriptions:
            self._publish(lambda gathered: None, [run])
        elif sum(stripe.scalar_rows + stripe.payload_rows for stripe in stripes) > MAX_ROWS_AT_ONCE:
            self.runs_changed(reset=[run])
        else:
            starts = _starts(table, stripes, stored_now)
            self._publish(lambda gathered: gathered.add_stripes(run, table, stripes, starts), [run])

    def _publish(self, change: Callable[[_Gathered], None], runs: Iterable[RunName]) -> None:
        with self._lock:
            self._version += 1
            for run in runs:
                self._changed.pop(run, None)
                self._changed[run] = self._version
            for subscription in self._subscriptions:
                subscription.gather(change, self._version)


class _Gathered:
    """Changes on their way to one subscriber."""

    def __init__(self) -> None:
        self.version = 0
        self._added: set[RunName] = set()
        self._removed: set[RunName] = set()
        self._reset: set[RunName] = set()
        self._rows: dict[RunName, dict[Tag, list[Columns]]] = {}
        self._starts: dict[tuple[RunName, Tag], int] = {}
        self._payloads: dict[RunName, dict[PayloadKey, int]] = {}
        self._row_count = 0

    def __bool__(self) -> bool:
        return self.version > 0

    def add_runs(self, added: frozenset[RunName], removed: frozenset[RunName], reset: frozenset[RunName]) -> None:
        for run in removed | reset:
            self._rows.pop(run, None)
            self._payloads.pop(run, None)
        # Removed and added again before anyone looked: to the consumer that is a new run under an old name.
        self._reset |= (added & self._removed) | reset
        self._added = (self._added | added) - removed
        self._removed = (self._removed | removed) - added
        self._reset -= self._removed

    def add_stripes(self, run: RunName, table: SeriesTable, stripes: list[Stripe], starts: dict[Tag, int]) -> None:
        if run in self._reset:
            return  # the consumer asks again anyway
        self._row_count += sum(stripe.scalar_rows + stripe.payload_rows for stripe in stripes)
        if self._row_count > MAX_WAITING_ROWS:
            self._reset |= {run, *self._rows, *self._payloads}
            self._rows.clear()
            self._payloads.clear()
            self._row_count = 0
            return
        for tag, start in starts.items():
            if tag not in self._rows.get(run, {}):
                self._starts[run, tag] = start
        for stripe in stripes:
            self._add_scalars(run, table, stripe)
            self._add_payloads(run, table, stripe)

    def delta(self) -> Delta:
        from seamark.store.answers import Delta

        return Delta(
            version=self.version,
            runs_added=frozenset(self._added),
            runs_removed=frozenset(self._removed),
            runs_reset=frozenset(self._reset),
            appended={
                run: {tag: self._joined(run, tag, slices) for tag, slices in tags.items()}
                for run, tags in self._rows.items()
            },
            payloads=self._payloads,
        )

    def _joined(self, run: RunName, tag: Tag, slices: list[Columns]) -> ScalarRows:
        import numpy as np  # reading does not wait for it

        from seamark.store.answers import ScalarRows

        start = self._starts[run, tag]
        # Mostly there is one: a thousand runs that log a step each are a thousand joins of nothing.
        return ScalarRows(start, *(slices[0] if len(slices) == 1 else map(np.concatenate, zip(*slices, strict=True))))

    def _add_scalars(self, run: RunName, table: SeriesTable, stripe: Stripe) -> None:
        if not stripe.scalar_rows:
            return
        tags = self._rows.setdefault(run, {})
        steps, walls, values = stripe.scalars()
        for series, start, count in zip(*(column.tolist() for column in stripe.scalar_groups()), strict=True):
            rows = slice(start, start + count)
            tags.setdefault(table.tags[series], []).append((steps[rows], walls[rows], values[rows]))

    def _add_payloads(self, run: RunName, table: SeriesTable, stripe: Stripe) -> None:
        if not stripe.payload_rows:
            return
        counts = self._payloads.setdefault(run, {})
        for series, _, count in zip(*(column.tolist() for column in stripe.payload_groups()), strict=True):
            key = table.payload_keys[series]
            counts[key] = counts.get(key, 0) + count


def _starts(table: SeriesTable, stripes: list[Stripe], stored_now: Callable[[Tag], int]) -> dict[Tag, int]:
    """How many points each series had before these."""
    added: dict[Tag, int] = {}
    for stripe in stripes:
        series, _, counts = stripe.scalar_groups()
        for series_id, count in zip(series.tolist(), counts.tolist(), strict=True):
            tag = table.tags[series_id]
            added[tag] = added.get(tag, 0) + count
    return {tag: stored_now(tag) - count for tag, count in added.items()}
