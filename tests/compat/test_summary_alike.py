"""seamark.summary beside the messages that TensorBoard's own functions make, and TensorBoard's reader on its files."""

from __future__ import annotations

import gzip
import json
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboard.backend.event_processing import event_file_loader
from tensorboard.compat.proto import summary_pb2
from tensorboard.plugins.histogram import summary_v2 as histogram_v2
from tensorboard.plugins.scalar import summary_v2 as scalar_v2
from tensorboard.plugins.text import summary_v2 as text_v2

from seamark import summary
from seamark.write.test_support import logged_warnings

RANDOM = np.random.default_rng(5)


def values_in(folder: Path) -> list[tuple[int, Any]]:
    """(step, value) as they lie in the files, before TensorBoard's reader brings old forms up to date."""
    found = []
    for path in sorted(folder.glob("*tfevents*")):
        for raw in event_file_loader.RawEventFileLoader(str(path)).Load():
            event = event_file_loader.event_pb2.Event.FromString(raw)
            found += [(event.step, value) for value in event.summary.value]
    return found


def tags_in(folder: Path) -> list[tuple[int, str]]:
    return [(step, value.tag) for step, value in values_in(folder)]


@pytest.mark.parametrize("number", [0.1, 3, np.float32(2.5), np.array(4.0), float("nan")])
@pytest.mark.parametrize("description", [None, "*why*"])
def test_scalars_are_tensorboards(number: Any, description: str | None, tmp_path: Path, read_equal: Any) -> None:
    with summary.create_file_writer(tmp_path).as_default():
        assert summary.scalar("s", number, step=3, description=description)
    ((step, value),) = values_in(tmp_path)
    theirs = scalar_v2.scalar_pb("s", float(number), description=description).value[0]
    assert step == 3
    assert value.SerializeToString() == theirs.SerializeToString()
    assert read_equal(tmp_path) == {"scalars"}


@pytest.mark.parametrize("data", [RANDOM.normal(size=(40, 5)), [3.0, 3.0], [], np.arange(9)])
@pytest.mark.parametrize("buckets", [None, 7])
def test_histograms_are_tensorboards(data: Any, buckets: int | None, tmp_path: Path, read_equal: Any) -> None:
    with summary.create_file_writer(tmp_path).as_default():
        summary.histogram("h", data, step=1, buckets=buckets, description="d")
    ((_, value),) = values_in(tmp_path)
    theirs = histogram_v2.histogram_pb("h", data, buckets=buckets, description="d").value[0]
    assert value.SerializeToString() == theirs.SerializeToString()
    assert read_equal(tmp_path) == {"histograms"}


@pytest.mark.parametrize("words", ["**a**", ["a", "ü"], [["a", "b"], ["c", "d"]], np.array(["x"])])
def test_texts_are_tensorboards(words: Any, tmp_path: Path, read_equal: Any) -> None:
    with summary.create_file_writer(tmp_path).as_default():
        summary.text("t", words, step=1)
    ((_, value),) = values_in(tmp_path)
    assert value.SerializeToString() == text_v2.text_pb("t", words).value[0].SerializeToString()
    assert read_equal(tmp_path) == {"text"}


def test_pictures_and_sounds_are_read_and_at_most_max_outputs_of_them(
    tmp_path: Path, ours_of: Any, read_equal: Any
) -> None:
    with summary.create_file_writer(tmp_path).as_default(step=2):
        summary.image("i", RANDOM.random((5, 4, 6, 3)))
        summary.image("one", RANDOM.integers(0, 255, (5, 4, 6, 1)).astype(np.uint8), max_outputs=1)
        summary.audio("a", RANDOM.uniform(-1, 1, (4, 100, 2)), 8000, max_outputs=2)
    assert read_equal(tmp_path) == {"images", "audio"}
    decoded = {series.tag: next(iter(series.decoded())) for series in ours_of(tmp_path)}
    assert [len(decoded[tag].images) for tag in ("i", "one")] == [3, 1]
    assert (decoded["i"].width, decoded["i"].height) == (6, 4)
    assert len(decoded["a"].clips) == 2


def test_tensors_with_somebodys_metadata(tmp_path: Path, read_equal: Any) -> None:
    about = summary_pb2.SummaryMetadata(plugin_data={"plugin_name": "mine", "content": b"c"}, display_name="shown")
    with summary.create_file_writer(tmp_path).as_default():
        summary.write("t", np.arange(6.0).reshape(2, 3), step=1, metadata=about)
        summary.experimental.write_raw_pb(scalar_v2.scalar_pb("raw", 1.0).SerializeToString(), step=2)
    (_, value), (_, raw) = values_in(tmp_path)
    assert value.metadata == about
    assert raw == scalar_v2.scalar_pb("raw", 1.0).value[0]
    read_equal(tmp_path)


def test_without_a_default_writer_nothing_happens() -> None:
    assert not summary.should_record_summaries()
    assert not summary.scalar("s", 1.0, step=1)
    assert not summary.image("i", np.zeros((1, 2, 2, 3)))
    summary.flush()


def test_a_step_is_needed_and_may_be_set_once(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path).as_default():
        with pytest.raises(ValueError, match="no step"):
            summary.scalar("s", 1.0)
        summary.experimental.set_step(7)
        summary.scalar("s", 1.0)
        summary.scalar("s", 1.0, step=np.int64(9))
        assert summary.experimental.get_step() == 7
        summary.experimental.set_step(None)
    assert [step for step, _ in values_in(tmp_path)] == [7, 9]


def test_writers_nest_and_steps_with_them(tmp_path: Path) -> None:
    outer, inner = (summary.create_file_writer(tmp_path / name) for name in ("outer", "inner"))
    with outer.as_default(step=1):
        summary.scalar("a", 1.0)
        with inner.as_default(step=2):
            summary.scalar("b", 1.0)
        with summary.create_noop_writer().as_default():
            assert not summary.scalar("silent", 1.0)
        summary.scalar("c", 1.0)
    assert not summary.scalar("d", 1.0, step=3)
    assert tags_in(tmp_path / "outer") == [(1, "a"), (1, "c")]
    assert tags_in(tmp_path / "inner") == [(2, "b")]


def test_recording_may_depend_on_a_condition(tmp_path: Path) -> None:
    step = 0
    with summary.create_file_writer(tmp_path).as_default(), summary.record_if(lambda: step % 2 == 0):
        for step in range(4):
            assert summary.scalar("s", 1.0, step=step) == (step % 2 == 0)
        with summary.record_if(False):
            assert not summary.should_record_summaries()
        assert not summary.should_record_summaries()  # step is 3
    assert [step for step, _ in values_in(tmp_path)] == [0, 2]


def test_a_default_writer_is_its_threads_own(tmp_path: Path) -> None:
    seen = []
    with summary.create_file_writer(tmp_path).as_default():
        thread = threading.Thread(target=lambda: seen.append(summary.should_record_summaries()))
        thread.start()
        thread.join()
        assert summary.should_record_summaries()
    assert seen == [False]


def test_a_default_set_for_good(tmp_path: Path) -> None:
    def program() -> None:
        writer = summary.create_file_writer(tmp_path, flush_millis=10, filename_suffix=".mine")
        writer.init()
        writer.set_as_default(step=4)
        summary.scalar("s", 1.0)
        writer.close()
        assert writer.dropped == 0

    thread = threading.Thread(target=program)
    thread.start()
    thread.join()
    assert tags_in(tmp_path) == [(4, "s")]
    assert [path.suffix for path in tmp_path.iterdir()] == [".mine"]


@pytest.mark.parametrize(
    "call", [lambda: summary.image("i", np.zeros((2, 2, 3)), 1), lambda: summary.audio("a", [0.0], 8, 1)]
)
def test_a_batch_of_the_wrong_rank_is_refused(call: Any, tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path).as_default(), pytest.raises(ValueError, match="dimensions"):
        call()


def test_a_profile_by_torch(tmp_path: Path) -> None:
    import torch

    with summary.create_file_writer(tmp_path).as_default(step=3):
        summary.trace_on(profiler=True)
        torch.ones(10, 10) @ torch.ones(10, 10)
        with logged_warnings("running already"):
            summary.trace_on(profiler=True)
        summary.trace_export("profile")
        summary.trace_on(profiler=True)
        summary.trace_off()
        summary.trace_export("nothing to export")
    (path,) = (tmp_path / "plugins" / "profile").glob("*/*.trace.json.gz")
    names = {event.get("name") for event in json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]}
    assert "aten::matmul" in names
    assert tags_in(tmp_path) == [(3, "profile")]


def test_a_program_without_a_framework_is_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "jax", "tensorflow"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with summary.create_file_writer(tmp_path).as_default():
        summary.trace_on(profiler=True)
        summary.trace_export("p", step=1)
    assert list((tmp_path / "plugins" / "profile").glob("*/*.trace.json.gz"))
    assert tags_in(tmp_path) == [(1, "p")]
