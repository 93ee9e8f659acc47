"""GraphLibrary: finds the graphs of all runs, reads the requested ones and caches them."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seamark.dashboards.graphs.graph_ref import GraphRef
from seamark.format.types import RunName, Tag
from seamark.graphs.cache import GraphCache
from seamark.graphs.form import Graph, GraphError
from seamark.graphs.known_outputs import is_complete
from seamark.graphs.readers import SUFFIXES, read_file
from seamark.graphs.session import GraphSession
from seamark.kinds import DecodeError
from seamark.kinds.projector import config as projector_config
from seamark.plugin import RequestError, not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.plugin.run_folder import file_in_run, files_in_runs
from seamark.plugin.uploads import upload_id
from seamark.store import PayloadGoneError, RunStore, SeriesInfo

if TYPE_CHECKING:
    from seamark.graphs.profiles import Profile

LOG = logging.getLogger(__name__)
GRAPHS, META_GRAPH, KERAS = "graphs", "meta_graph", "graph_keras_model"
PROFILE, PROFILE_GRAPH, TAGGED_PROFILE = "graph_run_metadata", "graph_run_metadata_graph", "graph_tagged_run_metadata"
RUN_GRAPH = "run_graph"
# Any JSON may lie in a run's folder; only these are graphs by their name.
FILE_SUFFIXES = tuple(suffix for suffix in SUFFIXES if suffix != ".json")
MAX_SESSIONS = 8
MAX_UPLOADS = 16
# About half a gigabyte.
MAX_UPLOADED_NODES = 2_000_000
MAX_EARLIER = 20
MAX_PAIRS = 2
MAX_PROFILES = 8
# Of each run metadata, whether it has a graph.
MAX_CHECKED_PROFILES = 10_000


class GraphListing(NamedTuple):
    ref: GraphRef
    title: str
    profiles: list[tuple[Tag, int]]  # tag and step of the run metadata that fits
    version: str = ""  # another one when it was logged again


class GraphLibrary:
    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._sessions: RecentlyUsed[GraphSession] = RecentlyUsed(MAX_SESSIONS)
        self._pairs: RecentlyUsed[GraphSession] = RecentlyUsed(MAX_PAIRS)
        self._profiles: RecentlyUsed[Profile] = RecentlyUsed(MAX_PROFILES)
        self._has_graph: RecentlyUsed[bool] = RecentlyUsed(MAX_CHECKED_PROFILES)
        self._uploads: OrderedDict[str, tuple[str, Graph]] = OrderedDict()

    def listings(self) -> tuple[list[GraphListing], bool]:
        """The graphs, and whether more files lie in the folders than are listed."""
        found: list[GraphListing] = []
        for run, series in self._series_by_run().items():
            graphs = [info for info in series if info.kind != PROFILE or self._is_graph(info)]
            found += self._listings_of(run, graphs, self._profiles_in(series))
            found += [listing for info in series for listing in self._earlier_graphs(info)]
        files, has_more = files_in_runs(self._store.runs(), FILE_SUFFIXES)
        found += [
            GraphListing(GraphRef(file.run, f"file:{file.path}"), file.path, [])
            for file in files
            if file.path.rpartition("/")[2] != projector_config.FILE_NAME
        ]
        with self._lock:
            uploads = [(id, name) for id, (name, _) in self._uploads.items()]
        found += [GraphListing(GraphRef(RunName(""), f"upload:{id}"), name, []) for id, name in uploads]
        return found, has_more

    def open(self, ref: GraphRef) -> GraphSession:
        """Reads the graph, or returns it from the cache. Raises RequestError."""
        version, read = self._source(ref)

        def make() -> GraphSession:
            return GraphSession(self._with_shapes(ref, self._read(ref, version, read)))

        try:
            return self._sessions.get((ref, version), make)
        except GraphError as error:
            raise RequestError(str(error), code="undecodable") from error
        except OSError as error:
            sentence = f"the graph '{ref.graph}' cannot be read: {error.strerror or error}"
            raise RequestError(sentence, code="undecodable") from error

    def _read(self, ref: GraphRef, version: object, read: Callable[[], Graph]) -> Graph:
        if ref.graph.startswith("upload:"):
            return read()
        return GraphCache(self._store.cache_dir).get(f"{ref!r} {version!r}", read)

    def _listings_of(
        self, run: RunName, series: list[SeriesInfo], profiles: list[tuple[Tag, int]]
    ) -> list[GraphListing]:
        found: dict[str, GraphListing] = {}
        for info in series:
            if info.kind in (GRAPHS, META_GRAPH):
                version = f"{info.kind} {info.count}"
                listing = GraphListing(GraphRef(run, RUN_GRAPH), "Graph of the run", profiles, version)
                found.setdefault(RUN_GRAPH, listing)
            elif info.kind == KERAS:
                found[f"keras:{info.tag}"] = GraphListing(GraphRef(run, f"keras:{info.tag}"), f"{info.tag}: layers", [])
            elif info.kind in (PROFILE, PROFILE_GRAPH):
                steps = self._steps_of(info)
                for key, step in steps:
                    own = [entry for entry in profiles if entry[0] == key]
                    title = f"{info.tag}, step {step:,}" if len(steps) > 1 else info.tag
                    found[f"profile:{key}"] = GraphListing(GraphRef(run, f"profile:{key}"), title, own)
        return list(found.values())

    def _profiles_in(self, series: list[SeriesInfo]) -> list[tuple[Tag, int]]:
        return [entry for info in series if info.kind in (PROFILE, TAGGED_PROFILE) for entry in self._steps_of(info)]

    def _steps_of(self, info: SeriesInfo) -> list[tuple[Tag, int]]:
        """Run metadata of one tag, by step. The last has the tag as its key, the others have their index before it."""
        if info.count < 2:
            return [(info.tag, info.last_step)]
        listed = self._store.payloads(info.run, info.tag, info.kind)
        entries = list(zip(listed.index.tolist(), listed.steps.tolist(), strict=True))[-MAX_EARLIER:]
        last = len(entries) - 1
        return [
            (info.tag if at == last else Tag(f"{index}@{info.tag}"), step) for at, (index, step) in enumerate(entries)
        ]

    def _is_graph(self, info: SeriesInfo) -> bool:
        """Whether run metadata has a graph. Many have the costs of a step alone, as of Keras' callback."""
        from seamark.graphs.readers.event_payloads import has_graph  # loads protobuf

        listed = self._store.payloads(info.run, info.tag, info.kind)
        if not len(listed):
            return False
        index, wall = int(listed.index[-1]), float(listed.walls[-1])

        def check() -> bool:
            try:
                return has_graph(self._store.payload(info.run, info.tag, info.kind, index))
            except (DecodeError, PayloadGoneError):
                return True  # whoever opens it reads why it cannot be shown

        return self._has_graph.get((info.run, info.tag, index, wall), check)

    def _earlier_graphs(self, info: SeriesInfo) -> list[GraphListing]:
        """A run that logged its graph several times has all but the last one here."""
        if info.kind != GRAPHS or info.count < 2:
            return []
        listed = self._store.payloads(info.run, info.tag, info.kind)
        entries = list(zip(listed.index.tolist(), listed.steps.tolist(), strict=True))[:-1]
        return [
            GraphListing(GraphRef(info.run, f"{RUN_GRAPH}:{index}"), f"Graph {at} of {len(listed)}, step {step:,}", [])
            for at, (index, step) in enumerate(entries, start=1)
        ][-MAX_EARLIER:]

    def _with_shapes(self, ref: GraphRef, graph: Graph) -> Graph:
        """Shapes that a graph leaves open are those of the last step with run metadata."""
        is_stated = all(is_complete(graph.shapes[shape]) for shape in set(graph.nodes.output_shapes.tolist()))
        has_outputs = len(graph.nodes.output_shapes) > 0
        profile_tags = (
            [] if (is_stated and has_outputs) or not ref.graph.startswith(RUN_GRAPH) else self._profile_tags(ref.run)
        )
        if not profile_tags:
            return graph
        from seamark.graphs import profiles  # loads protobuf

        try:
            profile = profiles.profile_of(graph, self._profile_bytes(ref.run, profile_tags[-1]))
        except (GraphError, DecodeError, PayloadGoneError) as error:
            LOG.info("no shapes from the run metadata of '%s': %s", ref.run, error)
            return graph
        return profiles.with_profile_outputs(graph, profile)

    def _profile_tags(self, run: RunName) -> list[Tag]:
        return [info.tag for kind in (PROFILE, TAGGED_PROFILE) for info in self._store.series(run=run, kind=kind)]

    def open_pair(self, ref: GraphRef, baseline: GraphRef | None) -> GraphSession:
        """The graph, or both graphs as one if it is compared with a baseline."""
        session = self.open(ref)
        if baseline is None:
            return session
        from seamark.graphs.compare import compare

        old = self.open(baseline)

        def make() -> GraphSession:
            comparison = compare(old.graph, session.graph)
            return GraphSession(comparison.graph, comparison)

        # The two sessions themselves are the version: another file is another session.
        return self._pairs.get((old, session), make)

    def add_upload(self, name: str, file: Path) -> GraphRef:
        try:
            graph = read_file(file, name)
        except GraphError as error:
            raise RequestError(str(error), code="undecodable") from error
        id = upload_id(name, file)
        with self._lock:
            self._uploads[id] = (name, graph)
            while len(self._uploads) > 1 and self._exceeds_uploads():
                self._uploads.popitem(last=False)
        return GraphRef(RunName(""), f"upload:{id}")

    def _exceeds_uploads(self) -> bool:
        nodes = sum(len(graph.nodes) for _, graph in self._uploads.values())
        return len(self._uploads) > MAX_UPLOADS or nodes > MAX_UPLOADED_NODES

    def profile_of(self, session: GraphSession, run: RunName, tag: Tag) -> Profile:
        """The costs of one step, by node of a graph."""
        from seamark.graphs import profiles  # loads protobuf

        data = self._profile_bytes(run, tag)
        try:
            return self._profiles.get((session, hash(data)), lambda: profiles.profile_of(session.graph, data))
        except GraphError as error:
            raise RequestError(str(error), code="undecodable") from error

    def _profile_bytes(self, run: RunName, tag: Tag) -> bytes:
        from seamark.graphs.readers.event_payloads import profile_message  # loads protobuf

        info, index = self._find_profile(run, tag, (TAGGED_PROFILE, PROFILE))
        data = self._store.payload(info.run, info.tag, info.kind, index)
        return profile_message(info.kind, data, is_tensor=_is_tensor(info))

    def _find_profile(self, run: RunName, key: Tag, kinds: tuple[str, ...]) -> tuple[SeriesInfo, int]:
        """The run metadata that a key of `_steps_of` names."""
        number, _, tag = key.partition("@")
        series = [info for kind in kinds for info in self._store.series(run=run, kind=kind)]
        for info in series:
            if info.tag == key:
                return info, int(self._store.payloads(info.run, info.tag, info.kind).index[-1])
        for info in series:
            indices = self._store.payloads(info.run, info.tag, info.kind).index.tolist() if info.tag == tag else []
            if number.isdecimal() and int(number) in indices:
                return info, int(number)
        raise not_found(f"the run '{run}' has no run metadata with the tag '{key}'")

    def _series_by_run(self) -> dict[RunName, list[SeriesInfo]]:
        found: dict[RunName, list[SeriesInfo]] = {}
        for kind in (GRAPHS, META_GRAPH, KERAS, PROFILE, PROFILE_GRAPH, TAGGED_PROFILE):
            for info in self._store.series(kind=kind):
                found.setdefault(info.run, []).append(info)
        return found

    def _source(self, ref: GraphRef) -> tuple[object, Callable[[], Graph]]:
        """What identifies the present content of a graph, and how to read it."""
        source, _, name = ref.graph.partition(":")
        if source == "upload":
            with self._lock:
                upload = self._uploads.get(name)
            if upload is None:
                raise not_found("this file is not on the server any more; drop it on the page again")
            return name, lambda: upload[1]
        if source == "file":
            path = file_in_run(self._store.runs(), ref.run, name, FILE_SUFFIXES)
            if path is None:
                raise not_found(f"the run '{ref.run}' has no graph file '{name}'")
            try:
                status = path.stat()
            except OSError as error:  # removed since it was found
                raise not_found(f"the run '{ref.run}' has no graph file '{name}' any more") from error
            return (status.st_mtime_ns, status.st_size), lambda: read_file(Path(path))
        if source == "profile":
            info, index = self._find_profile(ref.run, Tag(name), (PROFILE, PROFILE_GRAPH))
            return (info.kind, index, info.count), lambda: _read_payload(self._store, info, index)
        info = self._find(ref, source, Tag(name))
        listed = self._store.payloads(info.run, info.tag, info.kind)
        if not len(listed):
            raise not_found(f"the run '{ref.run}' has no graph '{ref.graph}' any more")
        at = len(listed) - 1
        if source == RUN_GRAPH and name:
            at = next((at for at, index in enumerate(listed.index.tolist()) if str(index) == name), -1)
            if at < 0:
                raise not_found(f"the run '{ref.run}' has no graph '{ref.graph}'")
        index, length = int(listed.index[at]), int(listed.lengths[at])
        return (info.kind, index, length, float(listed.walls[at])), lambda: _read_payload(self._store, info, index)

    def _find(self, ref: GraphRef, source: str, tag: Tag) -> SeriesInfo:
        kinds = {RUN_GRAPH: (GRAPHS, META_GRAPH), "keras": (KERAS,)}.get(source, ())
        for kind in kinds:
            for info in self._store.series(run=ref.run, kind=kind):
                if source == RUN_GRAPH or info.tag == tag:
                    return info
        if ref.run not in self._store.run_names():
            raise not_found(f"there is no run '{ref.run}'")
        if ref.graph == RUN_GRAPH:
            raise not_found(f"the run '{ref.run}' has no graph")
        raise not_found(f"the run '{ref.run}' has no graph '{ref.graph}'")


def _is_tensor(info: SeriesInfo) -> bool:
    """Whether the payload is a summary value; otherwise it is a field of the event itself."""
    from seamark.kinds import metadata  # loads protobuf

    return bool(info.metadata) and bool(metadata.decode(info.metadata).plugin_name)


def _read_payload(store: RunStore, info: SeriesInfo, index: int) -> Graph:
    from seamark.graphs.readers.event_payloads import read_payload  # loads protobuf

    data = store.payload(info.run, info.tag, info.kind, index)
    return read_payload(info.kind, data, is_tensor=_is_tensor(info), title=info.run)
