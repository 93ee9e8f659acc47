"""The backend of a model, by what the command line names."""

from __future__ import annotations

from seamark.examples.predict.http_backend import HttpBackend
from seamark.examples.predict.live_model import Backend
from seamark.examples.predict.process_backend import Limits, ProcessBackend
from seamark.examples.predict.spec import ModelSpec


def open_backend(spec: ModelSpec, limits: Limits) -> Backend:
    """Nothing is run or called before the first prediction."""
    return HttpBackend(spec, limits) if spec.source == "http" else ProcessBackend(spec, limits)
