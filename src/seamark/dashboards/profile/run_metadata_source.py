"""Run metadata in event files as captures: TensorFlow 1 logs the times of a step's nodes under a tag."""

from __future__ import annotations

import hashlib
import logging
import tempfile
import threading
import time
from pathlib import Path

from seamark.format.cache_folder import replacing
from seamark.format.temporary import make_temporary_folder
from seamark.kinds import DecodeError, metadata
from seamark.profiles.captures.find import Capture, HostFile
from seamark.profiles.readers.message_fields import LENGTH, fields_of
from seamark.store import LogRoot, PayloadGoneError, RunStore, SeriesInfo

LOG = logging.getLogger(__name__)
KINDS = ("graph_tagged_run_metadata", "graph_run_metadata")
FOLDER = "profiles/run_metadata"
# Libraries write run metadata without times beside each graph.
MIN_BYTES = 100
MAX_SECS = 1.0
MAX_CHECKED = 1_000


def has_run_metadata(store: RunStore) -> bool:
    """Whether there may be any: does not look inside."""
    return any(
        int(store.payloads(info.run, info.tag, info.kind).lengths.max(initial=0)) >= MIN_BYTES
        for info in store.series(kind=KINDS[0])[:MAX_CHECKED]
    )


class RunMetadataSource:
    """Copies run metadata with times to files, which are opened like those of profilers. For any thread."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._files: dict[tuple[str, str, str, float], HostFile | None] = {}

    def captures(self) -> tuple[LogRoot, list[Capture], bool]:
        """The captures, whose files are below the root; and whether the search ended early."""
        deadline = time.monotonic() + MAX_SECS
        found: list[Capture] = []
        with self._lock:
            root = LogRoot("", self._folder())
            for kind in KINDS:
                for info in self._store.series(kind=kind):
                    key = (info.run, info.tag, info.kind, info.last_wall)
                    if key not in self._files:
                        if time.monotonic() > deadline:
                            return root, found, True
                        self._files[key] = self._copy(root.path, info)
                    file = self._files[key]
                    if file is not None:
                        found.append(Capture(info.run, info.tag, info.last_wall, [file]))
        return root, found, False

    def _folder(self) -> Path:
        cache = self._store.cache_dir
        if cache is not None:
            return cache / FOLDER
        if self._temporary is None:
            self._temporary = make_temporary_folder("run-metadata")
        return Path(self._temporary.name)

    def _copy(self, folder: Path, info: SeriesInfo) -> HostFile | None:
        """None if it has no times."""
        try:
            data = self._read(info)
            if not has_times(data):
                return None
            name = hashlib.blake2b(data, digest_size=16).hexdigest() + ".run_metadata.pb"
            path = folder / name
            if not path.exists():
                with replacing(path) as file:
                    file.write(data)
            return HostFile("run metadata", name, len(data), info.last_wall, "run_metadata")
        except (DecodeError, PayloadGoneError, OSError) as error:
            LOG.info("the run metadata '%s' of '%s' is no profile: %s", info.tag, info.run, error)
            return None

    def _read(self, info: SeriesInfo) -> bytes:
        from seamark.graphs.readers.event_payloads import profile_message  # loads protobuf

        listed = self._store.payloads(info.run, info.tag, info.kind)
        if not len(listed) or int(listed.lengths[-1]) < MIN_BYTES:
            return b""
        data = self._store.payload(info.run, info.tag, info.kind, int(listed.index[-1]))
        is_tensor = bool(info.metadata) and bool(metadata.decode(info.metadata).plugin_name)
        return profile_message(info.kind, data, is_tensor=is_tensor)


def has_times(data: bytes) -> bool:
    """Whether run metadata tells of any node when it ran."""
    for stats in fields_of(data):
        if stats.number != 1 or stats.type != LENGTH:
            continue
        for device in fields_of(data, stats.start, stats.end):
            if device.type == LENGTH and any(node.number == 2 for node in fields_of(data, device.start, device.end)):
                return True
    return False
