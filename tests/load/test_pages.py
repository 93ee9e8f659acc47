"""Fifty pages listen to a sweep that grows: every one gets every message, once and in order, and no request fails.

A small version; `python -m bench.pages` is the full one, with 1,000 runs.
"""

from __future__ import annotations

from bench import pages


def test_fifty_pages_follow_a_growing_sweep_without_an_error() -> None:
    load = pages.run(runs=40, pages=50, secs=3.0)
    assert load.errors == []
    assert len(load.pages) == 50
    assert min(page.messages for page in load.pages) >= 3
    # All saw the same: the same number of messages, give or take those from before they came.
    assert len({page.cursors[-1] for page in load.pages}) == 1
