"""The plugins of TensorBoard's page: their tabs, the data that makes each active, and how the page loads it.

The names of elements and modules are those of TensorBoard 2.21. Their files are part of its front end, which this
server does not include.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """One tab. Data of any of `kinds` makes it active."""

    tab_name: str
    kinds: tuple[str, ...] = ()
    element_name: str = ""  # of the custom element that draws it
    module_path: str = ""  # of the module that draws it in a frame, relative to the plugin's routes
    can_reload: bool = True
    is_optional: bool = False  # from a package of its own: listed only with data

    def loading_mechanism(self, routes_root: str) -> dict[str, str]:
        if self.element_name:
            return {"type": "CUSTOM_ELEMENT", "element_name": self.element_name}
        if self.module_path:
            return {"type": "IFRAME", "module_path": f"{routes_root}{self.module_path}"}
        return {"type": "NG_COMPONENT"}


GRAPH_KINDS = (
    "graphs",
    "graph_run_metadata",
    "graph_run_metadata_graph",
    "graph_keras_model",
    "graph_tagged_run_metadata",
)
# In the order of the tabs.
PLUGINS = {
    "timeseries": Plugin(tab_name="Time Series", kinds=("scalars", "histograms", "images")),
    "scalars": Plugin(tab_name="scalars", kinds=("scalars",), element_name="tf-scalar-dashboard"),
    "custom_scalars": Plugin(
        tab_name="Custom Scalars", kinds=("custom_scalars",), element_name="tf-custom-scalar-dashboard"
    ),
    "images": Plugin(tab_name="images", kinds=("images",), element_name="tf-image-dashboard"),
    "audio": Plugin(tab_name="audio", kinds=("audio",), element_name="tf-audio-dashboard"),
    "debugger-v2": Plugin(tab_name="Debugger V2"),
    "graphs": Plugin(tab_name="graphs", kinds=GRAPH_KINDS, element_name="tf-graph-dashboard", can_reload=False),
    "distributions": Plugin(tab_name="distributions", kinds=("histograms",), element_name="tf-distribution-dashboard"),
    "histograms": Plugin(tab_name="histograms", kinds=("histograms",), element_name="tf-histogram-dashboard"),
    "text": Plugin(tab_name="text", kinds=("text",), element_name="tf-text-dashboard"),
    "pr_curves": Plugin(tab_name="PR Curves", kinds=("pr_curves",), element_name="tf-pr-curve-dashboard"),
    "profile_redirect": Plugin(tab_name="Profile", element_name="tf-profile-redirect-dashboard"),
    "hparams": Plugin(tab_name="hparams", kinds=("hparams",), element_name="tf-hparams-dashboard"),
    "mesh": Plugin(tab_name="mesh", kinds=("mesh",), element_name="mesh-dashboard"),
    "wit_redirect": Plugin(tab_name="What-If Tool", element_name="tf-wit-redirect-dashboard"),
    "projector": Plugin(tab_name="projector", module_path="/index.js", can_reload=False),
    "profile": Plugin(tab_name="profile", module_path="/index.js", is_optional=True),
}


def listing_entry(name: str, *, is_active: bool, root_path: str) -> dict[str, object]:
    """The entry of a plugin in /data/plugins_listing; `root_path` is the path of /data itself."""
    plugin = PLUGINS[name]
    return {
        "disable_reload": not plugin.can_reload,
        "enabled": is_active,
        "remove_dom": False,
        "tab_name": plugin.tab_name,
        "loading_mechanism": plugin.loading_mechanism(f"{root_path}/plugin/{name}"),
    }


def entry_page(name: str) -> tuple[str, str]:
    """The document of the frame that a module draws in, and the content policy that allows just that script."""
    script = f"import({json.dumps('.' + PLUGINS[name].module_path)}).then((module) => void module.render());"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = (
        f'<!doctype html>\n<head><base href="plugin/{name}/" /></head>\n'
        f'<body><script type="module">{script}</script></body>\n'
    )
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' 'sha256-{digest}'",
            "style-src 'self' 'unsafe-inline'",
            "frame-src 'self'",
            "base-uri 'self'",
            "frame-ancestors 'self'",
        ]
    )
    return page, policy
