"""Dashboards are found by folder and by entry point; a broken one has an error."""

from __future__ import annotations

import importlib.metadata
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from seamark.plugin import Dashboard, Found, find_dashboards
from seamark.plugin import dashboard as dashboard_module

good = Dashboard(name="good", title="Good", order=1)
misnamed = Dashboard(name="other", title="Other")
no_dashboard = "text"


def with_entry_points(monkeypatch: pytest.MonkeyPatch, **values: str) -> dict[str, Found]:
    entries = [EntryPoint(name, value, dashboard_module.GROUP) for name, value in values.items()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: entries)
    return {found.name: found for found in find_dashboards() if found.name in values}


def test_every_folder_has_a_dashboard_of_its_name_and_some_folder_its_view() -> None:
    found = [entry for entry in find_dashboards() if entry.source.startswith("seamark.dashboards.")]
    assert [entry.error for entry in found] == [""] * len(found)
    assert {"scalars", "timeseries"} <= {entry.name for entry in found}
    assert dashboard_module.TEMPLATE not in {entry.name for entry in found}
    # Scalars defines the view of Time series, too.
    views = [index.read_text(encoding="utf-8") for index in dashboard_module.FOLDER.glob("*/view/index.ts")]
    for entry in found:
        assert sum(f'name: "{entry.name}"' in text for text in views) == 1, entry.name


def test_tabs_are_in_the_order_of_use() -> None:
    titles = [found.dashboard.title for found in find_dashboards() if found.dashboard]
    assert titles[:5] == ["Time series", "Scalars", "HParams", "Images", "Video"]
    assert titles[5:8] == ["Histograms", "Distributions", "Graphs"]


def test_an_entry_point_adds_a_tab_by_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    found = with_entry_points(monkeypatch, good=f"{__name__}:good")
    assert found["good"].dashboard is good
    assert find_dashboards()[0].name == "good"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("broken", "no_such_package:dashboard", "could not be loaded: ModuleNotFoundError"),
        ("wrong", f"{__name__}:no_dashboard", "names a str, want a seamark.plugin.Dashboard"),
        ("misnamed", f"{__name__}:misnamed", "has the name 'other', want 'misnamed'"),
    ],
)
def test_a_broken_dashboard_has_the_reason_as_its_error(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    found = with_entry_points(monkeypatch, **{name: value})[name]
    assert found.dashboard is None
    assert reason in found.error


def test_a_name_that_is_taken_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [EntryPoint("scalars", f"{__name__}:good", dashboard_module.GROUP)]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: entries)
    listed = [found for found in find_dashboards() if found.name == "scalars"]
    assert [found.dashboard is None for found in listed] == [False, True]
    assert "is taken by seamark.dashboards.scalars" in listed[1].error


@pytest.mark.parametrize("name", ["", "Upper", "a/b", "../x", "1st", "a b", "x" * 65])
def test_a_name_must_fit_into_a_url(name: str) -> None:
    with pytest.raises(ValueError, match="lower case letters"):
        Dashboard(name=name, title="x")


def test_a_view_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{tmp_path / 'view.js'}'")):
        Dashboard(name="x", title="x", module=tmp_path / "view.js")
