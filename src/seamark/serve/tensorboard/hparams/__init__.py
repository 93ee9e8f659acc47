"""Hyperparameters: sessions grouped, filtered, sorted and aggregated as TensorBoard does it."""

from seamark.serve.tensorboard.hparams.routes import hparams_routes

__all__ = ["hparams_routes"]
