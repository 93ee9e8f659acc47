"""ModelSpec: a model as the command line names it: code, a file, or an address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

# Formats that can be loaded without running code that is in the file.
FORMATS = {".json": "xgboost", ".ubj": "xgboost", ".txt": "lightgbm", ".keras": "keras", ".pt2": "torch_export"}
PICKLES = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".h5", ".sav", ".bin")
NAMED = re.compile(r"([\w.-]+)=(.+)")
MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
WANTED = "want path/model.py:function, package.module:function, a model file ({formats}) or an http(s) address"


class SpecError(ValueError):
    """A model that cannot be named so. The message is a sentence for people."""


@dataclass(frozen=True)
class ModelSpec:
    """`attribute` names what is used of the code; a model file has a `format` in its place."""

    name: str
    source: Literal["script", "module", "file", "http"]
    location: str  # an absolute path, a module, or an address
    attribute: str = ""
    format: str = ""

    @property
    def folder(self) -> Path | None:
        """In which the process starts; None: where the server was started."""
        return Path(self.location).parent if self.source in ("script", "file") else None


def parse_models(texts: Sequence[str]) -> list[ModelSpec]:
    """Names are made unique."""
    found: dict[str, ModelSpec] = {}
    for text in texts:
        spec = parse_model(text)
        name, number = spec.name, 2
        while name in found:
            name, number = f"{spec.name} ({number})", number + 1
        found[name] = ModelSpec(name, spec.source, spec.location, spec.attribute, spec.format)
    return list(found.values())


def parse_model(text: str) -> ModelSpec:
    """`NAME=` in front of any form gives the model this name."""
    named = NAMED.fullmatch(text)
    if named and not text.startswith(("http:", "https:")):
        spec = parse_model(named[2])
        return ModelSpec(named[1], spec.source, spec.location, spec.attribute, spec.format)
    if text.startswith(("http://", "https://")):
        return _address(text)
    path, _, attribute = text.rpartition(":")
    if path.endswith(".py"):
        return _script(Path(path), attribute)
    suffix = Path(text).suffix.lower()
    if suffix in FORMATS:
        return _file(Path(text), FORMATS[suffix])
    if suffix in PICKLES:
        raise SpecError(
            f"a {suffix} file runs the code in it when it is loaded; if you trust it, load it in a Python file and "
            f"name that one, as in model.py:predict: '{text}'"
        )
    if MODULE.fullmatch(path) and MODULE.fullmatch(attribute):
        return ModelSpec(_name(path.rpartition(".")[2], attribute), "module", path, attribute)
    if suffix == ".py":
        raise SpecError(f"the function is missing, want {text}:predict; got '{text}'")
    raise SpecError(f"{WANTED.format(formats=', '.join(FORMATS))}; got '{text}'")


def _script(path: Path, attribute: str) -> ModelSpec:
    if not MODULE.fullmatch(attribute):
        raise SpecError(f"the name after the colon is not one of Python, got '{attribute}': '{path}'")
    _check_file(path)
    return ModelSpec(_name(path.stem, attribute), "script", str(path.resolve()), attribute)


def _file(path: Path, format: str) -> ModelSpec:
    _check_file(path)
    return ModelSpec(path.stem, "file", str(path.resolve()), format=format)


def _address(text: str) -> ModelSpec:
    parts = urlsplit(text)
    try:
        is_valid = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_valid = False
    if not is_valid:
        raise SpecError(f"the address has no host or a wrong port, want http://host:port/path; got '{text}'")
    last = parts.path.rstrip("/").rpartition("/")[2].removesuffix(":predict")
    return ModelSpec(last or str(parts.hostname), "http", text)


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise SpecError(f"no such file: '{path}'")


def _name(code: str, attribute: str) -> str:
    return code if attribute in ("predict", "predict_proba", "model") else f"{code}:{attribute}"
