"""TensorBoard's HTTP API below /data, answered from the store."""

from seamark.serve.tensorboard.lazy_app import LazyApp
from seamark.serve.tensorboard.route_groups import RouteGroups

__all__ = ["LazyApp", "RouteGroups"]
