"""TensorBoard's HTTP API: the same questions under /data, answered from the store with every point."""

from seamark.serve.tensorboard.routes import routes

__all__ = ["routes"]
