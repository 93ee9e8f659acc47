"""Costs of nodes: multiply-adds and bytes."""

from seamark.graphs.costs.columns import Costs, costs_of

__all__ = ["Costs", "costs_of"]
