"""The JSON of `seamark profile --json`: documented in docs/cli.md, and stable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile


def report_of(ranks: Sequence[tuple[str, Profile]], shown: int) -> dict[str, Any]:
    """Of one rank of a capture. Every time is in nanoseconds."""
    host, profile = ranks[shown]
    overview, findings = profile.get(find_overview), findings_of_ranks(ranks, shown)
    plain = msgspec.to_builtins
    return {
        "host": host,
        "origin_ns": profile.trace.origin_ns,
        "slices": profile.trace.slices,
        "problems": list(profile.trace.problems),
        "steps_from": overview.source,
        "steps": plain(overview.steps),
        "mean": plain(overview.mean),
        "headline": plain(overview.headline),
        "utilization": plain(overview.utilization),
        "environment": {entry.name: entry.value for entry in overview.environment},
        "operators": plain(profile.get(find_operators).rows),
        "kernels": plain(profile.get(find_kernels).rows),
        "memory": plain(profile.get(find_memory)),
        "findings": plain(findings.findings),
        "rules_checked": findings.checked,
        "rules_skipped": findings.skipped,
    }
