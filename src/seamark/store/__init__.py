"""Reads log directories and answers queries about their runs and series.

Event files are the only source of truth; the index makes the next start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamark.store.ask.answers import (
        ROW_COLUMNS,
        Attempts,
        Axis,
        Digests,
        HistogramSeries,
        LastValue,
        MarkedAttempts,
        PayloadList,
        ScalarPoints,
        ScalarWindow,
        SeriesInfo,
        UnknownSeriesError,
    )
    from seamark.store.ask.batches import MarkedPoints, ScalarBatch
    from seamark.store.ask.csv_text import csv_chunks, escape_formula, is_number
    from seamark.store.ask.parquet import NoPyarrowError, load_pyarrow, parquet_chunks, write_parquet
    from seamark.store.ask.payload_bytes import PayloadAwayError, PayloadGoneError
    from seamark.store.ask.requests import Smoothing
    from seamark.store.discover.inside import OutsideError, open_inside
    from seamark.store.discover.roots import LogRoot, parse_logdir, parse_logdir_spec, printable_path
    from seamark.store.discover.walk import EVENT_FILE_MARK, is_missing_folder
    from seamark.store.gc_pause import gc_paused
    from seamark.store.index.location import default_index_dir, index_path
    from seamark.store.index.lock import IndexLock
    from seamark.store.index.run_files import CachedRunFile, RunFileIdentity
    from seamark.store.protocol import NotSupportedError, RunStore, StoreUnavailableError
    from seamark.store.runs.problems import is_not_event_file
    from seamark.store.runs.removal import (
        FileToRemove,
        RemovalError,
        RemovalResult,
        delete_files,
        move_to_trash,
        plan_removal,
    )
    from seamark.store.runs.run_info import RunInfo
    from seamark.store.runs.subscribe import Delta, Subscription
    from seamark.store.status import Problem, Progress, Severity
    from seamark.store.store import Store

# Imported on first use: the server starts reading files before it imports NumPy and the query code.
_LAZY_EXPORTS = {
    "EVENT_FILE_MARK": "discover.walk",
    "ROW_COLUMNS": "ask.answers",
    "Attempts": "ask.answers",
    "Axis": "ask.answers",
    "CachedRunFile": "index.run_files",
    "Delta": "runs.subscribe",
    "Digests": "ask.answers",
    "FileToRemove": "runs.removal",
    "HistogramSeries": "ask.answers",
    "IndexLock": "index.lock",
    "LastValue": "ask.answers",
    "LogRoot": "discover.roots",
    "MarkedAttempts": "ask.answers",
    "MarkedPoints": "ask.batches",
    "NoPyarrowError": "ask.parquet",
    "NotSupportedError": "protocol",
    "OutsideError": "discover.inside",
    "PayloadAwayError": "ask.payload_bytes",
    "PayloadGoneError": "ask.payload_bytes",
    "PayloadList": "ask.answers",
    "Problem": "status",
    "Progress": "status",
    "RemovalError": "runs.removal",
    "RemovalResult": "runs.removal",
    "RunFileIdentity": "index.run_files",
    "RunInfo": "runs.run_info",
    "RunStore": "protocol",
    "ScalarBatch": "ask.batches",
    "ScalarPoints": "ask.answers",
    "ScalarWindow": "ask.answers",
    "SeriesInfo": "ask.answers",
    "Severity": "status",
    "Smoothing": "ask.requests",
    "Store": "store",
    "StoreUnavailableError": "protocol",
    "Subscription": "runs.subscribe",
    "UnknownSeriesError": "ask.answers",
    "csv_chunks": "ask.csv_text",
    "default_index_dir": "index.location",
    "delete_files": "runs.removal",
    "escape_formula": "ask.csv_text",
    "gc_paused": "gc_pause",
    "index_path": "index.location",
    "is_missing_folder": "discover.walk",
    "is_not_event_file": "runs.problems",
    "is_number": "ask.csv_text",
    "load_pyarrow": "ask.parquet",
    "move_to_trash": "runs.removal",
    "open_inside": "discover.inside",
    "parquet_chunks": "ask.parquet",
    "parse_logdir": "discover.roots",
    "parse_logdir_spec": "discover.roots",
    "plan_removal": "runs.removal",
    "printable_path": "discover.roots",
    "write_parquet": "ask.parquet",
}
__all__ = [
    "EVENT_FILE_MARK",
    "ROW_COLUMNS",
    "Attempts",
    "Axis",
    "CachedRunFile",
    "Delta",
    "Digests",
    "FileToRemove",
    "HistogramSeries",
    "IndexLock",
    "LastValue",
    "LogRoot",
    "MarkedAttempts",
    "MarkedPoints",
    "NoPyarrowError",
    "NotSupportedError",
    "OutsideError",
    "PayloadAwayError",
    "PayloadGoneError",
    "PayloadList",
    "Problem",
    "Progress",
    "RemovalError",
    "RemovalResult",
    "RunFileIdentity",
    "RunInfo",
    "RunStore",
    "ScalarBatch",
    "ScalarPoints",
    "ScalarWindow",
    "SeriesInfo",
    "Severity",
    "Smoothing",
    "Store",
    "StoreUnavailableError",
    "Subscription",
    "UnknownSeriesError",
    "csv_chunks",
    "default_index_dir",
    "delete_files",
    "escape_formula",
    "gc_paused",
    "index_path",
    "is_missing_folder",
    "is_not_event_file",
    "is_number",
    "load_pyarrow",
    "move_to_trash",
    "open_inside",
    "parquet_chunks",
    "parse_logdir",
    "parse_logdir_spec",
    "plan_removal",
    "printable_path",
    "write_parquet",
]


def __getattr__(name: str) -> object:
    if name not in _LAZY_EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_LAZY_EXPORTS[name]}"), name)
    return value
