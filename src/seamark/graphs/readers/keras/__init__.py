"""Keras models: the layers from the config, shapes and numbers of weights computed from it."""

from seamark.graphs.readers.keras.model import from_keras_archive, from_keras_config

__all__ = ["from_keras_archive", "from_keras_config"]
