"""The page's view/wire/ has the same types as Python: a field that is renamed on one side fails here."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from seamark.dashboards.profile import wire
from seamark.profiles import activity, form, results

TYPES = "\n".join(path.read_text() for path in sorted((Path(__file__).with_name("view") / "wire").glob("*.ts")))
# Names that the page has chosen for itself.
RENAMED = {"CapturesResponse": "Captures", "StateResponse": "ReadingState", "InfoResponse": "ProfileInfo"}
SENT = [wire.HostEntry, wire.CaptureEntry, wire.CapturesResponse, wire.StateResponse, wire.InfoResponse]
RESULTS = [
    value
    for value in vars(results).values()
    if isinstance(value, type) and issubclass(value, results.Result) and value is not results.Result
]


def interface(name: str) -> list[str]:
    found = re.search(rf"^export interface {name} \{{\n(.*?)^\}}", TYPES, re.MULTILINE | re.DOTALL)
    assert found, f"wire/ has no interface {name}"
    return re.findall(r"^  readonly (\w+)\??:", found[1], re.MULTILINE)


@pytest.mark.parametrize("struct", [*RESULTS, *SENT, form.Track], ids=lambda struct: struct.__name__)
def test_the_page_has_the_same_fields(struct: type[msgspec.Struct]) -> None:
    assert interface(RENAMED.get(struct.__name__, struct.__name__)) == list(struct.__struct_fields__)


def test_the_page_has_the_same_activities_and_parts() -> None:
    text = TYPES
    found = re.search(r"export const ACTIVITY = \{(.*?)\}", text, re.DOTALL)
    assert found
    assert dict(re.findall(r"(\w+): (\d+)", found[1])) == {a.name: str(a.value) for a in activity.Activity}
    parts = re.search(r"export const BREAKDOWN_PARTS = \[(.*?)\]", text, re.DOTALL)
    assert parts and tuple(re.findall(r'"(\w+)"', parts[1])) == results.BREAKDOWN_PARTS
