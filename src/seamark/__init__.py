"""Seamark: see what a training run is doing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from seamark.version import __version__ as __version__

if TYPE_CHECKING:
    from seamark import hooks as hooks
    from seamark import summary as summary
    from seamark.integrations.autolog import autolog as autolog
    from seamark.integrations.shim import install_shim as install_shim
    from seamark.write.run.current import alert as alert
    from seamark.write.run.current import current_run as current_run
    from seamark.write.run.current import define_metric as define_metric
    from seamark.write.run.current import finish as finish
    from seamark.write.run.current import log as log
    from seamark.write.run.current import log_embedding as log_embedding
    from seamark.write.run.current import log_graph as log_graph
    from seamark.write.run.hooks.watch import unwatch as unwatch
    from seamark.write.run.hooks.watch import watch as watch
    from seamark.write.run.init import init as init
    from seamark.write.run.profiling import profile as profile
    from seamark.write.run.run import Run as Run
    from seamark.write.run.values.image import Image as Image
    from seamark.write.run.values.values import Audio as Audio
    from seamark.write.run.values.values import Histogram as Histogram
    from seamark.write.run.values.values import Html as Html
    from seamark.write.run.values.values import Table as Table
    from seamark.write.run.values.values import Text as Text
    from seamark.write.run.values.values import Video as Video
    from seamark.write.writer.summary_writer import SummaryWriter as SummaryWriter

# Public name → "module:attribute", or a module. Loaded on first use, so that `import seamark` takes little time.
_LAZY_EXPORTS = {
    "SummaryWriter": "seamark.write.writer.summary_writer:SummaryWriter",
    "Audio": "seamark.write.run.values.values:Audio",
    "Histogram": "seamark.write.run.values.values:Histogram",
    "Html": "seamark.write.run.values.values:Html",
    "Image": "seamark.write.run.values.image:Image",
    "Run": "seamark.write.run.run:Run",
    "Table": "seamark.write.run.values.values:Table",
    "Text": "seamark.write.run.values.values:Text",
    "Video": "seamark.write.run.values.values:Video",
    "alert": "seamark.write.run.current:alert",
    "current_run": "seamark.write.run.current:current_run",
    "define_metric": "seamark.write.run.current:define_metric",
    "finish": "seamark.write.run.current:finish",
    "hooks": "seamark.hooks",
    "init": "seamark.write.run.init:init",
    "log": "seamark.write.run.current:log",
    "log_embedding": "seamark.write.run.current:log_embedding",
    "log_graph": "seamark.write.run.current:log_graph",
    "open": "seamark.read.opening:open",
    "profile": "seamark.write.run.profiling:profile",
    "unwatch": "seamark.write.run.hooks.watch:unwatch",
    "watch": "seamark.write.run.hooks.watch:watch",
    "load_ipython_extension": "seamark.integrations.notebook:load_ipython_extension",
    "notebook": "seamark.integrations.notebook",
    "unload_ipython_extension": "seamark.integrations.notebook:unload_ipython_extension",
    "summary": "seamark.summary",
    "autolog": "seamark.integrations.autolog:autolog",
    "install_shim": "seamark.integrations.shim:install_shim",
}


def __getattr__(name: str) -> Any:
    target = _LAZY_EXPORTS.get(name)
    if target is None:
        raise AttributeError(f"module 'seamark' has no attribute {name!r}; it has {', '.join(sorted(_LAZY_EXPORTS))}")
    module, _, attribute = target.partition(":")
    found = import_module(module)
    value = getattr(found, attribute) if attribute else found
    globals()[name] = value  # later look-ups do not call this function
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY_EXPORTS})
