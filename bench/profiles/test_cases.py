"""The planted cause of each sick loop is the first finding, with slices that prove it; healthy loops have none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.profiles.cases import HEALTHY, SICK, Case
from seamark.profiles.findings.rules import RULE_CODES, findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.results import Findings
from seamark.profiles.testing_events import trace_of_json


def findings_of(case: Case) -> tuple[Findings, Profile]:
    ranks = []
    for number, loop in enumerate(case.make()):
        profile = Profile(trace_of_json(json.dumps(loop.trace()).encode()), Path("loop.json"))
        ranks.append((f"rank {number}", profile))
    return findings_of_ranks(ranks, 0), ranks[0][1]


@pytest.mark.parametrize("case", SICK, ids=[case.name for case in SICK])
def test_the_planted_cause_is_named_first(case: Case) -> None:
    found, profile = findings_of(case)
    assert [finding.code for finding in found.findings][:1] == [case.expected]
    for finding in found.findings:
        assert 0 <= finding.gain < 1 and finding.evidence.count >= len(finding.evidence.slices) > 0
        assert all(profile.trace.text(index) for index in finding.evidence.slices)
        assert finding.text.endswith(".") and finding.advice.endswith(".") and finding.formula.endswith(".")
    assert [finding.gain for finding in found.findings] == sorted((f.gain for f in found.findings), reverse=True)


@pytest.mark.parametrize("case", HEALTHY, ids=[case.name for case in HEALTHY])
def test_a_healthy_loop_has_no_finding(case: Case) -> None:
    found, _ = findings_of(case)
    assert [(finding.code, finding.gain) for finding in found.findings] == []
    assert found.checked + len(found.skipped) == len(RULE_CODES)


def test_every_rule_but_uneven_steps_has_a_sick_loop() -> None:
    assert set(RULE_CODES) - {case.expected for case in SICK} == {"uneven_steps"}


def test_the_gain_is_what_was_planted() -> None:
    """6 ms of waiting for input in a step of which the device needs the rest."""
    found, _ = findings_of(next(case for case in SICK if case.name == "few DataLoader workers"))
    (finding,) = found.findings
    assert finding.gain_ns == pytest.approx(6_000_000, rel=0.05)
