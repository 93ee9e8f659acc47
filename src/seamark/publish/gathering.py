"""Gathers everything that a site of some runs answers with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from seamark.format.types import RunName
from seamark.publish.application import Application
from seamark.publish.blobs import Spool
from seamark.publish.folder import EarlierSite
from seamark.publish.gather.comparisons import compared_tags, gather_comparisons
from seamark.publish.gather.examples import gather_examples
from seamark.publish.gather.graphs import gather_graphs
from seamark.publish.gather.lists import gather_dashboards, gather_lists
from seamark.publish.gather.logs import gather_logs
from seamark.publish.gather.payloads import (
    gather_audio,
    gather_custom_scalars,
    gather_histograms,
    gather_images,
    gather_meshes,
    gather_pr_curves,
    gather_texts,
)
from seamark.publish.gather.profiles import gather_profiles
from seamark.publish.gather.projector import gather_embeddings
from seamark.publish.gather.runs import gather_runs
from seamark.publish.gather.selection import Selection
from seamark.publish.gather.series import gather_series
from seamark.publish.gather.table import gather_table
from seamark.publish.recorder import Recorder
from seamark.publish.redaction import Redaction
from seamark.publish.unchanged import Fingerprints, make_fingerprints, reuse_unchanged
from seamark.serve.app import create_app
from seamark.serve.state.state import State
from seamark.store import LogRoot, Store

# What --without takes: dashboards with data of their own, and parts of run pages.
PARTS = ("audio", "console", "files", "graphs", "histograms", "images", "mesh", "pr_curves", "profile", "projector",
         "text", "whatif")  # fmt: skip
# Parts whose data are in event files.
LOGGED_PARTS = frozenset({"audio", "graphs", "histograms", "images", "mesh", "pr_curves", "text"})
Progress = Callable[[str, int, int], None]
"""What is being gathered, how much is done, and of how much."""


def gather(
    store: Store,
    roots: Sequence[LogRoot],
    runs: Collection[RunName],
    spool: Spool,
    *,
    notes: Mapping[str, Mapping[str, Any]],
    progress: Progress,
    without: Collection[str] = (),
    with_logs: bool = False,
    earlier: EarlierSite | None = None,
) -> Fingerprints:
    """Fills the spool. `notes` is what was saved about runs on the page; that of other runs is left out.

    `without` names dashboards, or `console` and `files` of run pages; `with_logs` adds the event files. What an earlier
    site has of unchanged runs is used again. Returns what tells whether a run changed, for the next publish.
    """
    chosen = store.selected(runs)
    state = State(None, roots)
    state.patch(state.read()["version"], {"runs": {run: dict(notes[run]) for run in runs if run in notes}})
    redaction = Redaction(roots)
    with Application(create_app(chosen, roots=roots, state=state)) as application:
        recorder = Recorder(application, spool, redaction)
        names = [info.name for info in chosen.runs()]
        is_everything = len(names) == len(store.run_names())
        fingerprints = make_fingerprints(
            chosen.runs(),
            roots,
            notes=notes,
            listed={run["name"]: run for run in recorder.ask("api/runs").json()["runs"]},
            parts=[*sorted(without), *(["+logs"] if with_logs else [])],
            tags=compared_tags(chosen),
        )
        unchanged = frozenset[RunName]() if earlier is None else reuse_unchanged(spool, earlier, fingerprints)
        selection = Selection(chosen, recorder, names, is_everything, frozenset(without), unchanged)
        gather_lists(selection, [root.name or root.path.name for root in roots])
        gather_kinds(selection, progress)
        gather_dashboards(selection)
        gather_runs(selection, {run: str(notes[run].get("note", "")) for run in runs if run in notes})
        gather_table(selection)
        gather_comparisons(selection)
        if with_logs:
            gather_logs(selection, lambda done, total: progress("logs", done, total))
    return fingerprints


def gather_kinds(selection: Selection, progress: Progress) -> None:
    def shown(what: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(what, done, total)

    gatherers: Mapping[str, Callable[[], None]] = {
        "scalars": lambda: gather_series(selection, shown("scalars")),
        "histograms": lambda: gather_histograms(selection, shown("histograms")),
        "images": lambda: gather_images(selection, shown("images")),
        "audio": lambda: gather_audio(selection, shown("audio")),
        "text": lambda: gather_texts(selection, shown("texts")),
        "mesh": lambda: gather_meshes(selection),
        "pr_curves": lambda: gather_pr_curves(selection),
        "custom_scalars": lambda: gather_custom_scalars(selection),
        "graphs": lambda: gather_graphs(selection),
        "projector": lambda: gather_embeddings(selection),
        "profile": lambda: gather_profiles(selection),
        "whatif": lambda: gather_examples(selection),
    }
    for name, gather_kind in gatherers.items():
        if name not in selection.without:
            gather_kind()
