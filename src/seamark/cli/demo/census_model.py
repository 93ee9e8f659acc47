"""The trained model of the demo's census, for What-If: the server of `seamark demo` may run it."""

from __future__ import annotations

from seamark.cli.demo.census import Columns, Floats, fit_model
from seamark.cli.demo.census_run import demo_census

_CENSUS = demo_census()
_MODEL = fit_model(_CENSUS.columns, _CENSUS.is_high)


def predict(columns: Columns) -> Floats:
    """The probability of an income above 50K."""
    return _MODEL.predict(columns)


predict.seamark_input = "columns"  # type: ignore[attr-defined]
