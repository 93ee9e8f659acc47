"""Reads the hyperparameters in the event files of one run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING

from seamark import _core
from seamark.compare.record.flatten import MAX_KEYS, MAX_NAME, Scalar, cell
from seamark.compare.record.merging import SESSION_START_TAG
from seamark.compare.record.record import PlannedMetric
from seamark.format.types import RunName, Tag
from seamark.store import RunStore

if TYPE_CHECKING:
    from seamark.format.messages import Experiment, SessionStartInfo, Value

MAX_KEY_SETS = 500
MAX_PLANNED = 100
_PLANS: dict[tuple[PlannedMetric, ...], tuple[PlannedMetric, ...]] = {}
_KEY_SETS: dict[frozenset[str], frozenset[str]] = {}
_NAME_SETS: dict[bytes, frozenset[str]] = {}  # by the names as the core joins them


@dataclass(slots=True, eq=False)
class RunSession:
    """Values are read on demand: run.json usually has them too, and thousands of messages need much memory."""

    read: Callable[[], dict[str, Scalar | None]]
    keys: frozenset[str]
    has_start: bool
    start_secs: float = 0.0
    end_status: int = 0
    end_secs: float = 0.0
    plan: tuple[PlannedMetric, ...] = ()
    _params: dict[str, Scalar | None] | None = None

    def params(self) -> dict[str, Scalar | None]:
        if self._params is None:
            self._params = self.read()
        return self._params


def read_session(store: RunStore, name: RunName, record_keys: tuple[str, ...]) -> RunSession | None:
    """None for a run without hyperparameters. Values are read on demand if run.json has all their names."""
    events = store.metadata(name, "hparams")
    if not events:
        return None
    names = _names_in_record(events, record_keys)
    if names is not None:
        return RunSession(partial(session_params, store, name), names, has_start=True)
    from seamark.compare.record.hparams_events import logged  # loads protobuf: only where there are hyperparameters

    found = logged((name, tag, metadata) for tag, metadata in events)
    start, end = found.starts.get(name), found.ends.get(name)
    keys = shared_set(start.hparams) if start is not None else frozenset()
    return RunSession(
        read=partial(session_params, store, name),
        keys=keys,
        has_start=start is not None,
        start_secs=start.start_time_secs if start is not None else 0.0,
        end_status=end.status if end is not None else 0,
        end_secs=end.end_time_secs if end is not None else 0.0,
        plan=plan_of(found.experiments),
        _params=None if are_all_in(keys, record_keys) else values_of(start),
    )


def _names_in_record(events: Sequence[tuple[Tag, bytes]], record_keys: tuple[str, ...]) -> frozenset[str] | None:
    """The names of a single session start, if run.json has them all, as is usual. Parsed without protobuf."""
    if len(events) != 1 or events[0][0] != SESSION_START_TAG or not record_keys:
        return None
    joined = _core.hparam_names(events[0][1])
    if not joined:
        return None
    names = _NAME_SETS.get(joined)
    if names is None:
        try:
            names = shared_set(joined[:-1].decode().split("\0"))
        except UnicodeDecodeError:
            return None
        if len(_NAME_SETS) >= MAX_KEY_SETS:
            _NAME_SETS.clear()
        _NAME_SETS[joined] = names
    return names if are_all_in(names, record_keys) else None


@lru_cache(maxsize=MAX_KEY_SETS)
def are_all_in(names: frozenset[str], keys: tuple[str, ...]) -> bool:
    """Cached: runs of a sweep have the same names, and comparing two tuples is faster than looking up each name."""
    return names.issubset(keys)


def plan_of(experiments: Iterable[Experiment]) -> tuple[PlannedMetric, ...]:
    """The metrics of the newest experiment that names any, in its order."""
    plan: tuple[PlannedMetric, ...] = ()
    for experiment in experiments:
        infos = experiment.metric_infos[:MAX_PLANNED]
        plan = tuple(PlannedMetric(Tag(one.name.tag), one.display_name, one.name.group) for one in infos) or plan
    if len(_PLANS) >= MAX_KEY_SETS and plan not in _PLANS:
        _PLANS.clear()
    return _PLANS.setdefault(plan, plan)


def shared_set(keys: Iterable[str]) -> frozenset[str]:
    """Runs of a sweep share one set of names."""
    found = frozenset(keys)
    if len(_KEY_SETS) >= MAX_KEY_SETS and found not in _KEY_SETS:
        _KEY_SETS.clear()
    return _KEY_SETS.setdefault(found, found)


def session_params(store: RunStore, name: RunName) -> dict[str, Scalar | None]:
    """The hyperparameters in a run's current session start."""
    from seamark.compare.record.hparams_events import logged  # loads protobuf

    return values_of(
        logged((name, tag, metadata) for tag, metadata in store.metadata(name, "hparams")).starts.get(name)
    )


def values_of(start: SessionStartInfo | None) -> dict[str, Scalar | None]:
    # Sorted by name: a protobuf map has no order, and the table must be deterministic.
    given = sorted(start.hparams.items(), key=itemgetter(0))[:MAX_KEYS] if start is not None else ()
    return {intern(key[:MAX_NAME]): value_of(value) for key, value in given}


def value_of(value: Value) -> Scalar | None:
    """Like `cell`, with a fast path for numbers and booleans, which are most of the values."""
    field = value.WhichOneof("kind")
    if field == "number_value":
        return value.number_value
    if field == "bool_value":
        return value.bool_value
    from seamark.kinds.hparams import to_python

    return cell(to_python(value))
