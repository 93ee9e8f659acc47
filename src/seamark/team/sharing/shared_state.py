"""SharedState: what a share shows of the saved state of its project. Nothing can be changed through it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from seamark.serve.state.document import EMPTY, BadStateError
from seamark.serve.state.state import State
from seamark.store import LogRoot


class SharedState(State):
    """Names, notes and colours of the shared runs, and pins of their tags.

    Saved views and what dashboards saved may name other runs: they are left out.
    """

    def __init__(self, project: State, roots: Sequence[LogRoot], *, runs: Collection[str]) -> None:
        super().__init__(None, roots)
        self._project = project
        self._runs = frozenset(runs)
        self._tags: Callable[[], Collection[str]] = lambda: ()

    def show_pins_of(self, tags: Callable[[], Collection[str]]) -> None:
        """Sets which tags the shared runs have."""
        self._tags = tags

    def read(self) -> dict[str, Any]:
        document = self._project.read()
        tags = set(self._tags())
        return {
            **EMPTY,
            "version": document["version"],
            "runs": {run: fields for run, fields in document["runs"].items() if run in self._runs},
            "pins": [plain for pin in document["pins"] if (plain := plain_pin(pin, tags)) is not None],
        }

    def patch(self, version: int, change: dict[str, Any]) -> dict[str, Any]:
        raise BadStateError("a shared link is for looking only")

    def positions(self, runs: Iterable[str]) -> dict[str, int]:
        """As in the project, so that runs have the same colours."""
        return self._project.positions(runs)

    def announce_changes(self) -> None:
        """Tells listeners if the state of the project was changed."""
        self.announce(self._project.read()["version"])

    def close(self) -> None:
        super().close()
        self._project.close()


def plain_pin(pin: object, tags: Collection[str]) -> dict[str, str] | None:
    """Only the fields that are known to be harmless."""
    if not isinstance(pin, dict) or pin.get("tag") not in tags or not isinstance(pin.get("plugin"), str):
        return None
    return {"plugin": pin["plugin"], "tag": pin["tag"]}
