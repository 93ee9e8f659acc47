"""ExampleLibrary: finds the sets of examples of all runs, reads the requested ones and caches them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from seamark.dashboards.whatif import sources
from seamark.dashboards.whatif.sources import OpenedTable, SetListing, SetSource
from seamark.dashboards.whatif.wire.sets import SetParameters
from seamark.examples.form import ExampleSet, LoggedSteps
from seamark.examples.named_truth import with_truth
from seamark.examples.readers.sources import SUFFIXES
from seamark.examples.schema import Schema
from seamark.examples.schema_apply import check_schema, open_examples
from seamark.examples.schema_file import load_schema, save_schema
from seamark.format.types import RunName
from seamark.plugin import ModelOptions, RequestError, not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.plugin.uploads import UploadError, UploadFolder
from seamark.store import LogRoot, RunStore
from seamark.tables.column import TableError
from seamark.tables.content import content_hash

# Tables as they are in their files, and with their schemas: the two share the columns.
MAX_TABLES, MAX_OPEN = 8, 32
NO_RUN = RunName("")


class Upload(NamedTuple):
    title: str  # the name of the file as it was dropped
    path: Path


class ExampleLibrary:
    """For any thread."""

    def __init__(self, store: RunStore, roots: tuple[LogRoot, ...], options: ModelOptions | None = None) -> None:
        self._store, self._roots, self._options = store, roots, options or ModelOptions()
        self._tables: RecentlyUsed[OpenedTable] = RecentlyUsed(MAX_TABLES)
        self._open: RecentlyUsed[ExampleSet] = RecentlyUsed(MAX_OPEN)
        self._logged = sources.LoggedSets(MAX_TABLES)
        self._uploads: UploadFolder[Upload] = UploadFolder()

    # Which there are

    def has_any(self) -> bool:
        return bool(self.listings()[0])

    def listings(self) -> tuple[list[SetListing], bool]:
        """The sets, and whether more files lie in the folders than are listed."""
        runs = self._store.runs()
        found, has_more = sources.listed_files(runs)
        found += self._logged.listings(runs)
        found += [SetListing(NO_RUN, f"{sources.UPLOAD}:{id}", u.title, []) for id, u in self._uploads.all().items()]
        return found, has_more

    def steps(self, parameters: SetParameters) -> list[int]:
        """At which a logged set has predictions, in ascending order; none for a file."""
        return self._source(parameters).steps

    # Reading

    def open(self, parameters: SetParameters) -> ExampleSet:
        """Reads the set, or returns it from the cache. Raises RequestError."""
        with read_errors(parameters):
            source = self._source(parameters)
            has_schema = source.schema.exists()
            key = (source.key, sources.version_of(source.schema) if has_schema else None)
            return self._open.get(key, lambda: self._read(source, parameters))

    def _read(self, source: SetSource, parameters: SetParameters) -> ExampleSet:
        examples = self._with_schema(source)
        if source.step is None:
            return examples
        run, name = parameters.run, parameters.name
        logged = LoggedSteps(
            own=source.step,
            steps=lambda: self.steps(SetParameters(run, name)),
            open=lambda step: self.open(SetParameters(run, name, step)),
        )
        return dataclasses.replace(examples, logged=logged)

    def _with_schema(self, source: SetSource) -> ExampleSet:
        opened = self._tables.get(source.key, source.read)
        saved, problem = load_schema(source.schema)
        known, options = opened.known, self._options
        if options.truth in opened.table.by_name:
            known = known._replace(target=options.truth)
        examples = open_examples(opened.table, saved, known=known, table_id=opened.table_id)
        problems = [problem] if problem else []
        if saved is None:  # what people correct in the page comes before the command line
            schema, more = with_truth(examples.schema, examples.table, options.truth, options.positive)
            return with_schema(examples, schema, [*problems, *more])
        return with_schema(examples, examples.schema, problems)

    def _source(self, parameters: SetParameters) -> SetSource:
        origin, _, name = parameters.name.partition(":")
        if origin == sources.FILE:
            return sources.file_source(self._store.runs(), parameters.run, name)
        if origin == sources.LOGGED:
            return self._logged.source(self._store.runs(), parameters.run, name, parameters.step)
        upload = self._uploads.get(name) if origin == sources.UPLOAD else None
        if upload is None:
            raise not_found(f"there is no set of examples '{parameters.name}' in the run '{parameters.run}'")
        return sources.upload_source(name, upload.path)

    # Corrections

    def schema_path(self, parameters: SetParameters) -> str:
        """Where corrections are saved, relative to the run; "" for an upload, whose corrections end with it."""
        return self._source(parameters).schema_name

    def save_schema(self, parameters: SetParameters, schema: Schema | None) -> ExampleSet:
        """Saves the corrections and returns the set with them; None removes them. Raises RequestError."""
        with read_errors(parameters):
            source = self._source(parameters)
            if schema is not None:
                opened = self._tables.get(source.key, source.read)
                try:
                    check_schema(schema, opened.table, opened.known)
                except TableError as error:
                    raise RequestError(str(error), code="invalid_body") from error
                # Predictions of a step are no columns of the next one's: their roles are always known.
                logged = opened.known.predictions or {}
                schema = replace(schema, columns=tuple(c for c in schema.columns if c.name not in logged))
            try:
                save_schema(source.schema, schema)
            except TableError as error:
                raise RequestError(str(error), code="forbidden") from error
        return self.open(parameters)

    # Uploads

    def add_upload(self, name: str, file: Path) -> tuple[RunName, str]:
        """The run and the name of the set. Raises RequestError if the file has no table."""
        try:
            id = self._uploads.add(name, file, SUFFIXES, lambda path: Upload(name, path))
        except UploadError as error:
            raise RequestError(str(error), code="undecodable") from error
        parameters = SetParameters(run=NO_RUN, name=f"{sources.UPLOAD}:{id}")
        try:
            self.open(parameters)  # what is wrong with the file is said at once
        except BaseException:
            self._uploads.remove(id)
            raise
        return parameters.run, parameters.name


def with_schema(examples: ExampleSet, schema: Schema, problems: list[str]) -> ExampleSet:
    content_id = examples.content_id
    if schema != examples.schema:
        content_id = content_hash((), salt=f"{content_id}{schema!r}".encode(errors="surrogatepass"))
    known = (*examples.problems, *problems)
    return ExampleSet(examples.table, schema, content_id, known, examples.read_picture)


@contextmanager
def read_errors(parameters: SetParameters) -> Iterator[None]:
    try:
        yield
    except TableError as error:
        raise RequestError(f"the examples cannot be read: {error}", code="undecodable") from error
    except FileNotFoundError as error:
        raise not_found(f"the run '{parameters.run}' has no examples '{parameters.name}' any more") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise RequestError(f"the examples cannot be read: {reason}", code="undecodable") from error
