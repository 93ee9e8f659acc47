"""Patterns match tags as Python does, in linear time, or are rejected with a reason."""

from __future__ import annotations

import pytest

from seamark.format.patterns import MAX_TEXT_CHARS, BadPatternError, matching_tags, which_match

TAGS = ["loss/train", "loss/eval", "eval/loss", "accuracy", "a" * 40 + "!"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("loss", ["loss/train", "loss/eval"]),  # from the beginning, not to the end
        (".*loss$", ["eval/loss"]),
        ("(?P<what>loss)/(?:train|eval)", ["loss/train", "loss/eval"]),
        ("(?i)ACC", ["accuracy"]),
        ("(?:[a-z]+/)+loss", ["eval/loss"]),
        (r"loss/.{,5}\Z", ["loss/train", "loss/eval"]),
        ("^(?!.*eval)(?=.*[/)])", ["loss/train"]),
        (r"(?i)(?!a|[)]|\))(?!.*EVAL$).*", ["loss/train", "eval/loss"]),
        ("nothing", []),
    ],
)
def test_tags_are_matched_as_by_python(pattern: str, found: list[str]) -> None:
    assert matching_tags(pattern, TAGS) == found


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "is empty"),
        ("loss(", r"not a regular expression \(missing \)"),
        ("*", "no argument for repetition operator"),
        ("loss(?!x)", "look-around is supported at the beginning only"),
        ("(?<=a)b", "look-around"),
        ("^(?!a)b|c", "look-around"),
        ("(?!a", "look-around"),
        (r"(a)\1", "backreferences"),
        ("(?P<x>a)(?P=x)", "backreferences"),
        ("(((a{100}){100}){100}){100}", "not a regular expression"),
        (r"\pN" * 600, "not a regular expression"),
        ("a{2000}", "invalid repetition size"),
        ("x" * 20_000, "too long"),
    ],
)
def test_an_invalid_pattern_is_rejected_with_a_reason(pattern: str, reason: str) -> None:
    with pytest.raises(BadPatternError, match=reason):
        matching_tags(pattern, TAGS)


HOSTILE = [
    "(a+)+$",
    "(a|aa)+!",
    ".?" * 24 + "!",
    ".*.*.*.*!",
    "(.*)*x",
    "(a|a)*b",
    "(?:a{1,50}){1,20}b",
    "^(?!(a+)+b).*",
]


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("anywhere", [True, False])
def test_patterns_with_catastrophic_backtracking_are_matched(pattern: str, anywhere: bool) -> None:
    texts = ["a" * 60 + "!", "a" * 1_000_000, "ab" * 30]
    found = which_match(pattern, texts, anywhere=anywhere, ignore_case=True, max_secs=60)
    assert len(found) == 3


def test_only_the_beginning_of_a_long_text_is_matched() -> None:
    text = "a" * (MAX_TEXT_CHARS - 1) + "bc"
    assert which_match("(?:a)*b", [text]) == [True] and which_match("(?:a)*bc", [text]) == [False]


def test_matching_stops_after_the_time_limit() -> None:
    with pytest.raises(BadPatternError, match="takes too long"):
        matching_tags("(loss|acc).*", ["loss"] * 100, max_secs=-1.0)


def test_texts_and_patterns_beyond_ascii() -> None:
    assert which_match("(?:grö)+ß", ["GRÖßE", "x\udcff"], ignore_case=True, anywhere=True) == [True, False]
    with pytest.raises(BadPatternError):
        which_match("(\udcff)+", ["a"])
