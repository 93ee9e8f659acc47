"""One run before merging, and the record made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from seamark.compare.record.config_files import RunFiles
from seamark.compare.record.flatten import Scalar, flattened, without_respelled
from seamark.compare.record.merging import curve_name
from seamark.compare.record.record import Record
from seamark.compare.record.run_session import RunSession, are_all_in
from seamark.format.types import RunName, Tag
from seamark.store import RunInfo

ENDED = {1: "finished", 2: "crashed", 3: "running"}  # by kinds.hparams.Status


@dataclass(slots=True, eq=False)
class KnownRun:
    """The events and files of one run."""

    info: RunInfo
    layout: tuple[object, ...]
    tags: tuple[Tag, ...]
    files: RunFiles
    looked_at: float
    session: RunSession | None = None

    @property
    def is_single(self) -> bool:
        """One point per tag."""
        return self.info.points <= len(self.tags)

    @property
    def curve_tags(self) -> tuple[Tag, ...]:
        """The tags by which a run of add_scalars is recognized: none if the run logged more than scalars."""
        return () if self.info.payloads else self.tags


def record_of(name: RunName, known: KnownRun, children: list[tuple[RunName, KnownRun]]) -> Record:
    files = known.files
    made = Record(
        name=name,
        path=known.info.path,
        info=known.info,
        params=without_blanks(params_of(files, [known, *(one for _, one in children)])),
        tags=known.tags,
        merged_runs=tuple(child for child, _ in children),
        record=files.record,
        problems=files.problems,
    )
    if children:
        made.series_sources = series_sources_of(name, known, children)
        made.tags = (*known.tags, *made.series_sources)
    plans = (one.session.plan for one in [known, *(one for _, one in children)] if one.session is not None)
    made.plan = next(filter(None, plans), ())
    made.last_wall = newest_wall(known, children)
    _add_times(made, [known, *(one for _, one in children)])
    if files.record is not None and files.record.summary:
        tags = set(made.tags)
        summary = flattened(files.record.summary, parse_text_floats=True)
        made.summary = {key: value for key, value in summary.items() if value is not None and key not in tags}
    return made


def newest_wall(known: KnownRun, children: list[tuple[RunName, KnownRun]]) -> float | None:
    walls = [one.info.last_wall for one in (known, *(one for _, one in children))]
    return max((wall for wall in walls if wall is not None), default=None)


def series_sources_of(
    name: RunName, known: KnownRun, children: list[tuple[RunName, KnownRun]]
) -> dict[Tag, tuple[RunName, Tag]]:
    """The source of each series of merged runs. The run's own series take precedence over those of the same name."""
    sources = {}
    for child, one in children:
        is_curves = one.session is None
        for tag in one.tags:
            sources[curve_name(child, name, tag) if is_curves else tag] = child, tag
    return {tag: source for tag, source in sources.items() if tag not in known.tags}


def params_of(files: RunFiles, sources: Iterable[KnownRun]) -> dict[str, Scalar | None]:
    """Merges the hyperparameters of files, sessions and run.json; later sources win."""
    params: dict[str, Scalar | None] = dict(files.params)
    for one in sources:
        # A run may write its hyperparameters twice; run.json wins.
        if one.session is not None and not are_all_in(one.session.keys, files.record_keys):
            logged = one.session.params()
            params = without_respelled(params, logged) | logged
    if not params:
        return files.record_params  # share one object
    params.update(files.record_params)
    return files.record_params if params == files.record_params else params


def without_blanks(params: dict[str, Scalar | None]) -> Mapping[str, Scalar]:
    if None in params.values():
        return {key: value for key, value in params.items() if value is not None}
    return cast(Mapping[str, Scalar], params)


def _add_times(made: Record, sources: list[KnownRun]) -> None:
    if made.record is not None:
        made.started, made.ended = made.record.started_at or made.info.first_wall, made.record.ended_at
        return
    sessions = [one.session for one in sources if one.session is not None]
    starts = [session.start_secs for session in sessions if session.start_secs > 0]
    made.started = made.info.first_wall if made.info.first_wall is not None else min(starts, default=None)
    if made.started is None:
        made.started = min((one.info.first_wall for one in sources if one.info.first_wall is not None), default=None)
    for session in sessions:
        if session.end_status or session.end_secs:
            made.end_status = ENDED.get(session.end_status, "")
            made.ended = session.end_secs or None
