"""What one run noted about hyperparameters in its event files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING

from seamark.compare.flatten import MAX_KEYS, MAX_NAME, Scalar, cell
from seamark.compare.record import PlannedMetric
from seamark.format.types import RunName, Tag
from seamark.store import Store

if TYPE_CHECKING:
    from seamark.format.messages import Experiment, SessionStartInfo, Value

MAX_KEY_SETS = 500
MAX_PLANNED = 100
_PLANS: dict[tuple[PlannedMetric, ...], tuple[PlannedMetric, ...]] = {}
_KEY_SETS: dict[frozenset[str], frozenset[str]] = {}


@dataclass(slots=True, eq=False)
class RunSession:
    """The values are read when they are asked for: mostly run.json has them, too, and thousands of messages take more
    memory than all the rest."""

    read: Callable[[], dict[str, Scalar | None]]
    keys: frozenset[str]
    has_start: bool
    start_secs: float
    end_status: int = 0
    end_secs: float = 0.0
    plan: tuple[PlannedMetric, ...] = ()
    _params: dict[str, Scalar | None] | None = None

    def params(self) -> dict[str, Scalar | None]:
        if self._params is None:
            self._params = self.read()
        return self._params


def read_session(store: Store, name: RunName, told: AbstractSet[str]) -> RunSession | None:
    """None of a run without hyperparameters. Where `told`, the names in run.json, are not all, the values are kept."""
    noted = store.metadata(name, "hparams")
    if not noted:
        return None
    from seamark.compare.sessions import logged  # loads protobuf: only where there are hyperparameters

    found = logged((name, tag, metadata) for tag, metadata in noted)
    start, end = found.starts.get(name), found.ends.get(name)
    keys = one_set(start.hparams) if start is not None else frozenset()
    return RunSession(
        read=partial(session_params, store, name),
        keys=keys,
        has_start=start is not None,
        start_secs=start.start_time_secs if start is not None else 0.0,
        end_status=end.status if end is not None else 0,
        end_secs=end.end_time_secs if end is not None else 0.0,
        plan=plan_of(found.experiments),
        _params=None if keys <= told else values_of(start),
    )


def plan_of(experiments: Iterable[Experiment]) -> tuple[PlannedMetric, ...]:
    """The metrics that were announced, in their order; the newest announcement counts."""
    plan: tuple[PlannedMetric, ...] = ()
    for experiment in experiments:
        infos = experiment.metric_infos[:MAX_PLANNED]
        plan = tuple(PlannedMetric(Tag(one.name.tag), one.display_name, one.name.group) for one in infos) or plan
    if len(_PLANS) >= MAX_KEY_SETS and plan not in _PLANS:
        _PLANS.clear()
    return _PLANS.setdefault(plan, plan)


def one_set(keys: Iterable[str]) -> frozenset[str]:
    """Runs of a sweep have the same keys: hundreds of texts that are held once."""
    found = frozenset(keys)
    if len(_KEY_SETS) >= MAX_KEY_SETS and found not in _KEY_SETS:
        _KEY_SETS.clear()
    return _KEY_SETS.setdefault(found, found)


def session_params(store: Store, name: RunName) -> dict[str, Scalar | None]:
    """The hyperparameters of a run's session start, as they are now."""
    from seamark.compare.sessions import logged  # loads protobuf

    return values_of(
        logged((name, tag, metadata) for tag, metadata in store.metadata(name, "hparams")).starts.get(name)
    )


def values_of(start: SessionStartInfo | None) -> dict[str, Scalar | None]:
    # By name: a protobuf map has no order, and tables should be the same every time.
    given = sorted(start.hparams.items(), key=itemgetter(0))[:MAX_KEYS] if start is not None else ()
    return {intern(key[:MAX_NAME]): value_of(value) for key, value in given}


def value_of(value: Value) -> Scalar | None:
    """What `cell` makes of it. Numbers and switches are most of thousands, and need nobody else."""
    kind = value.WhichOneof("kind")
    if kind == "number_value":
        return value.number_value
    if kind == "bool_value":
        return value.bool_value
    from seamark.kinds.hparams import to_python

    return cell(to_python(value))
