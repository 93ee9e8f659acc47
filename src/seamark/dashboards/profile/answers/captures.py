"""Which profiles there are, and what one has."""

from __future__ import annotations

from seamark.dashboards.profile import wire
from seamark.dashboards.profile.library import ProfileLibrary
from seamark.profiles.analyses.compile import has_compilations
from seamark.profiles.analyses.memory.counters import find_counters
from seamark.profiles.analyses.roofline import has_flops
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.form import Trace
from seamark.profiles.profile import Profile
from seamark.profiles.stored_tables import StoredTables, find_stored_tables


def captures(library: ProfileLibrary) -> wire.CapturesResponse:
    found, has_more = library.captures()
    entries = [
        wire.CaptureEntry(
            run,
            capture.name,
            capture.time,
            [wire.HostEntry(file.host, file.bytes) for file in capture.hosts],
            capture.is_remainder,
        )
        for _, run, capture in found
    ]
    return wire.CapturesResponse(entries, has_more)


def info(profile: Profile) -> wire.InfoResponse:
    trace = profile.trace
    start, end = trace.span
    return wire.InfoResponse(
        origin_ns=trace.origin_ns,
        start_ns=start,
        end_ns=end,
        slices=trace.slices,
        bytes=profile.source.stat().st_size,
        tracks=trace.tracks,
        counters=[counter.entry for counter in profile.get(find_counters)],
        steps=profile.get(find_steps),
        sub_tabs=sub_tabs_of(profile),
        problems=list(trace.problems),
    )


def sub_tabs_of(profile: Profile) -> list[wire.SubTab]:
    """Compile and roofline only if the trace has their data; found by names and fields, without an analysis."""
    trace, tables = profile.trace, profile.get(find_stored_tables)
    if tables is not None:
        return sub_tabs_of_tables(trace, tables)
    tabs: list[wire.SubTab] = ["overview", "trace", "operators", "kernels", "memory", "input", "modules", "distributed"]
    if has_compilations(trace):
        tabs.append("compile")
    if has_flops(trace):
        tabs.append("roofline")
    return [*tabs, "compare"]


def sub_tabs_of_tables(trace: Trace, tables: StoredTables) -> list[wire.SubTab]:
    tabs: list[wire.SubTab] = ["overview"]
    tabs += ["operators"] if tables.operators else []
    tabs += ["kernels"] if tables.kernels else []
    tabs += ["memory"] if trace.counters else []
    tabs += ["input"] if tables.input_operations or tables.steps else []
    tabs += ["modules"] if tables.operators else []
    return [*tabs, "compare"]
