"""Notifies subscribers of changed runs and series. A slow subscriber gets fewer, larger deltas."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field

from seamark._core import Stripe
from seamark.format.types import RunName, Tag
from seamark.store.read.series_table import PayloadKey, SeriesTable

# A visit with more rows than this is part of a load: subscribers are notified to query the run again.
MAX_APPENDED_ROWS = 5_000
# Series that wait for one subscriber; beyond this a delta names runs to query again instead.
MAX_WAITING_SERIES = 50_000


class Delta(Struct, frozen=True):
    """Everything that changed since the subscriber's previous delta.

    `runs_reset`: everything a consumer holds of these runs is stale. It covers replaced files and large loads.
    """

    version: int
    runs_added: frozenset[RunName] = frozenset()
    runs_removed: frozenset[RunName] = frozenset()
    runs_reset: frozenset[RunName] = frozenset()
    scalars: Mapping[RunName, frozenset[Tag]] = field(default_factory=dict)  # tags with new points
    payloads: Mapping[RunName, frozenset[PayloadKey]] = field(default_factory=dict)  # series with new payloads


class Subscription:
    """One consumer's view of the changes. Any thread may call it; changes are merged until the consumer takes them."""

    def __init__(self, hub: Hub, notify: Callable[[], None] | None) -> None:
        self._hub = hub
        self._notify = notify
        self._changed = threading.Condition()
        self._waiting = _WaitingChanges()
        self._is_closed = False

    def get(self, timeout_secs: float | None = None) -> Delta | None:
        """Returns the changes since the last call, or None after `timeout_secs` and when the subscription is closed."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting or self._is_closed, timeout_secs):
                return None
            if not self._waiting:
                return None
            waiting, self._waiting = self._waiting, _WaitingChanges()
        return waiting.delta()

    def close(self) -> None:
        """Unsubscribes; a blocked `get` returns None."""
        self._hub.unsubscribe(self)
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def add(self, change: Callable[[_WaitingChanges], None], version: int) -> None:
        """Called by the hub."""
        with self._changed:
            change(self._waiting)
            self._waiting.version = version
            self._changed.notify_all()
        if self._notify is not None:
            self._notify()


class Hub:
    """Counts versions and passes each change to every subscription. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscriptions: tuple[Subscription, ...] = ()
        self._version = 0
        self._changed: dict[RunName, int] = {}  # version of each run's last change, oldest change first

    @property
    def version(self) -> int:
        return self._version

    def changed_since(self, version: int) -> list[RunName]:
        """Returns the runs that were changed, added or removed after `version`, the newest change first."""
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

    def unsubscribe(self, subscription: Subscription) -> None:
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
            self._publish(lambda waiting: waiting.add_runs(added, removed, reset), added | removed | reset)

    def problems_changed(self) -> None:
        """Publishes a delta without runs: subscribers look at the problems again."""
        self._publish(lambda waiting: None, [])

    def rows_added(self, run: RunName, table: SeriesTable, stripes: list[Stripe]) -> None:
        """Publishes the series that have rows in `stripes`, whose ids are those of `table`."""
        if not self._subscriptions:
            self._publish(lambda waiting: None, [run])
        elif sum(stripe.scalar_rows + stripe.payload_rows for stripe in stripes) > MAX_APPENDED_ROWS:
            self.runs_changed(reset=[run])
        else:
            tags = {table.tags[series] for stripe in stripes for series in stripe.scalar_groups()[0].tolist()}
            keys = {table.payload_keys[series] for stripe in stripes for series in stripe.payload_groups()[0].tolist()}
            self._publish(lambda waiting: waiting.add_series(run, tags, keys), [run])

    def _publish(self, change: Callable[[_WaitingChanges], None], runs: Iterable[RunName]) -> None:
        with self._lock:
            self._version += 1
            for run in runs:
                self._changed.pop(run, None)
                self._changed[run] = self._version
            for subscription in self._subscriptions:
                subscription.add(change, self._version)


class _WaitingChanges:
    """Changes that one subscriber has not taken yet. Guarded by the subscription's condition."""

    def __init__(self) -> None:
        self.version = 0
        self._added: set[RunName] = set()
        self._removed: set[RunName] = set()
        self._reset: set[RunName] = set()
        self._scalars: dict[RunName, set[Tag]] = {}
        self._payloads: dict[RunName, set[PayloadKey]] = {}
        self._series_count = 0

    def __bool__(self) -> bool:
        return self.version > 0

    def add_runs(self, added: frozenset[RunName], removed: frozenset[RunName], reset: frozenset[RunName]) -> None:
        for run in removed | reset:
            self._scalars.pop(run, None)
            self._payloads.pop(run, None)
        # A run removed and added again before the consumer took either is a new run under an old name.
        self._reset |= (added & self._removed) | reset
        self._added = (self._added | added) - removed
        self._removed = (self._removed | removed) - added
        self._reset -= self._removed

    def add_series(self, run: RunName, tags: set[Tag], payload_keys: set[PayloadKey]) -> None:
        if run in self._reset:
            return  # the consumer queries the whole run again
        self._series_count += len(tags) + len(payload_keys)
        if self._series_count > MAX_WAITING_SERIES:
            self._reset |= {run, *self._scalars, *self._payloads}
            self._scalars.clear()
            self._payloads.clear()
            self._series_count = 0
            return
        if tags:
            self._scalars.setdefault(run, set()).update(tags)
        if payload_keys:
            self._payloads.setdefault(run, set()).update(payload_keys)

    def delta(self) -> Delta:
        return Delta(
            version=self.version,
            runs_added=frozenset(self._added),
            runs_removed=frozenset(self._removed),
            runs_reset=frozenset(self._reset),
            scalars={run: frozenset(tags) for run, tags in self._scalars.items()},
            payloads={run: frozenset(keys) for run, keys in self._payloads.items()},
        )
