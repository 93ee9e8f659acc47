"""All rules, and how their findings are ranked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamark.profiles.activity import Activity
from seamark.profiles.findings import device_rules, host_rules, memory_rules
from seamark.profiles.findings.rank_rules import check_straggler
from seamark.profiles.findings.rule import Rule, finding
from seamark.profiles.findings.timeline import Timeline, find_timeline
from seamark.profiles.profile import Profile
from seamark.profiles.results import Finding, Findings
from seamark.profiles.stored_tables import find_stored_tables

MIN_STEPS = 6
UNEVEN_RATIO = 1.5
MIN_UNEVEN_GAIN = 0.05
STRAGGLER = "straggler"
ONLY_TABLES = "it needs the trace, and this capture has only tables"
# What makes a step longer than others, and has a rule of its own.
EXPLAINED = ("warm_up", "compile", "checkpoint", "garbage", "allocator", "input")


def check_uneven(timeline: Timeline) -> Finding | None:
    """Steps that take longer than the median, beyond what other rules explain."""
    if timeline.count < MIN_STEPS:
        return None
    durations = (timeline.step_end - timeline.step_start).astype(np.float64)
    explained = sum(
        np.array(
            [timeline.parts[cause].clip(int(start), int(end)).total for start, end in bounds(timeline)], np.float64
        )
        for cause in EXPLAINED
    )
    rest = durations - explained
    median = float(np.median(rest))
    # A step of an ordinary length is not uneven, although less of it is explained than of the others.
    is_long = (durations > UNEVEN_RATIO * np.median(durations)) & (rest > UNEVEN_RATIO * median)
    long = np.flatnonzero(is_long)
    # The first step warms up caches.
    long = long[long > 0]
    steps = timeline.on_main(timeline.with_activity(Activity.STEP))
    steps = steps[np.isin(timeline.trace.start[steps], timeline.step_start[long])]
    return finding(
        timeline,
        "uneven_steps",
        text=f"{len(long)} of {timeline.count} steps {'takes' if len(long) == 1 else 'take'} more than "
        f"{UNEVEN_RATIO:.1f} times the median.",
        advice="Look at one of them beside its neighbours: evaluation, logging, longer samples, or other programs.",
        gain_ns=float((rest[long] - median).sum()),
        formula="What these steps take longer than the median step, divided by all steps.",
        slices=steps,
        min_gain=MIN_UNEVEN_GAIN,
    )


def bounds(timeline: Timeline) -> Sequence[tuple[int, int]]:
    return list(zip(timeline.step_start.tolist(), timeline.step_end.tolist(), strict=True))


RULES = [*host_rules.RULES, *device_rules.RULES, *memory_rules.RULES, Rule("uneven_steps", check_uneven)]
# With the rule for several ranks.
RULE_CODES = [*(rule.code for rule in RULES), STRAGGLER]


def findings_of_ranks(ranks: Sequence[tuple[str, Profile]], shown: int) -> Findings:
    """Of one rank of a capture; the others show whether it waits for one of them."""
    if ranks[shown][1].get(find_stored_tables) is not None:
        return Findings(findings=[], checked=0, skipped=[f"{code}: {ONLY_TABLES}" for code in RULE_CODES])
    timeline = find_timeline(ranks[shown][1])
    skipped: list[str] = []
    found: list[Finding] = []
    if len(ranks) > 1:
        late = check_straggler(timeline, ranks, shown)
        found += [late] if late is not None else []
    else:
        skipped.append(f"{STRAGGLER}: only one rank was read")
    for rule in RULES:
        reason = rule.needs(timeline) or ("" if timeline.count else "no steps were found")
        if reason:
            skipped.append(f"{rule.code}: {reason}")
            continue
        result = rule.check(timeline)
        found += [result] if result is not None else []
    found.sort(key=lambda one: -one.gain)
    return Findings(findings=found, checked=len(RULE_CODES) - len(skipped), skipped=skipped)
