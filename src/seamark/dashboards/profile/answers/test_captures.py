"""Which sub-tabs a trace has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from seamark.dashboards.profile.answers.captures import sub_tabs_of
from seamark.profiles.profile import Profile
from seamark.profiles.results import StepBreakdown
from seamark.profiles.stored_tables import METADATA_KEY, StoredTables, encode_tables
from seamark.profiles.testing_traces import TraceBuilder


def profile_of(builder: TraceBuilder) -> Profile:
    return Profile(builder.build(), Path("trace.json"))


def test_compile_and_roofline_are_sub_tabs_only_with_data() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 5, "aten::mm", "cpu_op")
    assert not {"compile", "roofline"} & set(sub_tabs_of(profile_of(builder)))
    builder.slice(main, 10, 5, "XlaCompile", "")
    assert "compile" in sub_tabs_of(profile_of(builder))
    builder.slice(main, 20, 5, "fusion", "", flops=100)
    assert sub_tabs_of(profile_of(builder))[-3:] == ["compile", "roofline", "compare"]


def test_tables_have_the_sub_tabs_that_they_fill() -> None:
    step = StepBreakdown(name="1", number=1, start_ns=0, duration_ns=5, breakdown={})
    metadata = {METADATA_KEY: encode_tables(StoredTables(steps=[step]))}
    profile = Profile(replace(TraceBuilder().build(), metadata=metadata), Path("vm.overview_page.pb"))
    assert sub_tabs_of(profile) == ["overview", "input", "compare"]
