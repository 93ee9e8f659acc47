"""ProfileRuns: the captures of all log directories under the names that xprof gives them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seamark.plugin import RequestError, not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.captures.find import Capture, find_captures
from seamark.profiles.form import ProfileError
from seamark.profiles.profile import Profile
from seamark.store import LogRoot

ALL_HOSTS = "ALL_HOSTS"
MAX_OPEN = 2


class ProfileRuns:
    """For any thread."""

    def __init__(self, roots: Sequence[LogRoot], cache_dir: Path | None) -> None:
        self._roots = roots
        self._opener = ProfileOpener(cache_dir)
        self._open: RecentlyUsed[Profile] = RecentlyUsed(MAX_OPEN)

    def names(self) -> list[str]:
        """`<run>/<capture>`, and `<capture>` in the log directory itself. The last one first."""
        return sorted(self._captures(), reverse=True)

    def hosts(self, name: str) -> list[str]:
        return [file.host for file in self._find(name)[1].hosts]

    def open(self, name: str, host: str) -> Profile:
        """The profile of a host; of all hosts or none, that of the first one. Raises RequestError."""
        root, capture = self._find(name)
        file = next((file for file in capture.hosts if host in ("", ALL_HOSTS, file.host)), None)
        if file is None:
            raise not_found(f"the profile '{name}' has no host '{host}'")
        path = root.path / file.path
        try:
            status = path.stat()
            return self._open.get((path, status.st_size, status.st_mtime_ns), lambda: self._opener.open(path))
        except ProfileError as error:
            raise RequestError(f"the profile cannot be read: {error}", code="undecodable") from error
        except OSError as error:
            raise RequestError(f"the profile cannot be read: {error.strerror or error}", code="undecodable") from error

    def _find(self, name: str) -> tuple[LogRoot, Capture]:
        found = self._captures().get(name)
        if found is None:
            raise not_found(f"there is no profile '{name}'")
        return found

    def _captures(self) -> dict[str, tuple[LogRoot, Capture]]:
        found: dict[str, tuple[LogRoot, Capture]] = {}
        for root in self._roots:
            for capture in find_captures(root.path)[0]:
                run = str(root.run_name("" if capture.run == "." else capture.run))
                found[capture.name if run == "." else f"{run}/{capture.name}"] = (root, capture)
        return found
