"""Dashboard: a tab with its title, its condition and its routes; and how dashboards are found.

Seamark's own are the folders `seamark/dashboards/<name>/` with a `dashboard.py`. A package adds one by an entry point
in the group `seamark.dashboards` whose value names its `Dashboard`, as in "my_package:dashboard".
"""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from seamark.plugin.endpoint import Endpoint
from seamark.store import LogRoot, RunStore

LOG = logging.getLogger(__name__)
GROUP = "seamark.dashboards"
FOLDER = Path(__file__).parent.parent / "dashboards"
OWN = "seamark.dashboards"
# An example to copy; it has no tab.
TEMPLATE = "skeleton"
NAME_PATTERN = re.compile(r"[a-z][a-z0-9_-]{0,63}")
LAST_ORDER = 10**9


class ModelOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says about models. Code of users runs, and hosts are called, only if it is in `allowed`."""

    allowed: tuple[str, ...] = ()  # as --allow_predict names them
    timeout_secs: float = 60.0
    memory_mb: int = 4096
    truth: str = ""  # the column that models predict; "": by its name
    positive: str = ""  # the class that scores are of; "": the set decides


class Context(msgspec.Struct, frozen=True):
    """The data that a dashboard's routes read, and the log directories it comes from."""

    store: RunStore
    roots: tuple[LogRoot, ...] = ()
    model_options: ModelOptions = ModelOptions()


class Dashboard(msgspec.Struct, frozen=True, kw_only=True):
    """One tab. `name` is its folder and part of its URLs: lower case letters, digits, - and _."""

    name: str
    title: str
    # Tabs are sorted by this number; Seamark's own have 10, 20, 30 …
    order: int = 1000
    # It has data when the store has one of these kinds; () means always.
    kinds: tuple[str, ...] = ()
    # For dashboards whose kinds alone do not decide it. The page requests /api/dashboards/<name>/has_data while one of
    # the kinds exists, again after every change of the tags, until the function returns True. It runs in a thread.
    has_data: Callable[[Context], bool] | None = None
    # Mounted at /api/dashboards/<name>/.
    routes: Callable[[Context], Sequence[Endpoint]] | None = None
    # The view of a dashboard from another package: an ES module. Views of our own are part of the built page.
    module: Path | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.module is not None and not self.module.is_file():
            raise ValueError(f"the view of the dashboard {self.name!r} does not exist: '{self.module}'")


def check_name(name: str) -> None:
    if not NAME_PATTERN.fullmatch(name):
        raise ValueError(
            "a dashboard's name consists of lower case letters, digits, - and _, and starts with a letter; "
            f"got {name!r}"
        )


class Found(msgspec.Struct, frozen=True):
    """A dashboard, or the reason why it could not be loaded. `source` names its package."""

    name: str
    source: str
    dashboard: Dashboard | None = None
    error: str = ""

    @property
    def is_own(self) -> bool:
        """Whether it is one of Seamark's own."""
        return self.source.startswith(f"{OWN}.")

    @property
    def order(self) -> int:
        return self.dashboard.order if self.dashboard else LAST_ORDER


def find_dashboards() -> list[Found]:
    """Seamark's own and those of installed packages, in the order of their tabs. A broken one has an `error`."""
    found: dict[str, Found] = {}
    for entry in [*own_dashboards(), *installed_dashboards()]:
        earlier = found.get(entry.name)
        if earlier is None:
            found[entry.name] = entry
            continue
        reason = f"the name {entry.name!r} is taken by {earlier.source}; {entry.source} is ignored"
        found[f"{entry.name} ({entry.source})"] = Found(entry.name, entry.source, error=reason)
    return sorted(
        found.values(), key=lambda entry: (entry.dashboard.order if entry.dashboard else LAST_ORDER, entry.name)
    )


def own_dashboards() -> Iterator[Found]:
    for file in sorted(FOLDER.glob("*/dashboard.py")):
        name = file.parent.name
        if name != TEMPLATE:
            yield load_dashboard(name, f"{OWN}.{name}", module_loader(f"{OWN}.{name}.dashboard"))


def installed_dashboards() -> Iterator[Found]:
    from importlib.metadata import entry_points  # the server starts without it

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = entry.dist.name if entry.dist else entry.value
        yield load_dashboard(entry.name, package, entry.load)


def module_loader(module: str) -> Callable[[], object]:
    return lambda: importlib.import_module(module).dashboard


def load_dashboard(name: str, source: str, load: Callable[[], object]) -> Found:
    try:
        dashboard = load()
    except Exception as error:  # a package may raise anything; the server works without it
        LOG.warning("the dashboard %r of %s could not be loaded", name, source, exc_info=True)
        return Found(name, source, error=f"{source} could not be loaded: {type(error).__name__}: {error}")
    if not isinstance(dashboard, Dashboard):
        return Found(
            name, source, error=f"{source} names a {type(dashboard).__name__}, want a seamark.plugin.Dashboard"
        )
    if dashboard.name != name:
        return Found(
            name, source, error=f"{source} has the name {dashboard.name!r}, want {name!r}, as its folder or entry point"
        )
    return Found(name, source, dashboard)
