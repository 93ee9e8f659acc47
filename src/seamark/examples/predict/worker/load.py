"""Loads a model: imports the code that the command line names, or reads a model file."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from seamark.examples.predict.frames import Header
from seamark.examples.predict.worker.adapters.adapter import Adapter, AdapterError
from seamark.examples.predict.worker.adapters.choose import adapter_for, read_model_file

MAX_FILES = 200
INSTALL = {
    "xgboost": "xgboost",
    "lightgbm": "lightgbm",
    "keras": "keras",
    "torch": "torch",
    "pandas": "pandas",
    "sklearn": "scikit-learn",
}


class LoadError(Exception):
    """A model that cannot be loaded. The message is a sentence for people; the cause has the traceback."""


class LoadedModel:
    """A model and the files of the user's own code that it came from."""

    def __init__(self, adapter: Adapter, files: list[str]) -> None:
        self.adapter, self.files = adapter, files


def load_model(spec: Header) -> LoadedModel:
    location, attribute = spec["location"], spec["attribute"]
    try:
        if spec["source"] == "file":
            return LoadedModel(read_model_file(spec["format"], location), [location])
        module = _run_script(Path(location)) if spec["source"] == "script" else _import(location)
        adapter = adapter_for(_attribute(module, attribute, location))
    except ModuleNotFoundError as error:
        package = INSTALL.get((error.name or "").partition(".")[0], error.name)
        raise LoadError(
            f"the model needs '{error.name}', which is not installed here; pip install {package}: '{location}'"
        ) from error
    except AdapterError as error:
        raise LoadError(f"{error}: '{location}'") from None
    folder = Path(location).parent if spec["source"] == "script" else Path(module.__file__ or ".").parent
    return LoadedModel(adapter, _own_files(folder))


def _run_script(path: Path) -> ModuleType:
    """Under its own name, so that classes that are defined there can be found."""
    sys.path.insert(0, str(path.parent))
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[path.stem] = module
    found.loader.exec_module(module)
    return module


def _import(name: str) -> ModuleType:
    sys.path.insert(0, "")  # as `python -m` has it
    return importlib.import_module(name)


def _attribute(module: ModuleType, dotted: str, location: str) -> Any:
    value: Any = module
    for name in dotted.split("."):
        if not hasattr(value, name):
            functions = [
                key
                for key, item in vars(module).items()
                if inspect.isfunction(item) and item.__module__ == module.__name__
            ]
            there = f"the functions are {', '.join(functions)}" if functions else "there are no functions"
            raise AdapterError(f"there is no '{dotted}', {there}")
        value = getattr(value, name)
    return value


def _own_files(folder: Path) -> list[str]:
    """A change of one of these means that the model has to be loaded again."""
    prefix = str(folder.resolve())
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    own = [file for file in files if file and file.startswith(prefix) and "site-packages" not in file]
    return own[:MAX_FILES]
