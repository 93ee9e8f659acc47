"""What a library left in a log directory, read back with TensorBoard's own reader and put into comparable shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.util import tensor_util

from seamark.format import run_record
from seamark.format.run_record import RunRecord
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.cache.opening import ProfileOpener


@dataclass(frozen=True)
class Point:
    """One value of a summary: its run is a folder below the log directory, '.' for that itself."""

    run: str
    tag: str
    step: int
    plugin: str
    value: Any


def points(logdir: Path) -> Iterator[Point]:
    """Every value, run by run, in the order written. Older forms come out as tensors, as TensorBoard migrates them."""
    for path in sorted(Path(logdir).rglob("*tfevents*")):
        run = path.parent.relative_to(logdir).as_posix()
        plugins: dict[str, str] = {}
        for event in EventFileLoader(str(path)).Load():
            for value in event.summary.value:
                # Only a tag's first value has to carry the metadata.
                plugin = plugins.setdefault(value.tag, value.metadata.plugin_data.plugin_name)
                array = tensor_util.make_ndarray(value.tensor) if value.HasField("tensor") else None
                if plugin == "hparams":
                    array = value.metadata.plugin_data.content
                yield Point(run, value.tag, event.step, plugin, array)


def tags(logdir: Path, *, plugin: str | None = None) -> dict[str, set[str]]:
    """The tags of each run that has any; of one plugin, if named."""
    found: dict[str, set[str]] = {}
    for point in points(logdir):
        if plugin is None or point.plugin == plugin:
            found.setdefault(point.run, set()).add(point.tag)
    return found


def scalars(logdir: Path) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """run → tag → the (step, value) pairs in the order written."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for point in points(logdir):
        if point.plugin == "scalars":
            found.setdefault(point.run, {}).setdefault(point.tag, []).append((point.step, float(point.value)))
    return found


def kinds(logdir: Path) -> dict[tuple[str, str], tuple[str, list[int]]]:
    """(run, tag) → its plugin and its steps: what two loggers must agree on before any value is looked at."""
    found: dict[tuple[str, str], tuple[str, list[int]]] = {}
    for point in points(logdir):
        found.setdefault((point.run, point.tag), (point.plugin, []))[1].append(point.step)
    return found


def assert_same_scalars(
    ours: Path, theirs: Path, *, of_clock: tuple[str, ...] = (), once: tuple[str, ...] = ()
) -> None:
    """Same runs, tags, steps and values; of tags that hold one of `of_clock`, which measure time, only the steps.

    Of the tags in `once`, ours has only the first point.
    """
    got, want = scalars(ours), scalars(theirs)
    for series in want.values():
        series.update({tag: series[tag][:1] for tag in once if tag in series})
    assert {run: set(series) for run, series in got.items()} == {run: set(series) for run, series in want.items()}
    for run, series in want.items():
        for tag, expected in series.items():
            assert [step for step, _ in got[run][tag]] == [step for step, _ in expected], (run, tag)
            if not any(part in tag for part in of_clock):
                np.testing.assert_allclose(
                    [v for _, v in got[run][tag]], [v for _, v in expected], rtol=1e-5, err_msg=tag
                )


def texts(logdir: Path) -> dict[tuple[str, str], str]:
    found = {}
    for point in points(logdir):
        if point.plugin == "text":
            found[point.run, point.tag] = np.asarray(point.value).ravel()[0].decode()
    return found


def hparams(logdir: Path) -> dict[str, Mapping[str, Any]]:
    """run → the hyperparameters its session started with."""
    from tensorboard.plugins.hparams import plugin_data_pb2

    found: dict[str, Mapping[str, Any]] = {}
    for point in points(logdir):
        if point.tag == "_hparams_/session_start_info":
            data = plugin_data_pb2.HParamsPluginData.FromString(point.value)
            values = data.session_start_info.hparams
            found[point.run] = {name: getattr(value, value.WhichOneof("kind")) for name, value in values.items()}
    return found


def record(folder: Path) -> RunRecord:
    """What a run's run.json says."""
    return run_record.loads((folder / run_record.FILE_NAME).read_bytes())


def session_starts(logdir: Path) -> list[str]:
    """The runs that hyperparameters were written to, one entry for each time."""
    return [point.run for point in points(logdir) if point.tag == "_hparams_/session_start_info"]


def session_ends(logdir: Path) -> dict[str, str]:
    """run → how its session ended; what is written first counts."""
    from tensorboard.plugins.hparams import api_pb2, plugin_data_pb2

    found: dict[str, str] = {}
    for point in points(logdir):
        if point.tag == "_hparams_/session_end_info":
            data = plugin_data_pb2.HParamsPluginData.FromString(point.value)
            found.setdefault(point.run, api_pb2.Status.Name(data.session_end_info.status))
    return found


def hparam_metrics(logdir: Path) -> dict[str, set[str]]:
    """run → the metrics its experiment names."""
    from tensorboard.plugins.hparams import plugin_data_pb2

    found: dict[str, set[str]] = {}
    for point in points(logdir):
        if point.tag == "_hparams_/experiment":
            data = plugin_data_pb2.HParamsPluginData.FromString(point.value)
            found[point.run] = {info.name.tag for info in data.experiment.metric_infos}
    return found


def graph_runs(logdir: Path) -> set[str]:
    """The runs that hold a graph."""
    found = set()
    for path in sorted(Path(logdir).rglob("*tfevents*")):
        events = EventFileLoader(str(path)).Load()
        if any(
            v.tag == "__run_graph__" or v.metadata.plugin_data.plugin_name == "graphs"
            for e in events
            for v in e.summary.value
        ):
            found.add(path.parent.relative_to(logdir).as_posix())
    return found


def profiled_steps(trace: Path) -> list[int | None]:
    """The numbers of the steps in a profile."""
    return [step.number for step in ProfileOpener(None).open(trace).get(find_steps).steps]
