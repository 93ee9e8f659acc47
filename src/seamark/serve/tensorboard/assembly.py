"""All routes below /data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.routing import Route

from seamark.serve.tensorboard.blobs import Blobs
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.core import core_routes
from seamark.serve.tensorboard.graphs import graph_routes
from seamark.serve.tensorboard.histograms import histogram_routes
from seamark.serve.tensorboard.hparams import hparams_routes
from seamark.serve.tensorboard.media import audio_routes, image_routes
from seamark.serve.tensorboard.mesh import mesh_routes
from seamark.serve.tensorboard.pr_curves import pr_curve_routes
from seamark.serve.tensorboard.projector import Projector
from seamark.serve.tensorboard.projector_routes import projector_routes
from seamark.serve.tensorboard.scalars import scalar_routes
from seamark.serve.tensorboard.text import text_routes
from seamark.serve.tensorboard.time_series import time_series_routes
from seamark.store import LogRoot, Store


def all_routes(
    store: Store, roots: Sequence[LogRoot], *, samples_per_plugin: Mapping[str, int], window_title: str
) -> list[Route]:
    catalogue = Catalogue(store, samples_per_plugin)
    blobs = Blobs(catalogue)
    projector = Projector(store, roots)
    return [
        *core_routes(store, roots, projector, samples_per_plugin=samples_per_plugin, window_title=window_title),
        *scalar_routes(catalogue),
        *image_routes(catalogue, blobs),
        *audio_routes(catalogue, blobs),
        *text_routes(catalogue),
        *histogram_routes(catalogue),
        *pr_curve_routes(catalogue),
        *mesh_routes(catalogue),
        *hparams_routes(catalogue),
        *graph_routes(catalogue),
        *time_series_routes(catalogue, blobs),
        *projector_routes(projector),
    ]
