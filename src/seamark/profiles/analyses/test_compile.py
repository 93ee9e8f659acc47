"""Compile: which events are a compiler's, and which are in steps."""

from __future__ import annotations

import pytest

from seamark.profiles.analyses.compile import find_compile
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.compilers import compiler_of
from seamark.profiles.testing_traces import TraceBuilder, profile_of


@pytest.mark.parametrize(
    ("text", "compiler"),
    [
        ("_compile.compile_inner (dynamo_timed)", "TorchDynamo"),
        ("entire_frame_compile", "TorchDynamo"),
        ("async_compile.wait (dynamo_timed)", "Inductor"),
        ("AOTAutogradCache.inductor_load", "Inductor"),
        ("XlaCompile", "XLA"),
        ("backend_compile", "TorchDynamo"),
        ("PjRtStreamExecutorClient::Compile", "XLA"),
        ("entire_frame_compile_data: fn_name=_compile.compile_inner, compile_id=0/1", ""),
        ("TorchDynamo Cache Lookup", ""),
        ("Torch-Compiled Region: 0/1", ""),
        ("CompiledFunctionBackward", ""),
        ("## Call CompiledFxGraph fk7jnq ##", ""),
        ("aten::mm", ""),
    ],
)
def test_names_of_compilers(text: str, compiler: str) -> None:
    assert compiler_of(text, "cpu_op") == compiler


def test_python_functions_are_not_events_of_a_compiler() -> None:
    assert compiler_of("torch/_inductor/compile_fx.py(5): compile_fx", "python_function") == ""


def test_a_compilation_in_a_step_is_a_recompilation() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    for start in (0, 2100):  # before the steps, and in the second one
        builder.slice(main, start, 100, "entire_frame_compile", "cpu_op")
        builder.slice(main, start + 10, 60, "inductor.compile_fx", "cpu_op")
        builder.slice(main, start + 80, 10, "inductor.compile_fx", "cpu_op")
    builder.slice(main, 1500, 5, "TorchDynamo Cache Lookup", "cpu_op")
    found = find_compile(profile_of(builder, [(1000, 2000), (2000, 3000)]))
    assert (found.total_ns, found.recompiles, found.notes) == (200, 1, [])
    rows = [(row.name, row.compiler, row.calls, row.total_ns, row.in_steps) for row in found.rows]
    assert rows == [
        ("entire_frame_compile", "TorchDynamo", 2, 200, 1),
        ("inductor.compile_fx", "Inductor", 4, 140, 2),
    ]
    assert len(found.rows[1].slices) == 4
    assert [(each.start_ns, each.duration_ns, each.is_in_step) for each in found.compilations] == [
        (0, 100, False),
        (2100, 100, True),
    ]


def test_threads_that_compile_together_are_one_compilation() -> None:
    builder = TraceBuilder()
    main, worker = builder.track("main"), builder.track("XLA")
    builder.slice(main, 0, 40, "lower_sharding_computation", "")
    for start in (50, 500):
        builder.slice(main, start, 100, "backend_compile_and_load", "")
        builder.slice(worker, start + 10, 60, "PjRtCpuClient::Compile", "")
    found = find_compile(profile_of(builder, [(0, 1000)]))
    assert [(each.name, each.start_ns) for each in found.compilations] == [
        ("backend_compile_and_load", 50),
        ("backend_compile_and_load", 500),
    ]
    assert (found.recompiles, found.total_ns) == (2, 240)


@pytest.mark.parametrize("name", ["lower_sharding_computation", "TritonBundler.collect", "JitCompiler::Compile"])
def test_compiling_takes_as_long_as_in_the_breakdown_of_the_step(name: str) -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 40, name, "")
    builder.slice(main, 50, 100, "backend_compile_and_load", "")
    profile = profile_of(builder, [(0, 1000)])
    (step,) = profile.get(find_overview).steps
    assert find_compile(profile).total_ns == step.breakdown["compile"] == 140


def test_an_event_that_torch_writes_twice_counts_once() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 100, "build_guards", "cpu_op")
    builder.slice(main, 1, 98, "build_guards (dynamo_timed)", "cpu_op")
    builder.slice(main, 200, 50, "gc (dynamo_timed)", "cpu_op")
    found = find_compile(profile_of(builder, []))
    assert [row.name for row in found.rows] == ["build_guards", "gc (dynamo_timed)"]


def test_without_steps_nothing_is_a_recompilation() -> None:
    builder = TraceBuilder()
    builder.slice(builder.track("main"), 0, 9, "XlaCompile", "")
    found = find_compile(profile_of(builder, []))
    assert found.recompiles == 0 and "no steps" in found.notes[0]


def test_without_events_it_says_so() -> None:
    assert "no events of a compiler" in find_compile(profile_of(TraceBuilder(), [])).notes[0]
