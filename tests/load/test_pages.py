"""Fifty pages follow a growing sweep: each receives every message once and in order, and no request fails.

`python -m bench.pages` measures the same with 1,000 runs.
"""

from __future__ import annotations

from bench import pages


def test_fifty_pages_follow_a_growing_sweep_without_an_error() -> None:
    load = pages.run(runs=40, pages=50, secs=3.0)
    assert load.errors == []
    assert len(load.pages) == 50
    assert all(page.messages for page in load.pages)
    assert len({page.cursors[-1] for page in load.pages}) == 1
