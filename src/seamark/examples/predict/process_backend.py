"""ProcessBackend: a model in a process of its own, which is started, watched, and started again when necessary."""

from __future__ import annotations

import signal
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from seamark.examples.form import ExampleSet, Overrides, PredictError
from seamark.examples.predict.cancel import CancelledError, check_cancelled, is_cancelled
from seamark.examples.predict.frames import Array, Frame
from seamark.examples.predict.packing import pack_features, pack_overrides
from seamark.examples.predict.process import CallCancelledError, CallTimeoutError, ProcessEndedError, WorkerProcess
from seamark.examples.predict.raw import RawScores
from seamark.examples.predict.spec import ModelSpec
from seamark.examples.predict.turns import Turns
from seamark.tables.column import Rows

MAX_TABLES = 4
# Importing a library may take long; the limit of a call is for predictions.
MIN_LOAD_SECS = 120.0


@dataclass(frozen=True)
class Limits:
    timeout_secs: float = 60.0
    memory_mb: int = 4096


class ProcessBackend:
    """For any thread; calls take turns. Nobody has to close it: its process ends with the last reference to it."""

    source: Literal["process", "http"] = "process"

    def __init__(self, spec: ModelSpec, limits: Limits) -> None:
        self._spec, self._limits = spec, limits
        self._turns = Turns()
        self._process: WorkerProcess | None = None
        self._tables: dict[str, None] = {}  # those that the process has; the oldest first
        self._watched = file_states([spec.location] if spec.folder else [])
        self._version, self._is_stale = 0, False

    @property
    def name(self) -> str:
        return self._spec.name

    @property
    def version(self) -> int:
        """Grows when a file of the model changed: predictions of earlier versions are not valid any more."""
        watched = self._watched
        states = file_states(watched)
        if states != watched:
            self._watched, self._is_stale = states, True
            self._version += 1
        return self._version

    def raw_scores(self, examples: ExampleSet, rows: Rows, overrides: Overrides | None = None) -> RawScores:
        entries, arrays = pack_overrides(examples.features, overrides or {}, len(rows))
        header = {"operation": "predict", "key": table_key(examples), "overrides": entries}
        with self._turns.turn():
            check_cancelled()
            process = self._started()
            self._send_table(process, examples)
            frame = self._call(process, header, {"rows": rows.astype(np.int64), **arrays}, self._limits.timeout_secs)
        values = frame.arrays.get("scores", frame.arrays.get("labels"))
        assert values is not None
        return RawScores(
            values.astype(np.float64),
            tuple(frame.header["classes"] or ()),
            is_labels="labels" in frame.arrays,
            is_classifier=frame.header["is_classifier"],
            secs=frame.header["secs"],
            note=frame.header["note"],
        )

    def close(self) -> None:
        """Also while a call is under way in another thread: that one fails."""
        if self._process is not None:
            self._process.end()

    # With the turn

    def _started(self) -> WorkerProcess:
        if self._process is not None and (self._is_stale or not self._process.is_alive):
            self._stop()
        if self._process is None:
            self._is_stale = False
            process = WorkerProcess(self._spec.folder, self._limits.memory_mb)
            self._process = process
            self._ending = weakref.finalize(self, process.end)  # at the latest at exit
            header = {"operation": "load", "spec": asdict(self._spec)}
            try:
                frame = self._call(process, header, {}, max(MIN_LOAD_SECS, self._limits.timeout_secs), "loaded")
            except PredictError:
                self._stop()
                raise
            self._watched = {**file_states(frame.header["files"]), **self._watched}
        return self._process

    def _send_table(self, process: WorkerProcess, examples: ExampleSet) -> None:
        key = table_key(examples)
        if key in self._tables:
            return
        for oldest in list(self._tables)[: len(self._tables) - MAX_TABLES + 1]:
            self._call(process, {"operation": "drop", "key": oldest}, {}, self._limits.timeout_secs)
            del self._tables[oldest]
        entries, arrays = pack_features(examples)
        task = examples.schema.task if examples.truth is not None else ""
        header = {"operation": "table", "key": key, "task": task, "features": entries}
        self._call(process, header, arrays, self._limits.timeout_secs)
        self._tables[key] = None

    def _call(
        self,
        process: WorkerProcess,
        header: Mapping[str, Any],
        arrays: Mapping[str, Array],
        timeout_secs: float,
        what: str = "answered",
    ) -> Frame:
        try:
            frame = process.call(header, arrays, timeout_secs=timeout_secs, is_cancelled=is_cancelled)
        except CallCancelledError:
            raise CancelledError from None
        except CallTimeoutError:
            raise PredictError(
                f"the model '{self.name}' has not {what} within {timeout_secs:g} s and was stopped; "
                "--predict_timeout_secs sets the limit",
                process.printed,
            ) from None
        except ProcessEndedError as error:
            raise PredictError(self._end_sentence(error.status, process.printed), process.printed) from None
        if "failure" in frame.header:
            printed = process.printed_until(frame.header["printed_mark"])
            raise self._failure(frame.header, printed)
        return frame

    def _failure(self, header: Mapping[str, Any], printed: str) -> PredictError:
        text = header["traceback"] + (f"\nLast lines that it printed:\n{printed}" if printed else "")
        match header["failure"]:
            case "cancelled":
                return CancelledError()
            case "memory":
                return PredictError(self._memory_sentence(), text)
            case "sentence":
                return PredictError(f"the model '{self.name}' failed: {header['message']}", text)
        return PredictError(f"the model '{self.name}' raised {header['message']}", text)

    def _end_sentence(self, status: int, printed: str) -> str:
        if "bad_alloc" in printed or "MemoryError" in printed:
            return self._memory_sentence()
        if status < 0:
            return f"the process of the model '{self.name}' crashed ({signal.Signals(-status).name})"
        return f"the process of the model '{self.name}' ended by itself, with the exit code {status}"

    def _memory_sentence(self) -> str:
        return (
            f"the model '{self.name}' needs more than {self._limits.memory_mb:,} MB of memory; "
            "--predict_memory_mb sets the limit"
        )

    def _stop(self) -> None:
        if self._process is not None:
            self._ending.detach()
            self._process.close()
        self._process = None
        self._tables.clear()


def table_key(examples: ExampleSet) -> str:
    """The values, and what the schema makes of them."""
    return repr((examples.content_id, examples.schema.task, [(c.name, c.type) for c in examples.features]))


def file_states(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    """When each was changed, and its size."""
    return {path: _stat(path) for path in paths}


def _stat(path: str) -> tuple[int, int]:
    try:
        status = Path(path).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
