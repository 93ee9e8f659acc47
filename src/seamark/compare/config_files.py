"""Configuration files that training programs leave in a run's folder, and when they changed."""

from __future__ import annotations

import codecs
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seamark.compare import yaml_text
from seamark.compare.flatten import Scalar, flattened
from seamark.format import run_record
from seamark.format.config_names import CONFIG_NAMES
from seamark.format.run_record import RunRecord, RunRecordError

ALL_NAMES = (*CONFIG_NAMES, run_record.FILE_NAME)
HYDRA = ".hydra"
LISTED_NAMES = frozenset(name for name in ALL_NAMES if "/" not in name) | {HYDRA}
MAX_BYTES = 4 << 20
# Not to wait at a pipe that somebody gave such a name.
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

MAX_SHARED = 500
_SHARED: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}

Stamp = tuple[int, int, int]  # inode, size, mtime in nanoseconds


@dataclass(slots=True, eq=False)
class RunFiles:
    """What the files of one folder say. `stamps` tells whether they still say it, without opening them."""

    stamps: dict[str, Stamp | None] = field(default_factory=dict)  # by name; "" is the folder
    params: dict[str, Scalar | None] = field(default_factory=dict)
    record: RunRecord | None = None
    record_params: dict[str, Scalar | None] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def is_current(folder: Path, files: RunFiles) -> bool:
    """New, renamed and deleted files change the folder's own time; changes in place change a file's."""
    place = os.fspath(folder)
    return all(_stamp(f"{place}/{name}") == stamp for name, stamp in files.stamps.items())


def read_files(folder: Path) -> RunFiles:
    found = RunFiles()
    place = os.fspath(folder)
    # Taken before reading: what changes meanwhile is read again.
    found.stamps[""] = _stamp(place)
    problems: list[str] = []
    present = _present(place)
    for name in ALL_NAMES if present else ():
        if name not in present:
            continue
        found.stamps[name] = stamp = _stamp(f"{place}/{name}")
        try:
            text = _text(f"{place}/{name}", stamp[1] if stamp is not None else 0)
            if name == run_record.FILE_NAME:
                found.record = shared_parts(run_record.loads(text))
                found.record_params = flattened(found.record.config, spoken=True)
                if found.record_params == found.record.config:
                    found.record.config = found.record_params  # held once, its names shared with other runs
            else:
                found.params.update(flattened(_mapping(name, text)))
        except (_UnreadableError, RunRecordError, yaml_text.YamlError) as error:
            problems.append(f"{error}; it is left out: '{folder / name}'")
        except ModuleNotFoundError:
            problems.append(f"YAML cannot be read without PyYAML; pip install pyyaml: '{folder / name}'")
    found.problems = tuple(problems)
    return found


def shared_parts(record: RunRecord) -> RunRecord:
    """Runs of a sweep have the same packages and environment: hundreds of texts that are held once."""
    record.packages = _one_of(record.packages)
    record.environment = _one_of(record.environment)
    return record


def _one_of(mapping: dict[str, str]) -> dict[str, str]:
    if not mapping:
        return mapping
    key = tuple(mapping.items())
    if len(_SHARED) > MAX_SHARED and key not in _SHARED:
        _SHARED.clear()
    return _SHARED.setdefault(key, mapping)


class _UnreadableError(ValueError):
    pass


def _present(folder: str) -> frozenset[str]:
    try:
        names = LISTED_NAMES.intersection(os.listdir(folder))  # noqa: PTH208 - thousands of times
    except OSError:
        return frozenset()
    if HYDRA in names:
        below = {name for name in CONFIG_NAMES if name.startswith(HYDRA) and Path(folder, name).is_file()}
        names = names - {HYDRA} | below
    return names


def _stamp(path: str) -> Stamp | None:
    try:
        stat = os.stat(path)  # noqa: PTH116 - thousands of times
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _text(path: str, size: int) -> str:
    """`size` is how much to expect: a buffer for the largest file, thousands of times, takes longer than reading."""
    try:
        file = os.open(path, OPEN_FLAGS)
        try:
            data = part = os.read(file, min(size, MAX_BYTES) + 1)
            while part and len(data) != size and len(data) <= MAX_BYTES:  # it has changed since
                part = os.read(file, MAX_BYTES + 1 - len(data))
                data += part
        finally:
            os.close(file)
    except OSError as error:
        raise _UnreadableError(f"this file cannot be read ({error.strerror or type(error).__name__})") from None
    if len(data) > MAX_BYTES:
        raise _UnreadableError(f"a configuration of more than {MAX_BYTES >> 20} MB is not read")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise _UnreadableError(f"not UTF-8: byte 0x{data[error.start]:02x} at {error.start}") from None


def _mapping(name: str, text: str) -> dict[Any, Any]:
    if name.endswith(".json"):
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _UnreadableError(f"not JSON: {error}") from None
    else:
        content = yaml_text.loads(text)
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise _UnreadableError(f"holds no names with values but a {type(content).__name__}")
    return content
