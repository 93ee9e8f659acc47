"""The runs of a log directory, a selection of them, or one run."""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import RunName, Tag
from seamark.read.library import Library
from seamark.read.logged import LoggedList, logged
from seamark.read.scalars import Scalars, of_one_run, of_runs
from seamark.read.table import frame_of
from seamark.store import UnknownSeriesError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from seamark.compare import Difference, Record, RunTable
    from seamark.format.run_record import RunRecord
    from seamark.read.frame import Frame
    from seamark.store import Attempts, Problem, RunInfo, RunStore

SCALARS = "scalars"
TORCH_TEXT = "/text_summary"


class UnknownRunError(KeyError):
    """There is no run with that name."""

    def __str__(self) -> str:
        return str(self.args[0])


class Runs(Sequence["OneRun"]):
    """Runs in order of their first event. Index by name or number for one, by slice or list of names for several."""

    def __init__(self, library: Library, names: Sequence[RunName] | None = None) -> None:
        self._library = library
        self._names = None if names is None else list(names)

    # Selection

    @property
    def names(self) -> list[RunName]:
        if self._names is not None:
            return self._names
        return [info.name for info in self.store.runs()]

    @overload
    def __getitem__(self, key: int | str) -> OneRun: ...
    @overload
    def __getitem__(self, key: slice | list[str]) -> Runs: ...
    def __getitem__(self, key: int | str | slice | list[str]) -> OneRun | Runs:
        names = self.names
        if isinstance(key, list):
            return Runs(self._library, [self[name].name for name in key])
        if isinstance(key, slice):
            return Runs(self._library, names[key])
        if isinstance(key, str):
            if key not in names:
                raise UnknownRunError(f"no run called '{key}'{suggestion(key, names)}")
            return OneRun(self._library, RunName(key))
        return OneRun(self._library, names[key])

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[OneRun]:
        return (OneRun(self._library, name) for name in self.names)

    def __contains__(self, run: object) -> bool:
        return (run.name if isinstance(run, OneRun) else run) in self.names

    def __repr__(self) -> str:
        names = self.names
        shown = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
        return f"<{len(names):,} runs: {shown}>" if names else "<no runs>"

    def tags(self, kind: str = SCALARS) -> list[str]:
        """The tags of these runs, sorted."""
        listed = self.store.tags(kind)
        return sorted({tag for name in self.names for tag in listed.get(name, {}).get(kind, ())})

    @property
    def problems(self) -> list[Problem]:
        """The problems with the files of these runs."""
        names = set(self.names)
        return [problem for problem in self.store.problems() if problem.run is None or problem.run in names]

    def query(self, query: str = "", *, sort: str | Sequence[str] = (), archived: str = "hide") -> Runs:
        """The runs that match, sorted by columns; "-" before a name sorts in descending order.

        `query` is described in docs/query.md: an expression, /a regex/, or part of a name. Runs that torch's
        add_hparams wrote are merged into their parent. QueryError has the position of the error.
        """
        table = self.run_table
        keys = [sort] if isinstance(sort, str) else sort
        ids = [f"-{table.resolve(key[1:])}" if key.startswith("-") else table.resolve(key) for key in keys]
        rows = table.select(query, ids, runs=self._names, archived=archived).rows
        names = table.names
        return Runs(self._library, [names[row] for row in rows])

    # Tables

    def table(self, columns: Sequence[str] | None = None, *, tail: int = 10) -> Frame:
        """A row per run. `columns` are names such as "lr" and "val/loss.min"; None means all columns."""
        return frame_of(self.run_table, self.rows(), columns, tail=tail)

    def pandas(self, columns: Sequence[str] | None = None) -> pandas.DataFrame:
        return self.table(columns).pandas(copy=True)

    def polars(self, columns: Sequence[str] | None = None) -> polars.DataFrame:
        return self.table(columns).polars()

    def arrow(self, columns: Sequence[str] | None = None) -> pyarrow.Table:
        return self.table(columns).arrow()

    def diff(self, *, tags: Sequence[str] | None = None) -> Difference:
        """The differences between two or more runs: configuration, code, machine, metrics."""
        from seamark.compare import difference_of

        names = self.names
        if len(names) < 2:
            raise ValueError(f"a diff needs at least two runs, got {len(names)}")
        return difference_of(self.run_table, names, tags)

    # Logged data

    def scalars(self, tag: str | None = None, *, attempts: Attempts = "latest") -> Scalars:
        """Every point of a tag in these runs, or of all tags.

        `attempts` "latest" leaves out points that a restart replaced; "all" includes them, with a column `attempt`.
        """
        if tag is None:
            return of_runs(self.store, self.names, [Tag(name) for name in self.tags()], attempts)
        self._check(tag, SCALARS)
        return of_runs(self.store, self.names, [Tag(tag)], attempts)

    def images(self, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        return self.payloads("images", tag, attempts=attempts)

    def histograms(self, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        return self.payloads("histograms", tag, attempts=attempts)

    def texts(self, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        """`tag` may be the tag passed to add_text: torch's writer and ours append a suffix to it."""
        written = tag + TORCH_TEXT
        return self.payloads("text", written if written in self.tags("text") else tag, attempts=attempts)

    def audio(self, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        return self.payloads("audio", tag, attempts=attempts)

    def tensors(self, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        return self.payloads("tensors", tag, attempts=attempts)

    def pr_curves(self, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        return self.payloads("pr_curves", tag, attempts=attempts)

    def payloads(self, kind: str, tag: str, *, attempts: Attempts = "latest") -> LoggedList:
        """The payloads of a tag of any kind except scalars: one of `seamark.kinds`, or a plugin's name."""
        self._check(tag, kind)
        return logged(self.store, self.names, Tag(tag), kind, attempts)

    # Lifetime

    def refresh(self) -> Runs:
        """Reads new events. A selection keeps its runs."""
        self._library.refresh()
        return self

    def close(self) -> None:
        """Stops the reading threads. Data that was read stays valid."""
        self._library.close()

    def __enter__(self) -> Runs:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Underlying objects

    @property
    def store(self) -> RunStore:
        """The store that all runs of one `seamark.open` share."""
        return self._library.store

    @property
    def run_table(self) -> RunTable:
        """The current table of all runs."""
        return self._library.table

    def rows(self) -> NDArray[np.intp]:
        """The rows of these runs in `run_table`. A merged run has the row of the run it was merged into."""
        rows = map(self.run_table.place_of, self.names)
        return np.array(list(dict.fromkeys(row for row in rows if row is not None)), np.intp)

    def _check(self, tag: str, kind: str) -> None:
        tags = self.tags(kind)
        if tag not in tags:
            raise UnknownSeriesError(f"no run here has {kind} of {tag!r}{suggestion(tag, tags)}")


class OneRun(Runs):
    """One run. Its scalars have no column `run`."""

    def __init__(self, library: Library, name: RunName) -> None:
        super().__init__(library, [name])
        self.name = name

    def __repr__(self) -> str:
        return f"<run '{self.name}'>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneRun) and (other._library, other.name) == (self._library, self.name)

    def __hash__(self) -> int:
        return hash((id(self._library), self.name))

    @property
    def info(self) -> RunInfo:
        """Counts, times and the folder."""
        found = next((info for info in self.store.runs() if info.name == self.name), None)
        if found is None:
            raise UnknownRunError(f"the run no longer exists: '{self.name}'")
        return found

    @property
    def path(self) -> Path:
        return self.info.path

    @property
    def params(self) -> dict[str, Any]:
        """Hyperparameters by their flat names, from run.json, config files and event files."""
        return dict(self._row.params)

    @property
    def record(self) -> RunRecord | None:
        """The content of run.json; None if there is none."""
        return self._row.record

    @property
    def status(self) -> str:
        return self._row.status(time.time())

    @property
    def _row(self) -> Record:
        table = self.run_table
        row = table.place_of(self.name)
        if row is None:
            raise UnknownRunError(f"the run no longer exists: '{self.name}'")
        return table.records[row]

    def scalars(self, tag: str | None = None, *, attempts: Attempts = "latest") -> Scalars:
        """Every point of a tag; a view of the store's memory if the series is contiguous."""
        if tag is None:
            return super().scalars(attempts=attempts)
        self._check(tag, SCALARS)
        return of_one_run(self.store, self.name, Tag(tag), attempts)


def suggestion(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"; did you mean {' or '.join(repr(one) for one in near)}?"
    if not known:
        return "; there is none"
    return f"; there are {', '.join(map(repr, known[:5]))}{', …' if len(known) > 5 else ''}"
