from __future__ import annotations

from pathlib import Path

from seamark.plugin import find_dashboards


def test_scalars_is_found_by_its_folder_and_shows_scalars() -> None:
    found = {entry.name: entry for entry in find_dashboards()}
    dashboard = found["scalars"].dashboard
    assert dashboard is not None
    assert dashboard.kinds == ("scalars",)
    assert (Path(__file__).parent / "view" / "index.ts").is_file()
