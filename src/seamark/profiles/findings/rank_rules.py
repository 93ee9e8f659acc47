"""Rules for several ranks: who is late at the collectives, and how long the others wait."""

from __future__ import annotations

from collections.abc import Sequence

from seamark.profiles.analyses.distributed.matching import find_straggler, match, wait_of_step
from seamark.profiles.analyses.distributed.rank import find_collectives, rank_name
from seamark.profiles.findings.host_rules import per_step
from seamark.profiles.findings.rule import finding
from seamark.profiles.findings.timeline import Timeline
from seamark.profiles.profile import Profile
from seamark.profiles.results import Finding


def check_straggler(timeline: Timeline, ranks: Sequence[tuple[str, Profile]], shown: int) -> Finding | None:
    """For the rank that is shown; sets what it waits, so that its communication is not blamed for it."""
    collectives = [profile.get(find_collectives) for _, profile in ranks]
    matched = match(collectives, [profile.trace.origin_ns for _, profile in ranks])
    late = None if matched is None else find_straggler(matched, timeline.total_ns)
    if matched is None or late is None:
        return None
    waits = [wait_of_step(profile, matched, index, collectives[index]) for index, (_, profile) in enumerate(ranks)]
    timeline.rank_wait_ns = waits[shown] * timeline.count
    others = len(ranks) - 1
    gain = (sum(waits) - waits[late]) / others * timeline.count
    return finding(
        timeline,
        "straggler",
        text=f"{others} of {len(ranks)} ranks wait for {rank_name(*ranks[late])} in every step.",
        advice=f"They wait {per_step(timeline, gain)} in collectives. Compare this rank's input, host and kernels with "
        "another one's on the Distributed page: a slower device, longer samples, or other programs on its host.",
        gain_ns=gain,
        formula="The mean time of the other ranks in collectives before the last rank arrives, divided by the step.",
        slices=timeline.in_steps(collectives[shown].slices),
    )
