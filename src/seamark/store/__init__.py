"""Log directories → runs → series → answers. Event files are the truth; the index only makes the next start fast."""

from seamark.store.answers import (
    ROW_COLUMNS,
    Delta,
    HistogramSeries,
    LastValue,
    PayloadList,
    Problem,
    Progress,
    RunInfo,
    ScalarRows,
    ScalarWindow,
    SeriesInfo,
    Severity,
)
from seamark.store.index.location import default_index_dir, index_path
from seamark.store.payload_bytes import PayloadGoneError
from seamark.store.query import UnknownSeriesError
from seamark.store.roots import LogRoot, parse_logdir, parse_logdir_spec
from seamark.store.store import Store
from seamark.store.subscribe import Subscription

__all__ = [
    "ROW_COLUMNS",
    "Delta",
    "HistogramSeries",
    "LastValue",
    "LogRoot",
    "PayloadGoneError",
    "PayloadList",
    "Problem",
    "Progress",
    "RunInfo",
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
