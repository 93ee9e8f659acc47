"""Operators: time on the host and on the devices, by name or by name and input shapes."""

from seamark.profiles.analyses.operators.find import find_operators as find_operators
from seamark.profiles.analyses.operators.find import find_operators_by_shapes as find_operators_by_shapes
