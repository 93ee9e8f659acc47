"""The tab of HParams."""

from __future__ import annotations

from seamark.plugin import find_dashboards


def test_it_is_found() -> None:
    assert "hparams" in [found.name for found in find_dashboards() if found.dashboard is not None]
