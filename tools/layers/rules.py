"""The rules that tools/check_layers.py checks: which layer may import which, and the exceptions."""

from __future__ import annotations

import re
from collections.abc import Mapping

EVERYTHING = frozenset({"*"})

# A layer, and the layers it may import. A layer that is not listed is not allowed.
PYTHON_LAYERS: Mapping[str, frozenset[str]] = {
    "_core": frozenset(),
    # Functions of numbers only, which the statistics of runs and of examples share.
    "tail_probabilities": frozenset(),
    # How long to wait after a failure.
    "backoff": frozenset(),
    "foreground": frozenset(),
    "format": frozenset({"_core"}),
    "kinds": frozenset({"_core", "format"}),
    # Asks the operating system about processes; the writer and the reader of run.json share it.
    "liveness": frozenset({"format"}),
    "write": frozenset({"_core", "format", "kinds", "liveness", "upload"}),
    # Opens the buckets of users for whoever reads or writes there.
    "object_stores": frozenset(),
    # Sends what a writer wrote to a team server or a bucket. The writer uses it, so it stays as light as the writer.
    "upload": frozenset({"_core", "backoff", "format", "object_stores"}),
    "store": frozenset({"_core", "backoff", "foreground", "format", "kinds", "object_stores"}),
    # Another implementation of the store's interface; it reuses the rules of the embedded one.
    "clickhouse": frozenset({"_core", "format", "kinds", "store"}),
    "graphs": frozenset({"_core", "format", "kinds"}),
    "embeddings": frozenset({"_core", "format", "kinds", "tables"}),
    "profiles": frozenset({"_core", "format", "kinds"}),
    "tables": frozenset({"_core", "format", "kinds"}),
    "examples": frozenset({"_core", "format", "kinds", "tables", "tail_probabilities"}),
    "compare": frozenset({"_core", "format", "kinds", "liveness", "store", "tail_probabilities"}),
    "read": frozenset({"format", "kinds", "store", "clickhouse", "compare"}),
    "plugin": frozenset({"foreground", "format", "kinds", "store"}),
    "serve": frozenset({"format", "kinds", "graphs", "embeddings", "profiles", "store", "compare", "plugin"}),
    "dashboards": frozenset(
        {"format", "kinds", "graphs", "embeddings", "profiles", "tables", "examples", "store", "compare", "plugin"}
    ),
    "team": frozenset(
        {"_core", "format", "kinds", "liveness", "profiles", "store", "clickhouse", "compare", "plugin", "serve"}
        | {"object_stores", "upload"}
    ),
    # Asks the application of a server in its own process.
    "publish": frozenset({"_core", "format", "kinds", "store", "plugin", "serve"}),
    "integrations": frozenset({"write"}),
    "porting": frozenset({"_core", "format", "kinds", "write", "store"}),
    "cli": EVERYTHING,
    # `import seamark` is for writing and must stay light.
    "seamark": frozenset({"_core", "format", "kinds", "write", "upload", "integrations"}),
    "__main__": EVERYTHING,
}
# Imports by name (a lazy export, `import_module`) that the table above does not allow as ordinary imports.
LAZY_IMPORTS: Mapping[str, frozenset[str]] = {
    "seamark": frozenset({"read"}),  # `seamark.open` loads the reader on first use
    "plugin": frozenset({"dashboards"}),  # the built-in dashboards are found by folder
}
# Modules directly below `seamark` that belong to another layer.
LAYER_OF_MODULE = {"hooks": "write", "summary": "write", "version": "format"}

WEB_LAYERS: Mapping[str, frozenset[str]] = {
    "base": frozenset(),
    "data": frozenset({"base"}),
    "chart": frozenset({"base", "data"}),
    "ui": frozenset({"base", "data", "chart"}),
    "public": frozenset({"base", "data", "chart", "ui"}),
    # The page of `seamark export html`: one file without a server, so without the shell.
    "report": frozenset({"base", "data", "chart", "ui"}),
    # A dashboard imports only `public`, as third-party dashboards do.
    "views": frozenset({"public"}),
    "shell": frozenset({"base", "data", "chart", "ui", "public", "views"}),
    # The pages of a team server, and what it adds to a project's page. Local use loads none of it.
    "team": EVERYTHING,
}
# The first dashboard may import the second one's code.
SHARED_DASHBOARDS: frozenset[tuple[str, str]] = frozenset()
# The alias of web/src/public in web/vite.config.ts.
PUBLIC_ALIAS = "$public"

# core/bind is the only folder that includes Python's headers, core/disk the only one with files and threads.
BINDING, DISK = "bind", "disk"
PYTHON_HEADERS = re.compile(r"Python\.h|nanobind/.*|pybind11/.*|numpy/.*")
SYSTEM_HEADERS = re.compile(
    r"filesystem|fstream|thread|mutex|shared_mutex|condition_variable|future|chrono|ctime|time\.h|unistd\.h|pthread\.h"
    r"|dirent\.h|fcntl\.h|sys/stat\.h"
)

# Uses of a private name of another module that are allowed, as patterns of the expression, and why.
ALLOWED_PRIVATE_USES: Mapping[str, str] = {
    "*._asdict": "public interface of a named tuple",
    "*._fields": "public interface of a named tuple",
    "*._make": "public interface of a named tuple",
    "*._replace": "public interface of a named tuple",
    "sys._getframe": "the documented way to the stack of a thread",
    "sys._current_frames": "the documented way to the stacks of all threads",
    "os._exit": "the documented way to end a forked process",
    "argparse._ActionsContainer": "the only common type of parsers and groups",
    "parser*._actions": "argparse has no public list of a parser's arguments",
    "parser*._option_string_actions": "argparse has no public list of a parser's options",
    "torch._C*": "torch has no public function for it",
    "module._name": "torch names a traced module so",
    "self.learn._split": "fastai's own callbacks call it",
    "shell._seamark_hooked": "our mark on IPython's shell",
}


def may_import(allowed: frozenset[str], layer: str) -> bool:
    return allowed is EVERYTHING or layer in allowed
