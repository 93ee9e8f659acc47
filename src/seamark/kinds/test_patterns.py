"""What a pattern finds among tags, and the patterns that find nothing but a sentence."""

from __future__ import annotations

import pytest

from seamark.kinds.patterns import BadPatternError, matching_tags, may_take_long

TAGS = ["loss/train", "loss/eval", "eval/loss", "accuracy", "a" * 40 + "!"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("loss", ["loss/train", "loss/eval"]),  # from the beginning, not to the end
        (".*loss$", ["eval/loss"]),
        ("(?P<what>loss)/(?:train|eval)", ["loss/train", "loss/eval"]),
        ("(?i)ACC", ["accuracy"]),
        ("(?:[a-z]+/)+loss", ["eval/loss"]),  # a repeated group: tried elsewhere
        ("nothing", []),
    ],
)
def test_tags_are_found_as_python_finds_them(pattern: str, found: list[str]) -> None:
    assert matching_tags(pattern, TAGS) == found


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "is empty"),
        ("loss(", r"not a regular expression \(missing \), unterminated subpattern"),
        ("*", "nothing to repeat"),
        ("a{99999999999}", "not a regular expression"),
        ("x" * 20_000, "too long"),
    ],
)
def test_a_pattern_that_is_none_says_why(pattern: str, reason: str) -> None:
    with pytest.raises(BadPatternError, match=reason):
        matching_tags(pattern, TAGS)


def test_a_pattern_that_would_never_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.kinds.patterns.PATIENCE_SECS", 0.3)
    with pytest.raises(BadPatternError, match="takes too long"):
        matching_tags("(a+)+$", TAGS)


def test_plain_patterns_are_tried_on_the_spot() -> None:
    assert not may_take_long(r"^loss\(a\)\+b\*$")
    assert not may_take_long("train/.*|eval/.*")
    assert may_take_long("(a|a)*b")
    assert may_take_long(".*.*.*.*x")
