"""ProfileLibrary: finds the captures of all log directories and opens the requested ones."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from seamark.dashboards.profile import wire
from seamark.dashboards.profile.run_metadata_source import RunMetadataSource, has_run_metadata
from seamark.plugin import RequestError, not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.captures.file_forms import version_of
from seamark.profiles.captures.find import Capture, HostFile, find_captures
from seamark.profiles.form import ProfileError
from seamark.profiles.profile import Profile
from seamark.profiles.results import Step, Steps
from seamark.store import LogRoot, RunStore

MAX_OPEN = 16


class FoundCapture(NamedTuple):
    root: LogRoot
    run: str  # the run's name
    capture: Capture


def has_profiles(roots: tuple[LogRoot, ...], store: RunStore) -> bool:
    return any(find_captures(root.path)[0] for root in roots) or has_run_metadata(store)


class ProfileLibrary:
    """For any thread."""

    def __init__(self, roots: tuple[LogRoot, ...], store: RunStore) -> None:
        self._roots = roots
        self._opener = ProfileOpener(store.cache_dir)
        self._run_metadata = RunMetadataSource(store)
        self._open: RecentlyUsed[Profile] = RecentlyUsed(MAX_OPEN)
        self._host_files: dict[tuple[str, str, str], tuple[LogRoot, HostFile]] = {}

    def captures(self) -> tuple[list[FoundCapture], bool]:
        found: list[FoundCapture] = []
        is_cut = False
        for root in self._roots:
            captures, cut = find_captures(root.path)
            is_cut = is_cut or cut
            for capture in captures:
                folder = "" if capture.run == "." else capture.run
                found.append(FoundCapture(root, str(root.run_name(folder)), capture))
        root, captures, cut = self._run_metadata.captures()
        found += [FoundCapture(root, capture.run, capture) for capture in captures]
        return found, is_cut or cut

    def host_file(self, parameters: wire.ProfileParameters) -> tuple[LogRoot, HostFile]:
        """Searches only for a file that was not requested before or that is gone."""
        key = (parameters.run, parameters.capture, parameters.host)
        known = self._host_files.get(key)
        if known is None or not (known[0].path / known[1].path).is_file():
            known = self._host_files[key] = self._find_host_file(parameters)
        return known

    def _find_host_file(self, parameters: wire.ProfileParameters) -> tuple[LogRoot, HostFile]:
        for found in self.captures()[0]:
            if found.run == parameters.run and found.capture.name == parameters.capture:
                for file in found.capture.hosts:
                    if parameters.host in ("", file.host):
                        return found.root, file
        raise not_found(f"the run '{parameters.run}' has no profile '{parameters.capture}' of '{parameters.host}'")

    def state(self, parameters: wire.ProfileParameters) -> wire.StateResponse:
        """Starts to read the trace if nobody has, and says how far it is."""
        root, file = self.host_file(parameters)
        return wire.StateResponse(*self._opener.state(root.path / file.path))

    def open(self, parameters: wire.ProfileParameters) -> Profile:
        """Waits until the trace is read. Raises RequestError."""
        root, file = self.host_file(parameters)
        path = root.path / file.path
        try:
            drawn = parse_steps(parameters.steps) if parameters.steps else None
            key = (path, version_of(path), parameters.steps)
            return self._open.get(key, lambda: self._opener.open(path, drawn_steps=drawn))
        except ProfileError as error:
            raise RequestError(f"the profile cannot be read: {error}", code="undecodable") from error
        except OSError as error:
            raise RequestError(f"the profile cannot be read: {error.strerror or error}", code="undecodable") from error

    def open_all(
        self, parameters: wire.ProfileParameters, *, without: Collection[HostFile] = ()
    ) -> list[tuple[str, Profile]]:
        """The profiles of all hosts of a capture, each with its host."""
        _, hosts = self._hosts(parameters)
        chosen = [file for file in hosts if file not in without]
        return [(file.host, self.open(msgspec.structs.replace(parameters, host=file.host))) for file in chosen]

    def unread_ranks(self, parameters: wire.ProfileParameters) -> list[HostFile]:
        """The other hosts of the capture that the cache does not have."""
        root, hosts = self._hosts(parameters)
        shown = next((file for file in hosts if file.host == parameters.host), hosts[0])
        return [file for file in hosts if file != shown and not self._opener.is_read(root.path / file.path)]

    def _hosts(self, parameters: wire.ProfileParameters) -> tuple[LogRoot, list[HostFile]]:
        for found in self.captures()[0]:
            if found.run == parameters.run and found.capture.name == parameters.capture:
                return found.root, found.capture.hosts
        raise not_found(f"the run '{parameters.run}' has no profile '{parameters.capture}'")


def parse_steps(text: str) -> Steps:
    steps: list[Step] = []
    for number, part in enumerate(text.split(",")):
        start, _, end = part.partition("-")
        if not (start.isdigit() and end.isdigit() and int(end) > int(start)):
            raise RequestError(f"a step must be START-END in nanoseconds: got '{part[:50]}'")
        duration = int(end) - int(start)
        steps.append(Step(name=f"step {number}", number=number, start_ns=int(start), duration_ns=duration))
    return Steps(steps=steps, source="drawn", text="steps drawn by hand")
