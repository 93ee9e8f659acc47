"""What is served, from where, and which plugins have something to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route

from seamark import __version__
from seamark.serve.tensorboard.projector import Projector
from seamark.serve.tensorboard.question import Question, RefusalError, as_json, not_found, route
from seamark.store import LogRoot, Store


@dataclass(frozen=True)
class Listing:
    """A plugin as the list of plugins shows it; `kinds` are those it draws, any of them makes it active."""

    tab: str
    kinds: tuple[str, ...]
    can_reload: bool = True


GRAPH_KINDS = (
    "graphs",
    "graph_run_metadata",
    "graph_run_metadata_graph",
    "graph_keras_model",
    "graph_tagged_run_metadata",
)
LISTINGS = {
    "timeseries": Listing("Time Series", ("scalars", "histograms", "images")),
    "scalars": Listing("scalars", ("scalars",)),
    "custom_scalars": Listing("Custom Scalars", ("custom_scalars",)),
    "images": Listing("images", ("images",)),
    "audio": Listing("audio", ("audio",)),
    "graphs": Listing("graphs", GRAPH_KINDS, can_reload=False),
    "distributions": Listing("distributions", ("histograms",)),
    "histograms": Listing("histograms", ("histograms",)),
    "text": Listing("text", ("text",)),
    "pr_curves": Listing("PR Curves", ("pr_curves",)),
    "hparams": Listing("hparams", ("hparams",)),
    "mesh": Listing("mesh", ("mesh",)),
    "projector": Listing("projector", (), can_reload=False),
}


def core_routes(store: Store, roots: Sequence[LogRoot], projector: Projector, window_title: str) -> list[Route]:
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

    def plugins_listing(_: Question) -> Response:
        kinds = {kind for by_kind in store.tags().values() for kind in by_kind}
        active = {name for name, listing in LISTINGS.items() if kinds.intersection(listing.kinds)}
        if projector.configs():
            active.add("projector")
        return as_json({name: entry(listing, is_active=name in active) for name, listing in LISTINGS.items()})

    def plugin_entry(question: Question) -> Response:
        """TensorBoard frames a plugin that brings a module of its own; ours are drawn by our page, and bring none."""
        name = question.text("name")
        if name not in LISTINGS:
            raise not_found(f"there is no plugin '{name}'")
        raise RefusalError(f"the plugin '{name}' has no module to load: this server's own page draws it")

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
    ]


def entry(listing: Listing, *, is_active: bool) -> dict[str, object]:
    return {
        "disable_reload": not listing.can_reload,
        "enabled": is_active,
        "remove_dom": False,
        "tab_name": listing.tab,
        # Our page draws its own dashboards; there is nothing for another page to load.
        "loading_mechanism": {"type": "NONE"},
    }
