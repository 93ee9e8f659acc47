"""Routes about the server: log directories, runs, and which plugins have data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.responses import HTMLResponse, Response

from seamark import __version__
from seamark.plugin import Endpoint, ParsedRequest, RequestError, not_found
from seamark.serve.tensorboard.environment.plugins import PLUGINS, entry_page, listing_entry
from seamark.serve.tensorboard.projector.embeddings import Projector
from seamark.serve.tensorboard.request import HEADERS, TensorBoardParameters
from seamark.store import LogRoot, RunStore

Plain = ParsedRequest[TensorBoardParameters, None]


class PluginParameters(TensorBoardParameters):
    name: str


def environment_endpoints(
    store: RunStore,
    roots: Sequence[LogRoot],
    projector: Projector,
    has_profiles: Callable[[], bool],
    *,
    samples_per_plugin: Mapping[str, int],
    window_title: str,
) -> list[Endpoint]:
    location = ",".join(f"{root.name}:{root.shown}" if root.name else root.shown for root in roots)

    def environment(_: Plain) -> object:
        return {
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

    def logdir(_: Plain) -> object:
        return {"logdir": location}

    def window_properties(_: Plain) -> object:
        return {"window_title": window_title}

    def runs(_: Plain) -> object:
        return [run.name for run in store.runs()]

    def no_experiments(_: Plain) -> object:
        """A log directory is one experiment without a name, which TensorBoard does not list either."""
        return []

    def notifications(_: Plain) -> object:
        return {"notifications": []}

    def debugger_runs(_: Plain) -> object:
        """Data of TensorFlow's debugger is not supported."""
        return {}

    def plugins_listing(request: Plain) -> object:
        kinds = {kind for by_kind in store.tags().values() for kind in by_kind}
        active = {name for name, plugin in PLUGINS.items() if kinds.intersection(plugin.kinds)}
        if projector.configs():
            active.add("projector")
        if has_profiles():
            active.add("profile")
        root_path = request.http.scope.get("root_path", "")
        return {
            name: listing_entry(name, is_active=name in active, root_path=root_path)
            for name, plugin in PLUGINS.items()
            if name in active or not plugin.is_optional
        }

    def plugin_entry(request: ParsedRequest[PluginParameters, None]) -> Response:
        """Only plugins with a module of their own are drawn in a frame."""
        name = request.parameters.name
        if name not in PLUGINS:
            raise not_found(f"there is no plugin '{name}'")
        if not PLUGINS[name].module_path:
            raise RequestError(f"the plugin '{name}' has no module to load")
        page, policy = entry_page(name)
        return HTMLResponse(page, headers={**HEADERS, "content-security-policy": policy})

    handlers = {
        "/environment": environment,
        "/logdir": logdir,
        "/window_properties": window_properties,
        "/runs": runs,
        "/experiments": no_experiments,
        "/experiment_runs": no_experiments,
        "/notifications": notifications,
        "/plugins_listing": plugins_listing,
        "/plugin/debugger-v2/runs": debugger_runs,
    }
    return [
        *(Endpoint(path=path, summary=f"TensorBoard's {path}.", handler=handler) for path, handler in handlers.items()),
        Endpoint(
            path="/plugin_entry.html",
            summary="The document of the frame that a plugin's module draws in.",
            handler=plugin_entry,
            media_type="text/html",
        ),
    ]
