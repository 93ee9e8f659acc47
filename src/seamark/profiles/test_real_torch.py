"""A real profile of torch.profiler: what the reader and the analyses find, against the file and torch's own table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch.profiler import ProfilerActivity, schedule
from torch.profiler import profile as torch_profile
from torch.utils.data import DataLoader, TensorDataset

import seamark
from seamark import cli
from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.compile import find_compile
from seamark.profiles.analyses.input_pipeline import find_input_pipeline
from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.operators import find_operators, find_operators_by_shapes
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.roofline import find_roofline
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.captures.find import find_captures
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.write.profile.sampler import Sampler

SKIPPED, RECORDED = 2, 4
# torch's tables have microseconds as floats.
ROUNDING_NS = 100


class Cnn(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3, padding=1), torch.nn.ReLU())
        self.head = torch.nn.Linear(4 * 8 * 8, 2)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(images).flatten(1))  # type: ignore[no-any-return]


class Recorded(NamedTuple):
    path: Path
    profile: Profile
    events: list[dict[str, Any]]  # of the file
    table: dict[str, Any]  # key_averages() by name


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    path = tmp_path_factory.mktemp("torch") / "worker.1700000000000.pt.trace.json"
    batches = SKIPPED + RECORDED
    data = TensorDataset(torch.rand(4 * batches, 3, 8, 8), torch.arange(4 * batches) % 2)
    model = Cnn()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    with torch_profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=1, warmup=1, active=RECORDED, repeat=1),
        on_trace_ready=lambda profile: profile.export_chrome_trace(str(path)),
        record_shapes=True,
        with_stack=True,
        profile_memory=True,
    ) as profiler:
        for images, labels in DataLoader(data, batch_size=4, num_workers=2):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(images), labels).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            profiler.step()
    table = {row.key: row for row in profiler.key_averages()}
    return Recorded(path, ProfileOpener(None).open(path), json.loads(path.read_bytes())["traceEvents"], table)


def nanoseconds(microseconds: float) -> int:
    return round(microseconds * 1000)


def test_steps_are_those_of_the_file(recorded: Recorded) -> None:
    marked = sorted(
        (int(event["name"].removeprefix("ProfilerStep#")), nanoseconds(event["dur"]))
        for event in recorded.events
        if event.get("name", "").startswith("ProfilerStep#") and event["ph"] == "X"
    )
    steps = recorded.profile.get(find_steps)
    assert steps.source == "profiler_step"
    assert [(step.number, step.duration_ns) for step in steps.steps] == marked
    assert [step.number for step in steps.steps] == list(range(SKIPPED, SKIPPED + RECORDED))
    assert "incomplete" not in {step.note for step in steps.steps}


def test_a_trace_with_stacks_has_no_problems(recorded: Recorded) -> None:
    """The call that begins a step or another annotation ends inside it: that is how torch records them."""
    assert recorded.profile.trace.problems == ()


def test_every_breakdown_sums_to_its_step(recorded: Recorded) -> None:
    overview = recorded.profile.get(find_overview)
    assert [sum(step.breakdown.values()) for step in overview.steps] == [step.duration_ns for step in overview.steps]
    assert all(min(step.breakdown.values()) >= 0 and step.breakdown["host_compute"] > 0 for step in overview.steps)
    environment = {entry.name: entry.value for entry in overview.environment}
    assert (environment["Framework"], environment["Recorded"]) == ("PyTorch", "shapes, stacks, memory")


def test_operators_are_those_of_the_file_and_of_torchs_table(recorded: Recorded) -> None:
    rows = {row.name: row for row in recorded.profile.get(find_operators).rows}
    calls = Counter(event["name"] for event in recorded.events if event.get("cat") == "cpu_op")
    assert {name: row.calls for name, row in rows.items()} == calls
    assert {"aten::conv2d", "aten::addmm", "aten::relu", "aten::nll_loss_forward"} <= rows.keys()
    for name, row in rows.items():
        expected = recorded.table[name]
        assert row.calls == expected.count, name
        assert row.self_ns == pytest.approx(expected.self_cpu_time_total * 1000, abs=ROUNDING_NS), name
        assert row.total_ns == pytest.approx(expected.cpu_time_total * 1000, abs=ROUNDING_NS), name


def test_operators_have_their_shapes(recorded: Recorded) -> None:
    shapes = {row.shapes for row in recorded.profile.get(find_operators_by_shapes).rows if row.name == "aten::conv2d"}
    assert len(shapes) == 1 and "4, 3, 8, 8" in shapes.pop()


def test_the_wait_for_the_data_loader_is_found(recorded: Recorded) -> None:
    found = recorded.profile.get(find_input_pipeline)
    assert len(found.wait_ns_per_step) == RECORDED and min(found.wait_ns_per_step) > 0
    assert found.stages[0].name.startswith("enumerate(DataLoader)#_MultiProcessingDataLoaderIter")
    assert sum(found.wait_counts) == found.stages[0].calls == RECORDED
    overview = recorded.profile.get(find_overview)
    assert [step.breakdown["input"] for step in overview.steps] == found.wait_ns_per_step


def test_modules_are_a_tree_of_layers(recorded: Recorded) -> None:
    modules = recorded.profile.get(find_modules)
    nodes = modules.tree.nodes
    parents = {node.name: nodes[node.parent].name if node.parent >= 0 else "" for node in nodes}
    assert modules.source == "nn.Module"
    assert parents == {
        "Cnn_0": "",
        "Sequential_0": "Cnn_0",
        "Conv2d_0": "Sequential_0",
        "ReLU_0": "Sequential_0",
        "Linear_0": "Cnn_0",
    }
    assert {node.calls for node in nodes} == {RECORDED}


def test_the_memory_curve_follows_the_events(recorded: Recorded) -> None:
    """torch's own totals begin with 0 and never go below, so that freeing what is older than the profile is lost."""
    events = sorted((event for event in recorded.events if event.get("name") == "[memory]"), key=lambda e: e["ts"])
    before, allocated, curve = 0, set[int](), [0]
    for event in events:
        size, address = event["args"]["Bytes"], event["args"]["Addr"]
        if size > 0:
            allocated.add(address)
        elif address not in allocated:
            before -= size
        curve.append(curve[-1] + size)
    memory = recorded.profile.get(find_memory)
    (found,) = memory.curves
    assert found.allocated == [before + total for total in curve[1:]]
    assert found.peak_bytes == before + max(curve[1:])
    assert found.peak_bytes >= max(event["args"]["Total Allocated"] for event in events)
    assert sum(row.bytes for row in memory.at_peak) == found.peak_bytes


def test_no_analysis_and_no_rule_fails(recorded: Recorded) -> None:
    profile = recorded.profile
    assert profile.get(find_kernels).rows == [] and profile.get(find_compile).rows == []
    assert any(row.name.startswith("aten::convolution [") for row in profile.get(find_roofline).rows)
    findings = findings_of_ranks([("", profile)], 0)
    assert findings.checked > 0
    for finding in findings.findings:
        assert 0 < finding.gain <= 1 and finding.evidence.count >= len(finding.evidence.slices) > 0


def test_the_command_prints_the_documented_json(recorded: Recorded, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profile", str(recorded.path), "--json", "--index_dir", "none"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {"steps", "mean", "operators", "kernels", "memory", "findings"} <= report.keys()
    assert {"name", "number", "start_ns", "duration_ns", "breakdown"} <= report["steps"][0].keys()
    times = {"self_ns", "total_ns", "device_self_ns", "device_total_ns"}
    assert {"name", "calls"} | times <= report["operators"][0].keys()
    assert {"curves", "at_peak", "operators", "leaks", "fragmentation"} <= report["memory"].keys()
    assert [step["number"] for step in report["steps"]] == list(range(SKIPPED, SKIPPED + RECORDED))


def newest(folder: Path) -> Profile:
    (capture,), is_cut = find_captures(folder)
    assert not is_cut and len(capture.hosts) == 1
    return ProfileOpener(None).open(folder / capture.hosts[0].path)


def test_a_block_profiled_with_torch_has_its_steps(tmp_path: Path) -> None:
    with seamark.profile(tmp_path, backend="torch", warmup=1, profile_memory=True) as recording:
        for step in range(4):
            if step:
                recording.step()
            torch.ones(64, 64) @ torch.ones(64, 64)
    profile = newest(tmp_path)
    steps = profile.get(find_steps)
    assert (steps.source, [step.number for step in steps.steps]) == ("profiler_step", [1, 2, 3])
    rows = {row.name: row for row in profile.get(find_operators).rows}
    assert rows["aten::matmul"].calls == 3, "the warm-up is not recorded"
    assert profile.get(find_memory).curves[0].peak_bytes >= 3 * 64 * 64 * 4


def spin_until(is_done: Callable[[], bool]) -> None:
    while not is_done():
        sum(range(1000))


def test_the_file_of_the_sampler_has_its_steps_and_functions(tmp_path: Path) -> None:
    sampler = Sampler(interval_secs=0.001)
    sampler.start()
    for step in range(4):
        if step:
            sampler.step()
        seen = sampler._samples
        spin_until(lambda seen=seen: sampler._samples > seen + 3)  # type: ignore[misc]
    sampler.stop()
    sampler.write(tmp_path / "worker.1700000000000.trace.json.gz")
    profile = newest(tmp_path)
    steps = profile.get(find_steps)
    assert (steps.source, [step.number for step in steps.steps]) == ("profiler_step", [0, 1, 2, 3])
    overview = profile.get(find_overview)
    assert [sum(step.breakdown.values()) for step in overview.steps] == [step.duration_ns for step in overview.steps]
    names, activities = profile.trace.names, profile.get(find_activities)
    spun = [index for index, entry in enumerate(names) if entry.text.endswith(": spin_until")]
    assert spun and all(activities[index] == Activity.PYTHON for index in spun)
    assert not profile.trace.problems
