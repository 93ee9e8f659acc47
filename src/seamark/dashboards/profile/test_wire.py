"""The numbers and names that view/wire.ts has beside the described types are those of Python."""

from __future__ import annotations

import re
from pathlib import Path

from seamark.profiles import activity, results

TYPES = Path(__file__).with_name("view") / "wire.ts"


def test_the_page_has_the_same_activities_and_parts() -> None:
    text = TYPES.read_text(encoding="utf-8")
    found = re.search(r"export const ACTIVITY = \{(.*?)\}", text, re.DOTALL)
    assert found
    assert dict(re.findall(r"(\w+): (\d+)", found[1])) == {a.name: str(a.value) for a in activity.Activity}
    parts = re.search(r"export const BREAKDOWN_PARTS = \[(.*?)\]", text, re.DOTALL)
    assert parts and tuple(re.findall(r'"(\w+)"', parts[1])) == results.BREAKDOWN_PARTS
