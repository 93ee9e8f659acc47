"""Compares a corpus of event files, as read by the core and the kinds, with the expectations for each file.

A corpus is a folder with MANIFEST.tsv (columns `file` and `expected`, among others) and the JSON files it names.
"""

import argparse
import csv
import hashlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark import _core
from seamark.format.types import Form
from seamark.kinds import decode
from seamark.kinds.audio import AudioClips
from seamark.kinds.graph import RUN_GRAPH_TAG, Graph
from seamark.kinds.histogram import Histogram
from seamark.kinds.hparams import Experiment, SessionEnd, SessionStart
from seamark.kinds.image import Images, size_of
from seamark.kinds.keras_model import KerasModel
from seamark.kinds.kind import kind_of
from seamark.kinds.run_metadata import RunProfile
from seamark.kinds.text import Text

RELATIVE_TOLERANCE = 1e-9
# Kinds that TensorBoard's data provider does not list, so no expectation mentions them.
UNLISTED_KINDS = {"meta_graph", "session_log", "log_message"}


@dataclass
class FileSeries:
    """One series of one file: scalars have values, everything else payloads."""

    kind: str
    tag: str
    form: Form
    metadata: bytes
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64] | None = None
    payloads: list[bytes] = field(default_factory=list)

    def decoded(self) -> list[Any]:
        return [decode(self.kind, data, form=self.form, metadata=self.metadata) for data in self.payloads]


@dataclass
class FileContents:
    series: list[FileSeries]
    events: int
    file_version: str
    consumed: int
    problems: list[tuple[int, int, int, int, int]]


def read_event_file(path: Path) -> FileContents:
    """Reads all series of an event file with the core's scanner."""
    data = path.read_bytes()
    scanner = _core.Scanner()
    stripes, consumed = [], 0
    while True:
        result = scanner.scan(memoryview(data)[consumed:], consumed)
        consumed += result.consumed
        stripe = scanner.take_stripe()
        if stripe is not None:
            stripes.append(_core.Stripe(stripe, verify=True))
        if result.status != _core.SCAN_FULL:
            break
    known = scanner.series()
    series = list(_series_in(_core.Stripe(_core.merge_stripes(stripes)), known, data)) if stripes else []
    return FileContents(series, scanner.events, scanner.file_version.decode(), consumed, scanner.take_problems())


def _series_in(stripe: Any, known: list[tuple[bytes, int, bytes]], data: bytes) -> Iterator[FileSeries]:
    def named(series_id: int) -> tuple[str, str, Form, bytes]:
        tag, form, metadata = known[series_id]
        return kind_of(Form(form), metadata), tag.decode(errors="surrogateescape"), Form(form), metadata

    steps, walls, values = stripe.scalars()
    for series_id, start, count in zip(*stripe.scalar_groups(), strict=True):
        rows = slice(int(start), int(start + count))
        yield FileSeries(*named(int(series_id)), steps[rows], walls[rows], values=values[rows])
    steps, walls, offsets, lengths = stripe.payloads()
    for series_id, start, count in zip(*stripe.payload_groups(), strict=True):
        rows = slice(int(start), int(start + count))
        spans = zip(offsets[rows].tolist(), lengths[rows].tolist(), strict=True)
        payloads = [data[offset : offset + length] for offset, length in spans]
        yield FileSeries(*named(int(series_id)), steps[rows], walls[rows], payloads=payloads)


def compare(path: Path, expected: dict[str, Any]) -> list[str]:
    """A sentence for each difference."""
    contents = read_event_file(path)
    found: list[str] = []
    _want(found, "events", contents.events, expected["events"])
    _want(found, "consumed bytes", contents.consumed, expected["framing"]["good_bytes"])
    _want(found, "problems", contents.problems, [])
    _want(found, "file version", contents.file_version or None, expected["file_version"])
    ours = {
        (one.kind, RUN_GRAPH_TAG if one.form is Form.GRAPH_DEF else one.tag): one
        for one in contents.series
        if one.kind not in UNLISTED_KINDS
    }
    wanted = {(tag["plugin"], tag["tag"]): tag for tag in expected["tags"]}
    _want(found, "series", sorted(ours), sorted(wanted))
    for name in ours.keys() & wanted.keys():
        _compare_series(found, f"{name[0]} {name[1]!r}", ours[name], wanted[name])
    return found


def _compare_series(found: list[str], name: str, ours: FileSeries, want: dict[str, Any]) -> None:
    steps = ours.steps
    _want(found, f"{name} points", len(steps), want["n"])
    if len(steps) == 0:
        return
    back, repeated = int((np.diff(steps) < 0).sum()), int((np.diff(steps) == 0).sum())
    for key, got in {
        "first_step": int(steps[0]),
        "last_step": int(steps[-1]),
        "steps_min": int(steps.min()),
        "steps_max": int(steps.max()),
        "wall_first": float(ours.walls[0]),
        "wall_last": float(ours.walls[-1]),
        "steps_backwards": back,
        "steps_repeated": repeated,
        **_facts(ours),
    }.items():
        if key in want:
            _want(found, f"{name} {key}", got, want[key])
        elif key in ("scalar", "first", "last", "graph", "keras_model", "run_metadata", "hparams"):
            found.append(f"{name} {key}: got {got!r}, want nothing")
    for key in want.keys() - _facts(ours).keys() - _COMPARED:
        found.append(f"{name} {key} is expected but not compared: {str(want[key])[:100]}")


_COMPARED = {
    *("plugin", "tag", "data_class", "n", "first_step", "last_step", "steps_min", "steps_max"),
    *("wall_first", "wall_last", "steps_backwards", "steps_repeated", "shapes", "dtypes"),
}


def _facts(ours: FileSeries) -> dict[str, Any]:
    """The content of a series, in the form of the expectations."""
    if ours.values is not None:
        return {"scalar": _scalar_facts(ours.values)}
    decoded = ours.decoded()
    first, last = decoded[0], decoded[-1]
    match first:
        case Histogram():
            total = sum(float(one.count.sum()) for one in decoded)
            return {"first": _histogram_facts(first), "last": _histogram_facts(last), "sum_counts_all": total}
        case Images():
            total = sum(len(one.images) for one in decoded)
            return {"first": _image_facts(first), "last": _image_facts(last), "images_total": total}
        case Text():
            return {"first": _text_facts(first), "last": _text_facts(last)}
        case Graph():
            return {"graph": [_graph_facts(one, len(data)) for one, data in zip(decoded, ours.payloads, strict=True)]}
        case KerasModel():
            return {"keras_model": _keras_facts(last)}
        case RunProfile():
            return {"run_metadata": _profile_facts(last)}
        case Experiment() | SessionStart() | SessionEnd():
            return {"hparams": _hparams_facts(last)}
        case AudioClips():
            return {"clips_total": sum(len(one.clips) for one in decoded)}
    return {}


def _scalar_facts(values: NDArray[np.float64]) -> dict[str, Any]:
    finite = values[np.isfinite(values)]
    return {
        "points": len(values),
        "nan": int(np.isnan(values).sum()),
        "inf": int(np.isinf(values).sum()),
        "sum_finite": float(finite.sum()),
        "min": float(finite.min()) if finite.size else None,
        "max": float(finite.max()) if finite.size else None,
        "first": float(values[0]),
        "last": float(values[-1]),
    }


def _histogram_facts(one: Histogram) -> dict[str, Any]:
    empty = len(one.buckets) == 0
    return {
        "buckets": len(one.buckets),
        "left": None if empty else float(one.left[0]),
        "right": None if empty else float(one.right[-1]),
        "count": float(one.count.sum()),
    }


def _image_facts(one: Images) -> dict[str, Any]:
    return {
        "w": str(one.width),
        "h": str(one.height),
        "encoded": [[item.mime.removeprefix("image/"), *(size_of(item.data) or ())] for item in one.images],
        "sha1": [hashlib.sha1(item.data).hexdigest() for item in one.images],
    }


def _text_facts(one: Text) -> dict[str, Any]:
    strings = one.strings.ravel().tolist()
    return {
        "shape": list(one.strings.shape),
        "text": strings,
        "chars": sum(len(string) for string in strings),
    }


def _graph_facts(one: Graph, size: int) -> dict[str, Any]:
    names = [node.name for node in one.message.node]
    return {
        "bytes": size,
        "nodes": one.nodes,
        "functions": one.functions,
        "function_nodes": one.function_nodes,
        "ops_distinct": len(one.ops),
        "producer": one.producer,
        "name_scopes_top": len({name.split("/")[0] for name in names}),
        "max_depth": max((name.count("/") + 1 for name in names), default=0),
    }


def _keras_facts(one: KerasModel) -> dict[str, Any]:
    return {
        "class_name": one.class_name,
        "name": one.name,
        "layers": one.layers,
        "keras_version": one.keras_version,
        "chars": len(one.text),
    }


def _profile_facts(one: RunProfile) -> dict[str, Any]:
    return {
        "bytes": one.message.ByteSize(),
        "devices": len(one.devices),
        "node_stats": one.node_stats,
        "partition_graphs": one.partition_graphs,
        "function_graphs": one.function_graphs,
    }


def _hparams_facts(one: Experiment | SessionStart | SessionEnd) -> dict[str, Any]:
    match one:
        case Experiment():
            return {
                "kind": "experiment",
                "hparam_infos": [info.name for info in one.hparams],
                "metric_infos": [[info.group, info.tag] for info in one.metrics],
            }
        case SessionStart():
            return {"kind": "session_start_info", "hparams": dict(one.hparams)}
        case SessionEnd():
            return {"kind": "session_end_info", "status": int(one.status)}


def _want(found: list[str], what: str, got: Any, want: Any) -> None:
    if not _agree(got, want):
        found.append(f"{what}: got {str(got)[:300]}, want {str(want)[:300]}")


def _agree(got: Any, want: Any) -> bool:
    if isinstance(want, dict) and isinstance(got, dict):
        return got.keys() == want.keys() and all(_agree(got[key], want[key]) for key in want)
    if isinstance(want, list | tuple) and isinstance(got, list | tuple):
        return len(got) == len(want) and all(_agree(a, b) for a, b in zip(got, want, strict=True))
    if isinstance(want, str) and isinstance(got, float):  # "NaN", "Infinity"
        return got == float(want) or (math.isnan(got) and math.isnan(float(want)))
    if isinstance(want, float) and isinstance(got, float | int):
        same = math.isclose(got, want, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-12)
        return same or (math.isnan(got) and math.isnan(want))
    if isinstance(want, str) and isinstance(got, str) and len(want) < len(got):
        return len(want) >= 400 and got.startswith(want)  # long texts are truncated in the expectations
    return bool(got == want)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="folder with MANIFEST.tsv")
    parser.add_argument("-v", "--verbose", action="store_true", help="also name the files that pass")
    arguments = parser.parse_args()
    manifest = arguments.corpus / "MANIFEST.tsv"
    if not manifest.is_file():
        print(f"there is no corpus: '{manifest}'", file=sys.stderr)
        return 2
    passed = failed = 0
    with manifest.open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["expected"]]
    for row in rows:
        expected = json.loads((arguments.corpus / row["expected"]).read_text())
        found = compare(arguments.corpus / row["file"], expected)
        passed, failed = passed + (not found), failed + bool(found)
        if found or arguments.verbose:
            print(f"{'FAIL' if found else 'pass'} {row['expected']} '{row['file']}'")
        for line in found[:20]:
            print(f"     {line}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
