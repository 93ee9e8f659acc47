"""Findings, and the texts of their rules."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class Evidence(Result, frozen=True, kw_only=True):
    """The slices that prove a finding: the longest ones, and how many there are."""

    count: int
    slices: list[int]
    start_ns: int  # the window that shows them
    end_ns: int


class Finding(Result, frozen=True, kw_only=True):
    code: str  # "input_bound"
    text: str  # one sentence
    advice: str  # what to change
    gain: float  # share of the mean step, between 0 and 1
    gain_ns: int  # for each step
    formula: str  # why this gain
    evidence: Evidence


class Findings(Result, frozen=True, kw_only=True):
    findings: list[Finding]  # largest gain first
    checked: int  # rules
    skipped: list[str]  # rules that this trace has no data for
    unread_ranks: int = 0  # other ranks that were not read for it, because that takes long
    unread_bytes: int = 0


class RuleText(Result, frozen=True, kw_only=True):
    code: str
    looks_for: str
    threshold: str  # "3 %" of the mean step, or "10 MB"


class Rules(Result, frozen=True, kw_only=True):
    rules: list[RuleText]
