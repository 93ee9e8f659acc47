"""What is served, from where, and which plugins have something to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.responses import Response
from starlette.routing import Route

from seamark import __version__
from seamark.serve.tensorboard.plugins import PLUGINS, entry_page, listing_entry
from seamark.serve.tensorboard.projector import Projector
from seamark.serve.tensorboard.question import Question, RefusalError, answer, as_json, not_found, route
from seamark.store import LogRoot, Store


def core_routes(
    store: Store,
    roots: Sequence[LogRoot],
    projector: Projector,
    *,
    samples_per_plugin: Mapping[str, int],
    window_title: str,
) -> list[Route]:
    location = ",".join(f"{root.name}:{root.path}" if root.name else str(root.path) for root in roots)

    def environment(_: Question) -> Response:
        return as_json(
            {
                "version": __version__,
                "data_location": location,
                "window_title": window_title,
                "experiment_name": "",
                "experiment_description": "",
                "creation_time": 0,
                "debug": {
                    "data_provider": f"Seamark {__version__}",
                    "flags": {
                        "logdir": location,
                        "samples_per_plugin": dict(samples_per_plugin),
                        "window_title": window_title,
                    },
                },
            }
        )

    def logdir(_: Question) -> Response:
        return as_json({"logdir": location})

    def window_properties(_: Question) -> Response:
        return as_json({"window_title": window_title})

    def runs(_: Question) -> Response:
        return as_json([run.name for run in store.runs()])

    def nothing(_: Question) -> Response:
        """A log directory is one experiment without a name; TensorBoard lists none either."""
        return as_json([])

    def notifications(_: Question) -> Response:
        return as_json({"notifications": []})

    def debugger_runs(_: Question) -> Response:
        """Dumps of TensorFlow's debugger are not read."""
        return as_json({})

    def plugins_listing(question: Question) -> Response:
        kinds = {kind for by_kind in store.tags().values() for kind in by_kind}
        active = {name for name, plugin in PLUGINS.items() if kinds.intersection(plugin.kinds)}
        if projector.configs():
            active.add("projector")
        return as_json(
            {name: listing_entry(name, is_active=name in active, root_path=question.root_path) for name in PLUGINS}
        )

    def plugin_entry(question: Question) -> Response:
        """Only plugins that bring a module of their own are drawn in a frame."""
        name = question.text("name")
        if name not in PLUGINS:
            raise not_found(f"there is no plugin '{name}'")
        if not PLUGINS[name].module_path:
            raise RefusalError(f"the plugin '{name}' has no module to load")
        page, policy = entry_page(name)
        return answer(page.encode(), "text/html; charset=utf-8", headers={"content-security-policy": policy})

    return [
        route("/environment", environment),
        route("/logdir", logdir),
        route("/window_properties", window_properties),
        route("/runs", runs),
        route("/experiments", nothing),
        route("/experiment_runs", nothing),
        route("/notifications", notifications),
        route("/plugins_listing", plugins_listing),
        route("/plugin_entry.html", plugin_entry),
        route("/plugin/debugger-v2/runs", debugger_runs),
    ]
