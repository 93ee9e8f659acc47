"""A run picked among 10,000: typed, with arrow keys, and with as many elements as are on screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

RUNS = 10_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("many")
    with EventFile(logdir / "run-00000") as file:
        file.add_scalar("train/loss", 1.0, 0)
    content = next((logdir / "run-00000").iterdir()).read_bytes()
    for number in range(1, RUNS):
        folder = logdir / f"run-{number:05}"
        folder.mkdir()
        (folder / "events.out.tfevents.1700000000.host").write_bytes(content)
    with served_in_process(logdir) as address:
        yield address


def test_a_run_is_found_among_ten_thousand(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}run/run-00000")
    page.get_by_role("button", name="Compare with").click()
    field = page.get_by_role("combobox", name="Find a run")
    expect(page.get_by_role("status").filter(has_text="9,999")).to_be_visible()
    assert page.get_by_role("option").count() < 50
    # The filter of the runs table: a part of a name, or a regular expression.
    field.fill("run-099.7$")
    expect(page.get_by_role("option")).to_have_count(10)
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(page.locator(".option.active")).to_have_text("run-09927")
    expect(field).to_have_attribute("aria-activedescendant", page.locator(".option.active").get_attribute("id") or "")
    field.press("Enter")
    expect(page.get_by_role("link", name="All differences")).to_be_visible()
    expect(page.get_by_role("button", name="Compare with")).to_contain_text("run-09927")
    # The chosen run is in view when the list is opened again.
    page.get_by_role("button", name="Compare with").click()
    expect(page.get_by_role("option", selected=True)).to_be_in_viewport()
