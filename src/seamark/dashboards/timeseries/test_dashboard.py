from __future__ import annotations

from seamark.plugin import find_dashboards


def test_time_series_is_the_tab_before_scalars() -> None:
    names = [entry.name for entry in find_dashboards()]
    assert names.index("timeseries") < names.index("scalars")
