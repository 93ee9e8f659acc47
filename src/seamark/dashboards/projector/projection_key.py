"""What identifies a projection: the method, the parameters that it uses, and the metadata if it uses them."""

from __future__ import annotations

import hashlib

import numpy as np

from seamark.dashboards.projector import wire
from seamark.embeddings.form import Embedding

COMMON = ("method", "dims", "query")
LAYOUT = ("metric", "epochs", "learning_rate", "supervise", "supervise_by", "seed", "max_rows")
# The parameters that each method uses: others change nothing.
PARAMETERS: dict[wire.Method, tuple[str, ...]] = {
    "pca": ("components", "seed"),
    "raw": ("components",),
    "random": ("seed",),
    "axes": ("axes",),
    "tsne": (*LAYOUT, "perplexity"),
    "umap": (*LAYOUT, "neighbours", "min_distance"),
}


def is_layout(body: wire.ProjectionBody) -> bool:
    """Whether the method runs from epoch to epoch."""
    return body.method.method in ("tsne", "umap")


def parameters_of(method: wire.MethodBody) -> dict[str, object]:
    return {name: getattr(method, name) for name in (*COMMON, *PARAMETERS[method.method])}


def uses_metadata(method: wire.MethodBody) -> bool:
    is_supervised = method.method in ("tsne", "umap") and method.supervise > 0
    return bool(method.query) or method.method == "axes" or is_supervised


def metadata_id(embedding: Embedding) -> str:
    """Identifies the metadata: equal values have equal ids."""
    digest = hashlib.sha256()
    for column in embedding.metadata.columns:
        digest.update(column.name.encode(errors="surrogatepass"))
        for values in (column.numbers, column.codes):
            if values is not None:
                digest.update(np.ascontiguousarray(values).data)
        digest.update("\0".join(column.names).encode(errors="surrogatepass"))
    return digest.hexdigest()
