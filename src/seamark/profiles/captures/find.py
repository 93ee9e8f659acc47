"""Captures: finds the profiles below log directories. A capture has one file for each host or rank."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from seamark.format.name_order import name_key
from seamark.profiles.captures.file_forms import FileForm, stem_of
from seamark.profiles.captures.file_search import FoundFile, searcher_of

# The folder of TensorBoard's profile plugin: plugins/profile/<time>
PLUGIN_FOLDER = "plugins/profile"
CAPTURE_TIME = re.compile(r"(\d{4})[_-](\d\d)[_-](\d\d)[_-](\d\d)[_-](\d\d)[_-](\d\d)")
# The trace handler of torch: <worker>.<time in ms or ns>.pt.trace.json
WORKER_NAME = re.compile(r"(?P<worker>.+)\.(?P<time>\d{13}|\d{16}|\d{19})")
RANK = re.compile(r"(?<![a-z])rank[-_ ]?(\d+)", re.IGNORECASE)
# Workers that write within this time belong to one capture: they take the time when they begin to write.
SAME_CAPTURE_SECS = 10.0
# A file this small beside the capture before it, and this soon behind it, is the rest of a schedule.
REMAINDER_SHARE = 0.2
REMAINDER_SECS = 60.0
# JAX writes its trace a second time under this name, without the host's.
HOSTLESS_NAMES = frozenset({"perfetto_trace.json.gz", "perfetto_trace.json"})
# Of several files of one host, the one that has most.
PREFERENCE: tuple[FileForm, ...] = ("xplane", "chrome", "tf_trace", "run_metadata", "memory_snapshot", "tool", "pickle")


class HostFile(NamedTuple):
    """One file of a capture."""

    host: str  # "rank 0", a host's or worker's name
    path: str  # relative to the log directory, with "/" as separator
    bytes: int
    modified: float
    form: FileForm = "chrome"


class Capture(NamedTuple):
    run: str  # the folder, relative to the log directory
    name: str  # unique in the run: "2026_11_14_14_31_08", or the file's stem
    time: float  # seconds since 1970
    hosts: list[HostFile]
    # torch's schedule begins a new cycle after each profile, and writes what it has of it when the training ends.
    is_remainder: bool = False


def find_captures(root: Path) -> tuple[list[Capture], bool]:
    """The captures below a folder, the newest of each run first; and whether the search ended early."""
    files, is_cut = searcher_of(root).search()
    captures: list[Capture] = []
    in_plugin_folders: dict[tuple[str, str], list[FoundFile]] = defaultdict(list)
    by_folder: dict[str, list[FoundFile]] = defaultdict(list)
    for file in files:
        before, found, after = f"/{file.folder}/".rpartition(f"/{PLUGIN_FOLDER}/")
        if found and after.strip("/"):
            in_plugin_folders[before.strip("/") or ".", after.strip("/")].append(file)
        elif file.form not in ("tool", "tf_trace"):  # names that other programs use too
            by_folder[file.folder].append(file)
    for (run, name), found_files in in_plugin_folders.items():
        hosts = _hosts_of(found_files)
        captures.append(Capture(run, name, _time_of(name, hosts), hosts))
    for found_files in by_folder.values():
        captures += _captures_of_folder(found_files)
    captures.sort(key=lambda capture: (capture.run, -capture.time, capture.name))
    return [
        capture._replace(is_remainder=_is_remainder(capture, captures[index + 1 : index + 2]))
        for index, capture in enumerate(captures)
    ], is_cut


def _is_remainder(capture: Capture, before: list[Capture]) -> bool:
    return any(
        capture.run == one.run
        and capture.time - one.time < REMAINDER_SECS
        and _bytes_of(capture) < REMAINDER_SHARE * _bytes_of(one)
        for one in before
    )


def _bytes_of(capture: Capture) -> int:
    return sum(file.bytes for file in capture.hosts)


def _hosts_of(files: list[FoundFile]) -> list[HostFile]:
    """The best file of each host."""
    named = [file for file in files if file.name.lower() not in HOSTLESS_NAMES]
    best: dict[str, FoundFile] = {}
    for file in sorted(named or files, key=lambda file: PREFERENCE.index(file.form)):
        best.setdefault(host_of(file.name), file)
    if any(file.form not in ("tool", "pickle") for file in best.values()):
        best = {host: file for host, file in best.items() if file.form not in ("tool", "pickle")}
    return [_host_file(host, best[host]) for host in sorted(best, key=name_key)]


def _captures_of_folder(files: list[FoundFile]) -> Iterable[Capture]:
    """Of a folder that is not the profile plugin's: a capture for each file, or for each group of ranks."""
    files = [file for file in files if file.name.lower() not in HOSTLESS_NAMES] or files
    run = files[0].run
    prefix = files[0].folder.removeprefix(run).strip("/") if run != files[0].folder else ""
    names: set[str] = set()
    for group in _group_ranks(files):
        stem = stem_of(group[0].name)
        stem = group[0].name if stem in names else stem
        names.add(stem)
        hosts = [_host_file(host_of(file.name), file) for file in group]
        hosts.sort(key=lambda host: name_key(host.host))
        yield Capture(run or ".", f"{prefix}/{stem}" if prefix else stem, _written_at(group[0]), hosts)


def _group_ranks(files: list[FoundFile]) -> list[list[FoundFile]]:
    groups: list[list[FoundFile]] = []
    by_name: dict[str, list[FoundFile]] = {}
    timed: list[FoundFile] = []
    for file in files:
        stem = stem_of(file.name)
        if WORKER_NAME.fullmatch(stem):
            timed.append(file)
        else:
            # "rank-0.Apr_03_18_51_38.1102": the process number differs between ranks.
            key = re.sub(r"\.\d{1,9}\Z", "", RANK.sub("rank", stem)) if RANK.search(stem) else file.name
            by_name.setdefault(key, []).append(file)
    for file in sorted(timed, key=_written_at):
        last = groups[-1] if groups else []
        is_near = last and _written_at(file) - _written_at(last[0]) <= SAME_CAPTURE_SECS
        if is_near and host_of(file.name) not in {host_of(other.name) for other in last}:
            last.append(file)
        else:
            groups.append([file])
    for same in by_name.values():
        hosts = {host_of(file.name) for file in same}
        groups += [same] if len(hosts) == len(same) else [[file] for file in same]
    return groups


def _host_file(host: str, file: FoundFile) -> HostFile:
    return HostFile(host, file.path, file.bytes, file.modified, file.form)


def host_of(name: str) -> str:
    stem = stem_of(name)
    rank = RANK.search(stem)
    if rank:
        return f"rank {int(rank[1])}"
    worker = WORKER_NAME.fullmatch(stem)
    return worker["worker"] if worker else stem


def _written_at(file: FoundFile) -> float:
    worker = WORKER_NAME.fullmatch(stem_of(file.name))
    if worker:
        digits = worker["time"]
        return int(digits) / float(10 ** (len(digits) - 10))
    return file.modified


def _time_of(name: str, files: list[HostFile]) -> float:
    match = CAPTURE_TIME.search(name)
    if match:
        try:
            return datetime(*map(int, match.groups())).timestamp()  # type: ignore[arg-type]
        except (ValueError, OverflowError):
            pass
    return max((file.modified for file in files), default=time.time())
