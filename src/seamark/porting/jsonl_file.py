"""JSON lines: one object per line, with one key per tag (wide) or one point each (long). Nested keys become a/b."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seamark.format.plain import flatten
from seamark.porting.rows import Columns, Table, files_named
from seamark.porting.source import OnBytes, Progress, SourceError, SourceRun, shifted

SUFFIXES = (".jsonl", ".ndjson")
PROGRESS_ROWS = 5000
# A line with a run's parameters, as `seamark export jsonl` writes it.
PARAMS = "params"


def runs(path: Path, columns: Columns, progress: Progress) -> Iterator[SourceRun]:
    files = files_named(path, SUFFIXES)
    done, total = 0, sum(file.stat().st_size for file in files)
    for file in files:
        yield from table_of(file, columns, shifted(progress, done, total)).finished()
        done += file.stat().st_size
        progress(done, total)


def table_of(path: Path, columns: Columns, on_bytes: OnBytes) -> Table:
    table: Table | None = None
    try:
        # Reads all lines for the columns: a key may first appear in the last line.
        names: dict[str, None] = {}
        for row, _ in objects(path, lambda _: None):
            names.update(dict.fromkeys(row))
        table = Table("jsonl", path, columns.found_in(names, path))
        for row, line in objects(path, on_bytes):
            given = row.pop(PARAMS, None) if PARAMS not in columns.params else None
            if isinstance(given, Mapping):
                run = table.run(str(row.get(table.columns.run) or ""))
                run.params = {**run.params, **given}
                row = {key: value for key, value in row.items() if key != table.columns.run}
                if not row:
                    continue
            table.add(row, line)
        return table
    except UnicodeDecodeError:
        raise SourceError(f"this is not text in UTF-8: '{path}'") from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror}): '{path}'") from None


def objects(path: Path, on_bytes: OnBytes) -> Iterator[tuple[dict[str, Any], int]]:
    with path.open("rb") as file:
        read = 0
        for line, data in enumerate(file, 1):
            read += len(data)
            if line % PROGRESS_ROWS == 0:
                on_bytes(read)
            if not data.strip():
                continue
            try:
                found = json.loads(data.decode("utf-8-sig" if line == 1 else "utf-8"))
            except (json.JSONDecodeError, RecursionError) as error:
                if not data.endswith(b"\n"):
                    return  # an incomplete last line
                raise SourceError(f"line {line} is not JSON ({error}): '{path}'") from None
            if not isinstance(found, dict):
                raise SourceError(f'line {line} is no object like {{"step": 1, "loss": 0.5}}: \'{path}\'')
            yield flat(found), line


def flat(nested: Mapping[str, Any]) -> dict[str, Any]:
    params = nested.get(PARAMS)
    if not isinstance(params, Mapping):
        return dict(flatten(nested, separator="/"))
    rest = {key: value for key, value in nested.items() if key != PARAMS}
    return {**dict(flatten(rest, separator="/")), PARAMS: params}
