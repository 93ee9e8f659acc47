"""Aim: a repository `.aim`, read with the package `aim`, which has to be installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seamark.format.types import SYSTEM_PREFIX
from seamark.porting.source import UNKNOWN_WALL, Payload, Progress, SourceError, SourceRun, as_step

if TYPE_CHECKING:
    from seamark.format.messages import Summary

SYSTEM = "__system__"


def runs(path: Path, progress: Progress) -> Iterator[SourceRun]:
    """Every run of the repository; `path` is the folder `.aim` or the one that holds it."""
    folder = path.parent if path.name == ".aim" else path
    if not (folder / ".aim").is_dir():
        raise SourceError(f"no repository of Aim (a folder .aim) in this folder: '{path}'")
    try:
        repo_class = import_module("aim").Repo
    except ImportError as error:
        raise SourceError(f"reading Aim's database needs its package ({error}); pip install aim") from None
    try:
        repo = repo_class(str(folder))
        identities = sorted(repo.list_all_runs())
    except Exception as error:  # a database raises many types
        raise SourceError(f"Aim cannot open its repository ({error}): '{folder}'") from None
    for done, identity in enumerate(identities):
        progress(done, len(identities))
        yield read_run(repo, identity)
    progress(len(identities), len(identities))


def read_run(repo: Any, identity: str) -> SourceRun:
    theirs = opened(repo, identity)
    attributes = dict(theirs[...])
    # Aim's own data about the machine and the packages.
    attributes.pop("__system_params", None)
    params = attributes.pop("hparams", None)
    known = {**attributes, **params} if isinstance(params, Mapping) else attributes
    name = theirs.name if theirs.name and theirs.name != f"Run: {identity}" else identity
    end = theirs.end_time
    run = SourceRun(
        source="aim",
        id=identity,
        name=f"{theirs.experiment}/{name}" if theirs.experiment else name,
        params=known,
        tags={"tags": ", ".join(theirs.tags)} if theirs.tags else {},
        labels=tuple(theirs.tags or ()),
        notes=theirs.description or "",
        status="running" if end is None else "finished",
        start=theirs.creation_time,
        end=UNKNOWN_WALL if end is None else end,
    )
    add_metrics(run, theirs)
    for dtypes, sequence, make in (
        (("aim.image", "list(aim.image)"), theirs.get_image_sequence, _images),
        (("aim.text",), theirs.get_text_sequence, _texts),
        (("aim.distribution",), theirs.get_distribution_sequence, _histogram),
    ):
        add_objects(run, theirs, dtypes, sequence, make)
    return run


def opened(repo: Any, identity: str) -> Any:
    """A run for reading.

    Aim looks runs up in an index that only its server keeps up to date. The run's own part of the database always has
    it, so what is asked of the index is asked of that.
    """
    ask = repo.request_tree if not hasattr(repo, "seamark_ask") else repo.seamark_ask
    repo.seamark_ask = ask
    repo.request_tree = lambda name, sub=None, **options: ask(name, sub or identity, **options)
    return import_module("aim").Run(identity, repo=repo, read_only=True)


def add_metrics(run: SourceRun, theirs: Any) -> None:
    odd_steps = 0
    for metric in theirs.metrics():
        points = run.points(tag_of(metric.name, metric.context.to_dict()))
        for step, (value, _, wall) in metric.data.items():
            whole = as_step(step)
            if whole is None:
                odd_steps += 1
            else:
                points.add(whole, float(wall), float(value))
    if odd_steps:
        run.remarks.append(f"{odd_steps:,} points have no whole number as their step and were left out")


def add_objects(
    run: SourceRun, theirs: Any, dtypes: tuple[str, ...], sequence: Any, make: Callable[[str, Any], Summary.Value]
) -> None:
    for name, context, _ in theirs.iter_sequence_info_by_type(dtypes):
        found = sequence(name, context)
        tag = tag_of(name, context.to_dict())
        for step, (value, _, wall) in found.data.items() if found is not None else ():
            whole = as_step(step)
            if whole is not None:
                run.payloads.append(Payload(tag, whole, float(wall), partial(make, tag, value)))


def tag_of(name: str, context: Mapping[str, Any]) -> str:
    """`loss` in the context {"subset": "train"} becomes `train/loss`; other parts of the context follow the name."""
    rest = dict(context)
    subset = rest.pop("subset", None)
    shown = f"{SYSTEM_PREFIX}{name.removeprefix(SYSTEM)}" if name.startswith(SYSTEM) else name
    above = f"{subset}/" if subset not in (None, "") else ""
    return above + " ".join([shown, *(f"{key}={value}" for key, value in sorted(rest.items()))])


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _images(tag: str, value: Any) -> Summary.Value:
    from seamark.kinds import image

    several = _several(value)
    captions = ", ".join(one.caption for one in several if one.caption)
    return image.encode_files(tag, [bytes(one.storage["data"]) for one in several], description=captions)


def _texts(tag: str, value: Any) -> Summary.Value:
    from seamark.kinds import text

    strings = [str(one.data) for one in _several(value)]
    return text.encode(tag, strings if len(strings) > 1 else strings[0])


def _histogram(tag: str, value: Any) -> Summary.Value:
    from seamark.kinds import histogram

    one = _several(value)[0]
    edges = np.asarray(one.ranges, np.float64)
    return histogram.encode_buckets(tag, np.column_stack([edges[:-1], edges[1:], np.asarray(one.weights, np.float64)]))
