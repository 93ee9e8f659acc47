"""With --reload_dashboards: tells open pages when a file of the view of another package's dashboard has changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from seamark.serve.view_files import files_of

POLL_SECS = 0.3


class ModuleVersions:
    """`changed` has the version of each module that changed since this object was made."""

    def __init__(self, modules: Mapping[str, Path]) -> None:
        self._modules = modules
        self._seen = versions_of(modules)
        self.changed: dict[str, int] = {}

    def poll(self) -> bool:
        """Whether a module has changed since the last call."""
        current = versions_of(self._modules)
        new = {name: version for name, version in current.items() if version != self._seen.get(name)}
        self._seen |= new
        self.changed = self.changed | new
        return bool(new)


async def watch_modules(
    find_modules: Callable[[], Mapping[str, Path]], announce: Callable[[dict[str, int]], None]
) -> None:
    """Announces changes until it is cancelled."""
    versions = ModuleVersions(await run_in_threadpool(find_modules))
    while True:
        await asyncio.sleep(POLL_SECS)
        if versions.poll():
            announce(versions.changed)


def versions_of(modules: Mapping[str, Path]) -> dict[str, int]:
    versions = {}
    for name, module in modules.items():
        with contextlib.suppress(OSError):  # an editor may be replacing a file
            newest = max(path.stat().st_mtime_ns for path in files_of(module).values())
            versions[name] = newest // 1_000_000  # exact in JavaScript, too
    return versions
