"""Parses the configuration files in a run's folder."""

from __future__ import annotations

import codecs
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from seamark.compare.record import yaml_text
from seamark.compare.record.flatten import Scalar, flattened
from seamark.compare.record.folder_reader import ALL_NAMES, HYDRA, MAX_BYTES, FolderContents, Identity, read_folders
from seamark.format import json_text, run_record
from seamark.format.run_record import RunRecord, RunRecordError
from seamark.store import LogRoot, OutsideError, open_inside

_LOGGER = logging.getLogger(__name__)
MAX_SHARED = 500
_SHARED: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}


@lru_cache(maxsize=MAX_SHARED)
def shared_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    return keys


@dataclass(slots=True, eq=False)
class RunFiles:
    """The content of the files in one folder. `identities` show whether they changed, without opening them."""

    identities: dict[str, Identity | None] = field(default_factory=dict)  # by name; "" is the folder
    params: dict[str, Scalar | None] = field(default_factory=dict)
    record: RunRecord | None = None
    record_params: dict[str, Scalar | None] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    _record_keys: tuple[str, ...] | None = None

    @property
    def record_keys(self) -> tuple[str, ...]:
        """The names in `record_params`. Runs of a sweep share one object, which compares fast with itself."""
        if self._record_keys is None:
            self._record_keys = shared_keys(tuple(self.record_params))
        return self._record_keys


ParsedRecord = tuple[RunRecord, dict[str, Scalar | None]]  # with its flat configuration


def is_current(folder: Path, files: RunFiles) -> bool:
    """Whether nothing changed. New, renamed and deleted files change the folder's mtime; writes change the file's."""
    base = os.fspath(folder)
    return all(_identity(f"{base}/{name}") == identity for name, identity in files.identities.items())


def read_files(folder: Path, shown_folder: str = "", *, roots: Sequence[LogRoot] = ()) -> RunFiles:
    """Reads and parses the files. A file that is unreadable, too big or outside the log directories is a problem."""
    (contents,) = read_folders([os.fspath(folder)])
    return parse_files(folder, contents, shown_folder, roots=roots)


def parse_files(
    folder: Path,
    contents: FolderContents,
    shown_folder: str = "",
    *,
    roots: Sequence[LogRoot] = (),
    known: ParsedRecord | None = None,
) -> RunFiles:
    """`known` is the parsed run.json, if the file has not changed. Problems name the folder as `shown_folder`."""
    # Identities were taken before reading, so a file that changed meanwhile is read again.
    found = RunFiles({"": contents.identity})
    if not contents.files and not contents.unread:
        return found
    problems: list[str] = []
    base = os.fspath(folder)
    shown = shown_folder or base
    unread = _unread_names(base, contents.unread)
    for name in ALL_NAMES:
        if name in contents.files:
            found.identities[name], data = contents.files[name]
        elif name in unread:
            found.identities[name], data = _identity(f"{base}/{name}"), None
        else:
            continue
        try:
            if known is not None and name == run_record.FILE_NAME:
                found.record, found.record_params = shared_parts(known[0]), known[1]
            else:
                _add_file(found, name, _read_link(base, name, roots) if data is None else data)
        except (_UnreadableError, RunRecordError, yaml_text.YamlError) as error:
            problems.append(f"{error}; it is left out: '{shown}/{name}'")
        except ModuleNotFoundError:
            problems.append(f"YAML cannot be read without PyYAML; pip install pyyaml: '{shown}/{name}'")
        except Exception as error:  # a file of one run must not break the table of all runs
            _LOGGER.exception("a configuration file could not be parsed: '%s'", folder / name)
            problems.append(f"this file cannot be used ({type(error).__name__}); it is left out: '{shown}/{name}'")
    found.problems = tuple(problems)
    return found


def _add_file(found: RunFiles, name: str, data: bytes) -> None:
    data = data.removeprefix(codecs.BOM_UTF8)
    if name != run_record.FILE_NAME:
        found.params.update(flattened(_mapping(name, data)))
        return
    record = shared_parts(run_record.loads(data))
    params = flattened(record.config, parse_text_floats=True)
    if params is not record.config and params == record.config:
        record.config = params  # share one object
    found.record, found.record_params = record, params


def shared_parts(record: RunRecord) -> RunRecord:
    """Shares equal packages and environments between runs of a sweep: each has hundreds of strings."""
    record.packages = _shared(record.packages)
    record.environment = _shared(record.environment)
    return record


def _shared(mapping: dict[str, str]) -> dict[str, str]:
    if not mapping:
        return mapping
    key = tuple(mapping.items())
    if len(_SHARED) > MAX_SHARED and key not in _SHARED:
        _SHARED.clear()
    return _SHARED.setdefault(key, mapping)


class _UnreadableError(ValueError):
    pass


def _unread_names(folder: str, unread: Sequence[str]) -> set[str]:
    names = set(unread)
    if HYDRA in names:
        below = {name for name in ALL_NAMES if name.startswith(f"{HYDRA}/") and Path(folder, name).is_file()}
        names = names - {HYDRA} | below
    return names


def _identity(path: str) -> Identity | None:
    try:
        stat = os.stat(path)  # noqa: PTH116 - thousands of times
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _read_link(folder: str, name: str, roots: Sequence[LogRoot]) -> bytes:
    """Reads a file that the native reader skipped: a link, a file in a subfolder, or one that is too big."""
    try:
        with open_inside(folder, name, roots=roots) as file:
            data = file.read(MAX_BYTES + 1)
    except OutsideError as error:
        raise _UnreadableError(str(error)) from None
    except OSError as error:
        raise _UnreadableError(f"this file cannot be read ({error.strerror or type(error).__name__})") from None
    if len(data) > MAX_BYTES:
        raise _UnreadableError(f"the file is too big: want at most {MAX_BYTES >> 20} MB")
    return data


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _UnreadableError(f"not UTF-8: byte 0x{data[error.start]:02x} at {error.start}") from None


def _mapping(name: str, data: bytes) -> dict[Any, Any]:
    if name.endswith(".json"):
        try:
            content = json_text.loads(data)
        except json_text.JsonError as error:
            raise _UnreadableError(f"this file {error}") from None
    else:
        content = yaml_text.loads(_text(data))
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise _UnreadableError(f"want a mapping at the top level, got a {type(content).__name__}")
    return content
