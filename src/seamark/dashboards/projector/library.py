"""EmbeddingLibrary: finds the embeddings of all runs, reads the requested ones and caches them."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.dashboards.projector.folders import EmbeddingFolder, EmbeddingFolders
from seamark.dashboards.projector.uploads import Upload, Uploads
from seamark.embeddings.form import Embedding, EmbeddingError, MetadataColumn, UnreadableFileError
from seamark.embeddings.opening import configured_metadata, open_configured, open_file
from seamark.embeddings.readers.checkpoints import Checkpoints
from seamark.embeddings.readers.files import (
    BINARY_SUFFIXES,
    SEVERAL_ARRAYS,
    SUFFIXES,
    TEXT_SUFFIXES,
    arrays_in,
    is_probably_one,
)
from seamark.embeddings.readers.labels import LABELS_SUFFIXES
from seamark.embeddings.readers.run_config import ConfigFolder, OnProblem, RunConfig, find_configs, is_file
from seamark.embeddings.vector_cache import VectorCache, version_of
from seamark.format.types import RunName
from seamark.kinds.projector.config import Embedding as ConfigEntry
from seamark.plugin import RequestError, not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.plugin.run_folder import MAX_SEARCH_SECS, RunFolderFile, file_in_run, files_in_runs
from seamark.store import LogRoot, RunStore

MAX_OPEN = 8
MAX_PROBED = 10_000
# Rows of the metadata of all steps that are read for the order of their values.
MAX_STEP_ROWS = 300_000
CONFIG, FILE, UPLOAD = "config", "file", "upload"
# torch, tensorboardX and Seamark write the step behind the tag.
STEP_NAME = re.compile(r"(?P<tag>.*):(?P<step>\d{5,18})", re.DOTALL)
# In a file with several embeddings the name of one is behind the path.
ARRAY_PATH = re.compile(rf"(?P<path>.*?(?:{'|'.join(map(re.escape, SEVERAL_ARRAYS))}))#(?P<array>.*)", re.DOTALL | re.I)
# The end of every name in a checkpoint of TensorFlow 2.
VARIABLE_SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"
# The state of a Keras optimizer. The variables that it trains are the model's, and often have no other name.
OPTIMIZER_STATE = re.compile(r"(?:.*/)?(?:optimizer/(?!_trainable_variables/).*|_variables/\d+/.*)", re.DOTALL)
SHARED_LABELS = "metadata.tsv"
LABELS_NAME = re.compile(r"(?:.*\.)?(?:metadata|labels)\.\w+", re.DOTALL)


class EmbeddingListing(NamedTuple):
    ref: EmbeddingRef  # the last step
    title: str
    steps: list[tuple[int, str]]  # step and the name of its embedding, in ascending order


class ListingProblem(NamedTuple):
    """A config or file that has no listing because it cannot be read."""

    run: RunName
    path: str  # in the folder of the run
    message: str


class Listings(NamedTuple):
    embeddings: list[EmbeddingListing]
    has_more: bool  # more files lie in the folders than are listed
    problems: list[ListingProblem]


class Source(NamedTuple):
    version: object  # another one after each change of a file
    read: Callable[[], Embedding]


class EmbeddingLibrary:
    def __init__(self, store: RunStore, roots: tuple[LogRoot, ...]) -> None:
        self._store = store
        self._folders = EmbeddingFolders(store, roots)
        self._open: RecentlyUsed[Embedding] = RecentlyUsed(MAX_OPEN)
        self._step_columns: RecentlyUsed[tuple[MetadataColumn, ...]] = RecentlyUsed(MAX_OPEN)
        self._probed: RecentlyUsed[list[str]] = RecentlyUsed(MAX_PROBED)
        self._checkpoints = Checkpoints()
        self._uploads = Uploads()
        self._uploaded_vectors = VectorCache(None)
        self._temporary_vectors = VectorCache(None)

    # Which there are

    def has_any(self) -> bool:
        """Also whether there is a problem to show."""
        problems: list[ListingProblem] = []
        if next(self._configs(_adder(problems)), None) is not None or problems:
            return True
        files, _ = self._files()
        return any(self._arrays(file, _adder(problems), for_listing=False) or problems for file in files.values())

    def listings(self) -> Listings:
        found: list[EmbeddingListing] = []
        problems: list[ListingProblem] = []
        assets: set[str] = set()
        for run, config in self._configs(_adder(problems)):
            found += _configured(RunName(run), config)
            assets |= _asset_paths(config)
        files, has_more = self._files()
        for path, file in files.items():
            if path not in assets:
                found += [_in_file(file, array) for array in self._arrays(file, _adder(problems))]
        for id, upload in self._uploads.all().items():
            found += [_uploaded(id, upload, array) for array in upload.arrays]
        return Listings(found, has_more, problems)

    def _configs(self, on_problem: OnProblem) -> Iterator[tuple[str, RunConfig]]:
        """Of so many runs as can be searched in a short time."""
        deadline = time.monotonic() + MAX_SEARCH_SECS

        def folders() -> Iterator[ConfigFolder]:
            for folder in self._folders.all():
                if time.monotonic() > deadline:
                    return
                if folder.may_have_config:
                    yield folder.as_config_folder

        return find_configs(folders(), self._checkpoints, on_problem)

    def _files(self) -> tuple[dict[str, RunFolderFile], bool]:
        """By path; and whether there are more."""
        folders = list(self._folders.all())
        # Searched apart, because every run may have a log in CSV, and the number of files is limited.
        binary, has_more_binary = files_in_runs(folders, BINARY_SUFFIXES)
        text, has_more_text = files_in_runs(folders, TEXT_SUFFIXES)
        files = {file.location: file for file in (*binary, *text)}
        return files, has_more_binary or has_more_text

    def _arrays(self, file: RunFolderFile, on_problem: OnProblem, *, for_listing: bool = True) -> list[str]:
        """The embeddings in a file; none if it is the metadata of another, or something else.

        What is wrong with a whole file, such as an array of three dimensions, is only said in a list of embeddings.
        """
        path = Path(file.location)
        if LABELS_NAME.fullmatch(path.name):
            return []
        try:
            return self._probed.get((path, version_of(path)), lambda: _probe(path))
        except UnreadableFileError as error:
            on_problem(file.run, file.path, f"the embedding cannot be read: {error}")
            return []
        except EmbeddingError as error:
            if for_listing:
                on_problem(file.run, file.path, f"this is no embedding: {error}")
            return []
        except OSError:
            return []

    # Reading

    def open(self, ref: EmbeddingRef) -> Embedding:
        """Reads the embedding, or returns it from the cache. Raises RequestError."""
        try:
            source = self._source(ref)
            return self._open.get((ref, source.version), source.read)
        except EmbeddingError as error:
            raise RequestError(f"the embedding cannot be read: {error}", code="undecodable") from error
        except FileNotFoundError as error:
            raise not_found(f"the run '{ref.run}' has no embedding '{ref.name}' any more") from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise RequestError(f"the embedding cannot be read: {reason}", code="undecodable") from error

    def columns_of_steps(self, ref: EmbeddingRef, embedding: Embedding) -> tuple[MetadataColumn, ...]:
        """The metadata of all steps of the embedding, or of so many that they are read in a short time."""
        origin, _, name = ref.name.partition(":")
        step = STEP_NAME.fullmatch(name) if origin == CONFIG else None
        config = self._config_of(ref) if step is not None else None
        if step is None or config is None:
            return embedding.metadata.columns
        named = ((STEP_NAME.fullmatch(entry.tensor_name), entry) for entry in config.config.embeddings)
        steps = [(int(match["step"]), entry) for match, entry in named if match and match["tag"] == step["tag"]]
        entries = [entry for _, entry in sorted(steps, key=itemgetter(0))]
        limit = max(1, MAX_STEP_ROWS // max(1, embedding.vectors.rows))
        # Always the same ones, whichever step is asked for; the last one is among them.
        chosen = entries[:: -max(1, -(-len(entries) // limit))]
        paths = tuple((path, _version(config.folder / path)) for path in (entry.metadata_path for entry in chosen))
        return self._step_columns.get(
            (ref.run, step["tag"], embedding.vectors.rows, paths), lambda: self._read_columns(config, chosen, embedding)
        )

    def _read_columns(
        self, config: RunConfig, entries: list[ConfigEntry], embedding: Embedding
    ) -> tuple[MetadataColumn, ...]:
        cache, rows = self._vectors(), embedding.vectors.rows
        found = [configured_metadata(cache, config, entry, rows, [])[0] for entry in entries]
        # Only the names count: rows are not kept.
        columns = [replace(column, codes=None, numbers=None) for metadata in found for column in metadata.columns]
        return tuple(column for column in columns if column.type == "category")

    def _source(self, ref: EmbeddingRef) -> Source:
        origin, _, name = ref.name.partition(":")
        if origin == CONFIG:
            return self._configured_source(ref, name)
        if origin == FILE:
            return self._file_source(ref, name)
        if origin == UPLOAD:
            return self._uploaded_source(name)
        raise not_found(f"the run '{ref.run}' has no embedding '{ref.name}'")

    def _configured_source(self, ref: EmbeddingRef, name: str) -> Source:
        config = self._config_of(ref)
        entry = config.embedding(name) if config is not None else None
        if config is None or entry is None:
            raise not_found(f"the run '{ref.run}' has no embedding '{name}'")
        paths = [config.folder / path for path in _paths_of(entry)]
        if not entry.tensor_path:
            paths += [part.file for part in config.stored(entry).parts]
        versions = tuple(version_of(path) if is_file(path) else None for path in paths)
        return Source((entry, versions), lambda: open_configured(self._vectors(), config, entry))

    def _config_of(self, ref: EmbeddingRef) -> RunConfig | None:
        folder = self._folders.named(ref.run)
        folders = [] if folder is None else [folder.as_config_folder]
        return next((config for _, config in find_configs(folders, self._checkpoints)), None)

    def _file_source(self, ref: EmbeddingRef, name: str) -> Source:
        split = ARRAY_PATH.fullmatch(name)
        relative, array = (split["path"], split["array"]) if split else (name, "")
        folder = self._folders.named(ref.run)
        path = None if folder is None else file_in_run([folder], ref.run, relative, SUFFIXES)
        if folder is None or path is None:
            raise not_found(f"the run '{ref.run}' has no file '{relative}' with an embedding")
        labels, are_shared = _labels_beside(folder, relative)
        version = (version_of(path), None if labels is None else version_of(labels))

        def read() -> Embedding:
            return open_file(self._vectors(), path, array, labels, are_labels_shared=are_shared)

        return Source(version, read)

    def _vectors(self) -> VectorCache:
        folder = self._store.cache_dir
        return self._temporary_vectors if folder is None else VectorCache(folder)

    # Uploads

    def add_upload(self, name: str, file: Path) -> EmbeddingRef:
        try:
            id = self._uploads.add(name, file)
        except EmbeddingError as error:
            raise RequestError(str(error), code="undecodable") from error
        upload = self._uploads.get(id)
        if upload is None:
            raise _gone()
        ref = _uploaded(id, upload, upload.arrays[0]).ref
        try:
            self.open(ref)  # what is wrong with the file is said at once
        except BaseException:
            self._uploads.remove(id)
            raise
        return ref

    def add_metadata(self, ref: EmbeddingRef, name: str, file: Path) -> EmbeddingRef:
        id = ref.name.removeprefix(f"{UPLOAD}:").partition("#")[0]
        try:
            is_there = self._uploads.add_labels(id, name, file)
        except EmbeddingError as error:
            raise RequestError(str(error), code="undecodable") from error
        if not is_there:
            raise _gone()
        return ref

    def _uploaded_source(self, name: str) -> Source:
        id, _, array = name.partition("#")
        upload = self._uploads.get(id)
        if upload is None:
            raise _gone()
        return Source(upload.labels, lambda: open_file(self._uploaded_vectors, upload.path, array, upload.labels))


def _adder(problems: list[ListingProblem]) -> OnProblem:
    return lambda run, path, message: problems.append(ListingProblem(RunName(run), path, message))


def _labels_beside(folder: EmbeddingFolder, path: str) -> tuple[Path | None, bool]:
    """`vectors.metadata.tsv` for `vectors.npy`; or `metadata.tsv`, which other files may share."""
    stem, above = os.path.splitext(path)[0], path.rpartition("/")[0]  # noqa: PTH122
    for suffix in LABELS_SUFFIXES:
        found = file_in_run([folder], folder.name, f"{stem}.metadata{suffix}", LABELS_SUFFIXES)
        if found is not None:
            return found, False
    return file_in_run([folder], folder.name, f"{above}/{SHARED_LABELS}".lstrip("/"), LABELS_SUFFIXES), True


def _gone() -> RequestError:
    return not_found("this file is not on the server any more; drop it on the page again")


def _uploaded(id: str, upload: Upload, array: str) -> EmbeddingListing:
    ending = f"#{array}" if array else ""
    return EmbeddingListing(EmbeddingRef(RunName(""), f"{UPLOAD}:{id}{ending}"), upload.title + ending, [])


def _in_file(file: RunFolderFile, array: str) -> EmbeddingListing:
    path = f"{file.path}#{array}" if array else file.path
    return EmbeddingListing(EmbeddingRef(file.run, f"{FILE}:{path}"), path, [])


def _configured(run: RunName, config: RunConfig) -> list[EmbeddingListing]:
    """One for each tag, with its steps."""
    by_tag: dict[str, dict[int, str]] = {}
    for entry in config.config.embeddings:
        if not entry.tensor_path and OPTIMIZER_STATE.fullmatch(entry.tensor_name):
            continue
        match = STEP_NAME.fullmatch(entry.tensor_name)
        tag, step = (match["tag"], int(match["step"])) if match else (entry.tensor_name, -1)
        by_tag.setdefault(tag, {})[step] = f"{CONFIG}:{entry.tensor_name}"
    found = []
    for tag, names in by_tag.items():
        steps = sorted((step, name) for step, name in names.items() if step >= 0)
        if -1 in names:
            found.append(EmbeddingListing(EmbeddingRef(run, names[-1]), tag.removesuffix(VARIABLE_SUFFIX), []))
        if steps:
            found.append(EmbeddingListing(EmbeddingRef(run, steps[-1][1]), tag, steps))
    return found


def _version(path: Path) -> object:
    return version_of(path) if is_file(path) else None


def _asset_paths(config: RunConfig) -> set[str]:
    entries = config.config.embeddings
    return {os.path.normpath(config.folder / path) for entry in entries for path in _paths_of(entry)}


def _paths_of(entry: ConfigEntry) -> list[str]:
    sprite = entry.sprite.image_path if entry.sprite is not None else ""
    named = (entry.tensor_path, entry.metadata_path, entry.bookmarks_path, sprite)
    return [path for path in named if path and "\0" not in path]


def _probe(path: Path) -> list[str]:
    return arrays_in(path) if is_probably_one(path) else []
