"""Configuration files that training programs leave in a run's folder, and when they changed."""

from __future__ import annotations

import codecs
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seamark.compare import yaml_text
from seamark.compare.flatten import Scalar, flattened
from seamark.format import json_text, run_record
from seamark.format.config_names import CONFIG_NAMES
from seamark.format.run_record import RunRecord, RunRecordError
from seamark.store.inside import OutsideError, open_inside

ALL_NAMES = (*CONFIG_NAMES, run_record.FILE_NAME)
HYDRA = ".hydra"
LISTED_NAMES = frozenset(name for name in ALL_NAMES if "/" not in name) | {HYDRA}
MAX_BYTES = 4 << 20
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


def read_files(folder: Path, *, log_dirs: Sequence[Path] = ()) -> RunFiles:
    """A file that cannot be read, is too big or leads out of `log_dirs` by a link is a problem of this run only."""
    found = RunFiles()
    place = os.fspath(folder)
    # Taken before reading: what changes meanwhile is read again.
    found.stamps[""] = _stamp(place)
    problems: list[str] = []
    present = _present(place)
    for name in ALL_NAMES if present else ():
        if name not in present:
            continue
        found.stamps[name] = _stamp(f"{place}/{name}")
        try:
            _add_file(found, name, _text(place, name, log_dirs))
        except (_UnreadableError, RunRecordError, yaml_text.YamlError) as error:
            problems.append(f"{error}; it is left out: '{folder / name}'")
        except ModuleNotFoundError:
            problems.append(f"YAML cannot be read without PyYAML; pip install pyyaml: '{folder / name}'")
        except Exception as error:  # whatever is wrong with one run's file must not take the table of all runs away
            problems.append(f"this file cannot be used ({type(error).__name__}); it is left out: '{folder / name}'")
    found.problems = tuple(problems)
    return found


def _add_file(found: RunFiles, name: str, text: str) -> None:
    if name != run_record.FILE_NAME:
        found.params.update(flattened(_mapping(name, text)))
        return
    record = shared_parts(run_record.loads(text))
    params = flattened(record.config, spoken=True)
    if params == record.config:
        record.config = params  # held once, its names shared with other runs
    found.record, found.record_params = record, params


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


def _text(folder: str, name: str, log_dirs: Sequence[Path]) -> str:
    try:
        with open_inside(folder, name, log_dirs=log_dirs) as file:
            # A buffer for the largest file, thousands of times, takes longer than reading.
            size = min(os.fstat(file.fileno()).st_size, MAX_BYTES)
            data = file.read(size + 1)
            if len(data) > size:  # it grows
                data += file.read(MAX_BYTES + 1 - len(data))
    except OutsideError as error:
        raise _UnreadableError(str(error)) from None
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
            content = json_text.loads(text)
        except json_text.JsonError as error:
            raise _UnreadableError(f"this file {error}") from None
    else:
        content = yaml_text.loads(text)
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise _UnreadableError(f"holds no names with values but a {type(content).__name__}")
    return content
