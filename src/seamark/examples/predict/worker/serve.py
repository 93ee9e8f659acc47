"""The loop of the process: one response for each request."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from seamark.examples.predict.frames import Array, Frame, Header, decode, encode
from seamark.examples.predict.outputs import OutputError, normalized
from seamark.examples.predict.worker.inputs import FeatureTable, InputError
from seamark.examples.predict.worker.load import LoadedModel, LoadError, load_model

OWN_FOLDER = str(Path(__file__).parent)
MAX_TRACEBACK_CHARS = 20_000
OUT_OF_MEMORY = ("not enough memory", "can't allocate memory", "bad_alloc", "cannot allocate memory", "out of memory")


class Cancelled(BaseException):
    """Raised in the code of users by the server's signal. Not an Exception: they may catch those."""


class Worker:
    def __init__(self) -> None:
        self._model: LoadedModel | None = None
        self._tables: dict[str, FeatureTable] = {}
        self._is_in_user_code = False
        signal.signal(signal.SIGINT, self._interrupt)

    def answer(self, request: Frame) -> tuple[Header, dict[str, Array]]:
        header = request.header
        match header["operation"]:
            case "load":
                self._model = self._run(lambda: load_model(header["spec"]))
                return {"files": self._model.files}, {}
            case "table":
                self._tables[header["key"]] = FeatureTable.unpack(header["task"], header["features"], request.arrays)
                return {}, {}
            case "drop":
                self._tables.pop(header["key"], None)
                return {}, {}
            case "predict":
                return self._predict(header, request.arrays)
        raise ValueError(f"no such operation: {header['operation']!r}")

    def _predict(self, header: Header, arrays: dict[str, Array]) -> tuple[Header, dict[str, Array]]:
        assert self._model is not None
        adapter, table = self._model.adapter, self._tables[header["key"]]
        batch = table.take(arrays["rows"], header["overrides"], arrays)
        given = adapter.prepare(batch)
        started = time.perf_counter()
        returned = self._run(lambda: adapter.predict(given, table.task))
        secs = time.perf_counter() - started
        output = normalized(returned, len(batch), adapter.classes)
        answer = {"classes": output.classes, "is_classifier": adapter.is_classifier, "note": adapter.note, "secs": secs}
        return answer, {"labels" if output.is_labels else "scores": output.values}

    def _run(self, function: Callable[[], Any]) -> Any:
        self._is_in_user_code = True
        try:
            return function()
        finally:
            self._is_in_user_code = False

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_in_user_code:
            self._is_in_user_code = False
            raise Cancelled


def serve(requests: int, responses: int) -> None:
    for descriptor in (requests, responses):
        os.set_inheritable(descriptor, False)
    worker = Worker()
    while True:
        try:
            request = decode(lambda count: read_exactly(requests, count))
        except EOFError:
            return
        try:
            header, arrays = worker.answer(request)
        except BaseException as error:
            header, arrays = {**failure(error), "printed_mark": mark_printed()}, {}
        for buffer in encode(header, arrays):
            write_all(responses, buffer)


def mark_printed() -> str:
    """Prints a line behind what the code of users printed, for which the server waits. "" if it cannot."""
    mark = f"seamark-{secrets.token_hex(8)}"
    try:
        sys.stdout.flush()
        sys.stderr.flush()
        write_all(sys.__stdout__.fileno(), memoryview(f"\n{mark}\n".encode()))  # type: ignore[union-attr]
    except (OSError, ValueError, AttributeError):  # users may close or replace their streams
        return ""
    return mark


def failure(error: BaseException) -> Header:
    """What the server makes a sentence of."""
    text = str(error)
    reason = "raised"
    if isinstance(error, Cancelled):
        reason = "cancelled"
    elif isinstance(error, MemoryError) or any(words in text.lower() for words in OUT_OF_MEMORY):
        reason = "memory"
    elif isinstance(error, OutputError | LoadError | InputError):
        reason = "sentence"
    # A sentence of ours has a traceback only if something else caused it.
    shown = error.__cause__ if reason == "sentence" else error
    return {
        "failure": reason,
        "message": text if reason == "sentence" else last_line(error),
        "traceback": "" if shown is None or reason == "cancelled" else user_traceback(shown),
    }


def last_line(error: BaseException) -> str:
    return traceback.format_exception_only(error)[-1].strip()


def user_traceback(error: BaseException) -> str:
    """Without the frames of this package in front of those of the user."""
    entry = error.__traceback__
    while entry is not None and is_own(entry.tb_frame.f_code.co_filename):
        entry = entry.tb_next
    return "".join(traceback.format_exception(type(error), error, entry))[-MAX_TRACEBACK_CHARS:]


def is_own(file: str) -> bool:
    return file.startswith((OWN_FOLDER, "<frozen importlib"))


def read_exactly(descriptor: int, count: int) -> bytearray:
    buffer = bytearray(count)
    view, done = memoryview(buffer), 0
    while done < count:
        got = os.readv(descriptor, [view[done:]])
        if not got:
            raise EOFError
        done += got
    return buffer


def write_all(descriptor: int, buffer: memoryview) -> None:
    while buffer:
        buffer = buffer[os.write(descriptor, buffer) :]
