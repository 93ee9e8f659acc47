"""A run with more metrics than are listed: each of them can still be found, shown and linked to."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import write_run


def test_a_metric_beyond_the_listed_ones_is_found_and_shown(logdir: Path, address: str, open_page: OpenPage) -> None:
    write_run(logdir / "a", {f"layer{number:05}/norm": [float(number)] for number in range(10_100)})
    page = open_page(f"{address}#scalars&runTable=open&tableColumns=metric:layer10050/norm:last")
    expect(page.get_by_role("columnheader", name="layer10050/norm")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Columns")).click()
    page.get_by_label("Find a column").fill("layer10099")
    page.get_by_role("checkbox", name="layer10099/norm").click()
    expect(page.get_by_role("columnheader", name="layer10099/norm")).to_be_visible()
