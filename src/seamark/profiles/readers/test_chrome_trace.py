"""Chrome traces through the native reader: the same numbers as in the text, and what is wrong in a sentence."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from seamark.profiles.analyses.operators import find_operators_by_shapes
from seamark.profiles.arguments import read_arguments
from seamark.profiles.form import ProfileError, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.readers.chrome_trace import read_chrome_trace
from seamark.profiles.testing_events import (
    Event,
    json_of,
    kernel_event,
    launch_event,
    profile_of,
    slice_event,
    stream_names,
    trace_in_memory,
    trace_of,
    trace_of_json,
)
from seamark.profiles.trace_page.slice_details import argument_rows


def nested_events(count: int = 50) -> list[Event]:
    """Operators with two operators each inside."""
    events: list[Event] = []
    for number in range(count):
        start = number * 1000
        events += [
            slice_event(f"aten::inner_{number % 3}", start + 100, 200) | {"args": {"External id": number}},
            slice_event("aten::outer", start, 900) | {"args": {"Input Dims": [[number, 2]]}},
            slice_event("aten::inner_0", start + 400, 300),
        ]
    return events


def read_file(path: Path) -> tuple[Trace, int]:
    """The trace with its arguments in memory, and the bytes that were reported last."""
    arguments, seen = io.BytesIO(), [0]
    read = read_chrome_trace(path, arguments=arguments, progress=seen.append)
    return trace_in_memory(read, arguments.getvalue()), seen[-1]


def test_slices_nest_and_know_what_they_contain() -> None:
    trace = trace_of(nested_events(2))
    assert [trace.text(slice) for slice in range(trace.slices)] == [
        "aten::outer",
        "aten::outer",
        "aten::inner_0",
        "aten::inner_0",
        "aten::inner_1",
        "aten::inner_0",
    ]
    assert trace.parent.tolist() == [-1, -1, 0, 0, 1, 1]
    assert trace.self_time.tolist() == [400, 400, 200, 300, 200, 300]
    assert trace.row_start.tolist() == [0, 2, 6]
    assert trace.fields["External id"].values.tolist() == [0, 1]
    assert trace.fields["External id"].indices.tolist() == [2, 4]


def test_times_of_today_are_exact_to_the_nanosecond() -> None:
    text = b'[{"ph":"X","ts":1763000000123456.789,"dur":0.001},{"ph":"X","ts":1763000000123456.790,"dur":1}]'
    trace = trace_of_json(text)
    assert trace.origin_ns == 1_763_000_000_123_456_789
    assert trace.start.tolist() == [0, 1] and trace.duration.tolist() == [1, 1000]


def test_the_base_time_of_torch_is_added() -> None:
    relative = trace_of([slice_event("a", 5, 1)], {"baseTimeNanoseconds": 1_700_000_000_000_000_000})
    assert relative.origin_ns == 1_700_000_000_000_000_005
    absolute = trace_of([{"ph": "X", "ts": 1_700_000_000_000_000}], {"baseTimeNanoseconds": 1_600_000_000_000_000_000})
    assert absolute.origin_ns == 1_700_000_000_000_000_000


def test_devices_are_streams_with_their_number() -> None:
    labels = {"ph": "M", "name": "process_labels", "pid": 2, "tid": 0, "args": {"labels": "GPU 2"}}
    trace = trace_of([labels, *stream_names(2, 7), kernel_event("k", 10, 5, device=2), slice_event("a", 0, 9)])
    stream = next(track for track in trace.tracks if track.is_device)
    assert (stream.type, stream.name, stream.process, stream.device) == ("stream", "stream 7", "GPU 2", 2)
    host = next(track for track in trace.tracks if not track.is_device)
    assert (host.type, host.name, host.device) == ("thread", "thread 100", -1)


def test_a_launch_leads_to_its_kernel() -> None:
    arrow = {"cat": "ac2g", "name": "ac2g", "id": 5}
    events = [
        launch_event(100, 50, 5),
        kernel_event("k", 300, 40, 5),
        {"ph": "s", "pid": 100, "tid": 100, "ts": 0.1, **arrow},
        {"ph": "f", "pid": 0, "tid": 7, "ts": 0.3, "bp": "e", **arrow},
    ]
    trace = trace_of(events)
    (start,), (end,) = trace.flow_from.tolist(), trace.flow_to.tolist()
    assert (trace.text(start), trace.text(end)) == ("cudaLaunchKernel", "k")


def test_counters_and_memory_events() -> None:
    memory = {"Addr": 4096, "Bytes": -512, "Total Allocated": 0, "Device Type": 0, "Device Id": -1}
    events = [
        {"ph": "C", "name": "memory", "pid": 1, "ts": 2, "args": {"allocated": 7}},
        {"ph": "C", "name": "memory", "pid": 1, "ts": 1, "args": {"allocated": 5}},
        {"ph": "C", "name": "queue", "pid": 1, "ts": 1, "args": {"value": 0.5}},
        {"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 3, "args": memory},
    ]
    trace = trace_of(events)
    first, second = trace.counters
    assert (first.name, first.unit, second.name) == ("memory: allocated", "bytes", "queue")
    assert trace.counter_times.tolist() == [0, 1000, 0] and trace.counter_values.tolist() == [5, 7, 0.5]
    assert trace.instant_time.tolist() == [2000] and trace.names[int(trace.instant_name[0])].text == "[memory]"
    assert trace.instant_fields["Bytes"].values.tolist() == [-512]


@pytest.mark.parametrize("is_compressed", [False, True])
def test_arguments_are_read_on_request(tmp_path: Path, is_compressed: bool) -> None:
    text = json_of(nested_events(3))
    path = tmp_path / "a.pt.trace.json"
    path.write_bytes(gzip.compress(text) if is_compressed else text)
    trace, seen = read_file(path)
    assert seen == path.stat().st_size
    found = read_arguments(Profile(trace, path), range(trace.slices))
    assert found[:3] == [{"Input Dims": [[number, 2]]} for number in range(3)] and found[4] == {}


def test_arguments_that_strict_json_forbids() -> None:
    text = b'[{"ph":"X","ts":1,"args":{"a":NaN,"b":"x\xff"}},{"ph":"X","ts":2,"args":{"a":[}}]'
    trace = trace_of_json(text)
    (arguments,) = read_arguments(Profile(trace, Path()), [0])
    assert np.isnan(arguments["a"]) and arguments["b"] == "x\ufffd"
    odd = Profile(trace_of_json(b'[{"ph":"X","ts":1,"args":{"a":none}}]'), Path())
    assert argument_rows(odd, 0)[0].value.startswith("cannot be read: they are malformed")


@pytest.mark.parametrize("depth", [400, 980, 100_000])
def test_values_inside_values(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    event = f'{{"ph":"X","ts":1,"dur":1,"cat":"cpu_op","name":"a","args":{{"Input Dims":{deep}}}}}'
    profile = Profile(trace_of_json(f'{{"deep":{deep},"traceEvents":[{event}]}}'.encode()), Path())
    (row,) = argument_rows(profile, 0)
    assert row.value[:20] in (deep[:20], "cannot be read: they")
    assert [found.name for found in profile.get(find_operators_by_shapes).rows] == ["a"]


def test_members_beside_the_events_are_metadata() -> None:
    properties = [{"id": 0, "name": "A100"}]
    trace = trace_of(nested_events(1), {"deviceProperties": properties, "traceName": 'a"b\n'})
    assert trace.metadata == {"deviceProperties": properties, "traceName": 'a"b\n'}


# Bad input: what can be read is shown, and a sentence says what cannot.


def test_a_trace_that_is_cut(tmp_path: Path) -> None:
    text = json_of(nested_events())
    trace = trace_of_json(text[: len(text) // 2])
    assert 60 <= trace.slices < 100
    sentence = "the trace ends early: the file is cut off; the {} before that {} shown"
    assert trace.problems == (sentence.format(f"{trace.slices} events", "are"),)
    assert trace_of_json(b'{"traceEvents": [{"ph":"X","ts":1},{').problems == (sentence.format("event", "is"),)
    assert trace_of_json(b'[{"ph":').problems == ("the trace ends early: the file is cut off; it has no whole event",)


def test_gzip_that_is_cut_or_damaged(tmp_path: Path) -> None:
    compressed = gzip.compress(json_of(nested_events(2000)), 1)
    path = tmp_path / "a.json.gz"
    path.write_bytes(compressed[: len(compressed) // 2])
    trace, _ = read_file(path)
    assert trace.slices > 1000
    before = f"the {trace.slices:,} events before that are shown"
    assert trace.problems == (f"the trace ends early: the compressed file is cut off; {before}",)
    damaged = bytearray(compressed)
    damaged[len(damaged) // 2 : len(damaged) // 2 + 200] = bytes(200)
    path.write_bytes(damaged)
    trace, _ = read_file(path)
    assert trace.slices > 1000
    assert trace.problems[0].startswith("the trace ends early: its compressed data is damaged; the ")
    path.write_bytes(compressed[:12])
    with pytest.raises(ProfileError, match=r"^this is not JSON; the compressed file is cut off$"):
        read_file(path)


def test_gzip_of_several_members(tmp_path: Path) -> None:
    text = json_of(nested_events())
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(text[:1000]) + gzip.compress(text[1000:]) + bytes(512))
    trace, _ = read_file(path)
    assert trace.slices == 150 and trace.problems == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "this is not JSON"),
        (b"\x89PNG", "this is not JSON"),
        (b'{"nodes": []}', "this JSON has no traceEvents"),
        (b'{"traceEv', "this JSON has no traceEvents; the file is cut off"),
    ],
)
def test_what_is_no_trace(text: bytes, sentence: str) -> None:
    with pytest.raises(ProfileError, match=f"^{sentence}$"):
        trace_of_json(text)


def test_events_out_of_order_give_the_same_trace() -> None:
    events = nested_events()
    ordered, mixed = trace_of(events), trace_of(events[::-1])
    assert ordered.start.tolist() == mixed.start.tolist() and ordered.parent.tolist() == mixed.parent.tolist()


def test_negative_durations_become_zero() -> None:
    trace = trace_of([slice_event("a", 0, -5), slice_event("b", 10, 5)])
    assert trace.duration.tolist() == [0, 5]
    assert trace.problems == ("1 slice has a negative duration: it is shown with a duration of 0",)


def test_impossible_durations_become_zero() -> None:
    trace = trace_of_json(b'[{"ph":"X","ts":1,"dur":NaN},{"ph":"X","ts":2,"dur":1e30},{"ph":"X","ts":3,"dur":1}]')
    assert trace.duration.tolist() == [0, 0, 1000]
    assert trace.problems == ("2 slices have impossible durations: they are shown with a duration of 0",)


def test_slices_of_a_thread_that_overlap_are_on_several_rows() -> None:
    trace = trace_of([slice_event("a", number * 50_000, 80_000) for number in range(10)])
    assert trace.tracks[0].rows == 2
    assert trace.problems == ("5 slices overlap others of their track without nesting: they are on deeper rows",)
    for row in range(2):
        slices = slice(*trace.row_start[row : row + 2])
        assert (trace.start[slices][1:] >= trace.end[slices][:-1]).all()


def test_a_clock_of_64_bits_that_wraps() -> None:
    before, after = (2**64 - 2000) / 1000, 0.5
    text = f'[{{"ph":"X","ts":{before:.3f},"dur":1}},{{"ph":"X","ts":{after},"dur":1}}]'
    exact = text.replace(f"{before:.3f}", "18446744073709549.616")
    trace = trace_of_json(exact.encode())
    assert trace.start.tolist() == [0, 2500] and trace.problems == ()


def test_a_clock_that_wraps_as_python_writes_it() -> None:
    """Python writes floats from 1e16 on with an exponent."""
    events = [slice_event("a", 0, 3000) | {"ts": 1.844674407370955e16}, slice_event("b", 500, 1000)]
    assert b'"ts":1.844674407370955e+16' in json.dumps(events, separators=(",", ":")).encode()
    trace = trace_of_json(json.dumps(events).encode())
    assert trace.start.tolist() == [0, 2**64 - 18446744073709550000 + 500] and trace.problems == ()


def test_events_that_are_no_objects_are_counted() -> None:
    event = json.dumps(slice_event("a", 0, 9))
    trace = trace_of_json(f'{{"traceEvents": [1, "x", null, [{event}], {event}, true]}}'.encode())
    assert trace.slices == 1
    assert trace.problems == ("5 events are not JSON objects and are left out",)


def test_events_without_names_times_and_threads() -> None:
    trace = trace_of([{"ph": "X", "ts": 1, "dur": 2}, {"ph": "X", "name": "a"}, {}, {"name": "b", "ts": 5}])
    assert trace.slices == 1 and trace.text(0) == ""
    assert trace.problems == ("1 event has no time and is left out",)


def test_many_threads() -> None:
    trace = trace_of([{"ph": "X", "pid": 1, "tid": tid, "ts": tid, "dur": 1} for tid in range(100_000)])
    assert len(trace.tracks) == 100_000 and trace.slices == 100_000
    assert trace.tracks[99_999].tid == "99999"


def test_long_names_and_html() -> None:
    trace = trace_of([slice_event("é" * 500_000, 0, 9), slice_event("<img src=x onerror=alert(1)>", 1, 2)])
    assert len(trace.text(0)) == 8192 and trace.text(0) == "é" * 8192
    assert trace.text(1) == "<img src=x onerror=alert(1)>"
    assert trace.problems == ("1 name is cut: it is very long",)


def test_names_that_are_not_utf8() -> None:
    assert trace_of_json(b'[{"ph":"X","ts":1,"name":"a\xff\\ud800"}]').text(0) == "a\ufffd\ufffd"


def test_json_that_is_damaged_in_the_middle() -> None:
    text = json_of(nested_events()).replace(b'"ph":"X"', b'"ph":X"', 1)
    trace = trace_of_json(text)
    assert trace.problems and trace.slices < 150


def test_as_python_reads_it() -> None:
    """Sums over all events, against Python's JSON reader."""
    events = nested_events(500)
    document = json.loads(json_of(events))
    trace = profile_of(events).trace
    assert trace.duration.sum() == round(sum(event["dur"] for event in document["traceEvents"]) * 1000)
    assert len(trace.names) == len({event["name"] for event in document["traceEvents"]})
    assert trace.self_time.sum() == trace.duration[trace.depth == 0].sum()


def test_memory_does_not_grow_with_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    event = json.dumps(slice_event("a", 0, 1, text="x" * 100_000)).encode()
    path.write_bytes(gzip.compress(b"[" + b",".join([event] * 1000) + b"]", 1))
    tracemalloc.start()
    try:
        with (tmp_path / "arguments").open("wb") as arguments:
            read_chrome_trace(path, arguments=arguments, progress=lambda _: None)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()
