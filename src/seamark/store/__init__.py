"""Log directories → runs → series → answers. Event files are the truth; the index only makes the next start fast."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamark.store.answers import (
        ROW_COLUMNS,
        Delta,
        Digests,
        HistogramSeries,
        LastValue,
        PayloadList,
        RunInfo,
        ScalarPoints,
        ScalarRows,
        ScalarWindow,
        SeriesInfo,
        UnknownSeriesError,
    )
    from seamark.store.batches import ScalarBatch
    from seamark.store.index.location import default_index_dir, index_path
    from seamark.store.payload_bytes import PayloadGoneError
    from seamark.store.roots import LogRoot, parse_logdir, parse_logdir_spec
    from seamark.store.status import Problem, Progress, Severity
    from seamark.store.store import Store
    from seamark.store.subscribe import Subscription

# Loaded when first asked for: a server reads files while what it answers with is still being loaded.
_HOMES = {
    "ROW_COLUMNS": "answers",
    "Delta": "answers",
    "Digests": "answers",
    "HistogramSeries": "answers",
    "LastValue": "answers",
    "LogRoot": "roots",
    "PayloadGoneError": "payload_bytes",
    "PayloadList": "answers",
    "Problem": "status",
    "Progress": "status",
    "RunInfo": "answers",
    "ScalarBatch": "batches",
    "ScalarRows": "answers",
    "ScalarPoints": "answers",
    "ScalarWindow": "answers",
    "SeriesInfo": "answers",
    "Severity": "status",
    "Store": "store",
    "Subscription": "subscribe",
    "UnknownSeriesError": "answers",
    "default_index_dir": "index.location",
    "index_path": "index.location",
    "parse_logdir": "roots",
    "parse_logdir_spec": "roots",
}
__all__ = [
    "ROW_COLUMNS",
    "Delta",
    "Digests",
    "HistogramSeries",
    "LastValue",
    "LogRoot",
    "PayloadGoneError",
    "PayloadList",
    "Problem",
    "Progress",
    "RunInfo",
    "ScalarBatch",
    "ScalarPoints",
    "ScalarRows",
    "ScalarWindow",
    "SeriesInfo",
    "Severity",
    "Store",
    "Subscription",
    "UnknownSeriesError",
    "default_index_dir",
    "index_path",
    "parse_logdir",
    "parse_logdir_spec",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
