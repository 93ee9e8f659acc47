"""The dashboard is found, after histograms."""

from __future__ import annotations

from seamark.dashboards.distributions.dashboard import dashboard
from seamark.plugin import find_dashboards


def test_it_has_data_when_histograms_have() -> None:
    names = [found.name for found in find_dashboards()]
    assert names.index("distributions") > names.index("histograms")
    assert dashboard.kinds == ("histograms",)
