"""Every rule has a text, and the documentation has the same."""

from __future__ import annotations

import re
from pathlib import Path

from seamark.profiles.findings.rule_texts import RULE_TEXTS
from seamark.profiles.findings.rules import RULE_CODES

DOCS = Path(__file__).parents[4] / "docs" / "profile.md"


def test_every_rule_has_a_text() -> None:
    assert sorted(text.code for text in RULE_TEXTS) == sorted(RULE_CODES)


def test_the_documentation_has_the_same_texts() -> None:
    section = DOCS.read_text(encoding="utf-8").split("\n## Findings\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", section, re.MULTILINE)
    assert rows == [(text.code, text.looks_for, text.threshold) for text in RULE_TEXTS]
