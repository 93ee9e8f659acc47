"""TensorBoard's HTTP API: the same questions under /data, answered from the store with every point.

Nothing is loaded until it is asked for: the routes need protobuf, and the page must not wait for that at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from seamark.serve.tensorboard.deferred import Deferred

if TYPE_CHECKING:
    from starlette.routing import Route
    from starlette.types import ASGIApp

    from seamark.store import LogRoot, Store


def routes(
    store: Store,
    roots: Sequence[LogRoot] = (),
    *,
    samples_per_plugin: Mapping[str, int] | None = None,
    window_title: str = "",
) -> list[Route]:
    """TensorBoard's routes, to be mounted at /data.

    Every point is sent, unless `samples_per_plugin` names fewer for a plugin ("scalars", "images", …); 0 means all.
    """
    from seamark.serve.tensorboard.assembly import all_routes

    return all_routes(store, roots, samples_per_plugin=samples_per_plugin or {}, window_title=window_title)


def data_app(
    store: Store,
    roots: Sequence[LogRoot] = (),
    *,
    samples_per_plugin: Mapping[str, int] | None = None,
    window_title: str = "",
) -> ASGIApp:
    """The same as an application that makes its routes when first asked."""
    return Deferred(lambda: routes(store, roots, samples_per_plugin=samples_per_plugin, window_title=window_title))
