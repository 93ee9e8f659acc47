"""Logs a Keras model: its layers as a graph, its weights as histograms and images, its embeddings."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import numpy as np
import numpy.typing as npt

from seamark import summary
from seamark.write.writer.file_writer import FileWriter
from seamark.write.writer.summary_writer import SummaryWriter

logger = logging.getLogger(__name__)

# The model classes with a graph of layers.
GRAPH_MODELS = ("Functional", "Sequential")


def write_model(model: Any, folder: Path) -> None:
    """Writes the graph of layers for the graph dashboard's conceptual view."""
    if type(model).__name__ not in GRAPH_MODELS:
        return
    try:
        text = model.to_json()
    except Exception as error:  # a custom layer without a configuration
        logger.warning("seamark: the model's layers are not logged: %s", error)
        return
    with contextlib.closing(FileWriter(folder)) as writer:
        writer.add_keras_model("keras", text)


def write_train_graph(model: Any, folder: Path) -> None:
    """Writes the graph of operations, which only the TensorFlow backend has."""
    traced = getattr(getattr(model, "train_function", None), "_concrete_variable_creation_fn", None)
    if traced is not None:
        with contextlib.closing(FileWriter(folder)) as writer:
            writer.add_onnx_graph(traced.graph.as_graph_def(add_shapes=True))


def write_weights(model: Any, epoch: int, *, as_images: bool) -> None:
    for layer in model.layers:
        for weight in layer.weights:
            name, values = weight.path.replace(":", "_"), np.asarray(keras.ops.convert_to_numpy(weight))
            summary.histogram(f"{name}/histogram", values, step=epoch)
            pictures = weight_pictures(values) if as_images else None
            if pictures is not None:
                summary.image(f"{name}/image", pictures, step=epoch)


def weight_pictures(weight: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """A batch of images: a bias is a line, a kernel lies on its long side, a convolution is an image per kernel."""
    values = np.squeeze(weight)
    if values.ndim == 1:
        return values.reshape(1, -1, 1, 1)
    if values.ndim == 2:
        lying = values.T if values.shape[0] > values.shape[1] else values
        return lying[np.newaxis, :, :, np.newaxis]
    if values.ndim == 3:
        first = np.moveaxis(values, -1, 0) if keras.config.image_data_format() == "channels_last" else values
        return first[:, :, :, np.newaxis]
    # Kernels with several channels are images only if the channels can be colours.
    return values if values.ndim == 4 and values.shape[-1] in (1, 3, 4) else None


@dataclass(frozen=True)
class Embedding:
    name: str
    values: npt.NDArray[Any]
    labels: list[str] | None


def embeddings(model: Any, metadata: str | Mapping[str, str] | None, folder: Path) -> list[Embedding]:
    """The embedding layers. `metadata` is a file in `folder` with one label per line, for all layers or by name."""
    layers = [layer for layer in model.layers if isinstance(layer, keras.layers.Embedding)]
    files = (
        metadata
        if isinstance(metadata, Mapping)
        else {layer.name: metadata for layer in layers if metadata is not None}
    )
    unknown = sorted(set(files) - {layer.name for layer in layers})
    if unknown:
        known = sorted(layer.name for layer in layers)
        raise ValueError(
            f"embeddings_metadata names layers that are no embeddings: got {unknown}, want some of {known}"
        )
    return [embedding(layer, files.get(layer.name), folder) for layer in layers if layer.built]


def embedding(layer: Any, file: str | None, folder: Path) -> Embedding:
    values = np.asarray(keras.ops.convert_to_numpy(layer.embeddings))
    labels = (folder / file).read_text(encoding="utf-8").splitlines() if file is not None else None
    return Embedding(layer.name, values, labels)


def write_embeddings(found: list[Embedding], folder: Path, epoch: int) -> None:
    with SummaryWriter(str(folder)) as writer:
        for one in found:
            writer.add_embedding(one.values, metadata=one.labels, tag=one.name, global_step=epoch)
