"""Images, audio, texts, meshes, PR curves and histograms: their lists, what is known of each, and their bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from seamark.plugin.columns import MEDIA_TYPE
from seamark.publish.gather.selection import Selection
from seamark.publish.recorder import Recorder

ATTEMPTS = ("marked", "latest", "all")
DASHBOARDS = "api/dashboards"
Progress = Callable[[int, int], None]


def gather_images(selection: Selection, progress: Progress) -> None:
    """Thumbnails are not stored: the page shows the images themselves."""
    recorder = selection.recorder
    for run, tag, listed in payload_lists(selection, "images", progress):
        place: dict[str, Any] = {"label": "images", "owner": run, "order": (tag,)}
        for attempts in ATTEMPTS:
            recorder.get(f"{DASHBOARDS}/images/series", [*series(run, tag), ("attempts", attempts)], **place)
        for index, step, wall in zip(listed["index"], listed["steps"], listed["walls"], strict=True):
            parameters = [*series(run, tag), ("index", index), ("wall", wall)]
            found = recorder.get(f"{DASHBOARDS}/images/step", [*parameters, ("sample", 0)], **place)
            samples = len(found["samples"]) if found else 0
            for sample in range(samples):
                recorder.get("api/payload", [*parameters, ("sample", sample), ("kind", "images")], **place)
            if samples:
                captions = [*series(run, tag), ("step", step), ("samples", samples)]
                recorder.get(f"{DASHBOARDS}/images/captions", captions, **place)
    recorder.get(f"{DASHBOARDS}/video/tags", label="lists", owner=None)


def gather_audio(selection: Selection, progress: Progress) -> None:
    recorder = selection.recorder
    for run, tag, listed in payload_lists(selection, "audio", progress):
        place: dict[str, Any] = {"label": "audio", "owner": run, "order": (tag,)}
        for index in listed["index"]:
            parameters = [*series(run, tag), ("index", index)]
            clips = recorder.get(f"{DASHBOARDS}/audio/clips", parameters, **place)
            for sample in range(len(clips["clips"]) if clips else 0):
                recorder.get("api/payload", [*parameters, ("sample", sample), ("kind", "audio")], **place)


def gather_texts(selection: Selection, progress: Progress) -> None:
    """Markdown is rendered and sanitized here; the page inserts it as it does with a server's."""
    recorder = selection.recorder
    for run, tag, listed in payload_lists(selection, "text", progress):
        place: dict[str, Any] = {"label": "text", "owner": run, "order": (tag,)}
        for index in listed["index"]:
            recorder.get(f"{DASHBOARDS}/text/entry", [*series(run, tag), ("index", index)], **place)
            recorder.get(f"{DASHBOARDS}/text/download", [*series(run, tag), ("index", index)], **place)


def gather_meshes(selection: Selection) -> None:
    recorder = selection.recorder
    meshes = recorder.get(f"{DASHBOARDS}/mesh/meshes", label="lists", owner=None)["meshes"]
    for mesh in (one for one in meshes if one["run"] not in selection.unchanged):
        place: dict[str, Any] = {"label": "meshes", "owner": mesh["run"], "order": (mesh["name"],)}
        for part in mesh["parts"].values():
            for index in part["index"]:
                for sample in range(mesh["samples"]):
                    parameters = [*series(mesh["run"], part["tag"]), ("index", index), ("sample", sample)]
                    recorder.get(f"{DASHBOARDS}/mesh/part", parameters, **place)
    files = recorder.get(f"{DASHBOARDS}/mesh/files", label="lists", owner=None)["files"]
    for file in (one for one in files if one["run"] not in selection.unchanged):
        parameters = [("run", file["run"]), ("path", file["path"])]
        recorder.get(f"{DASHBOARDS}/mesh/file", parameters, label="meshes", owner=file["run"])


def gather_pr_curves(selection: Selection) -> None:
    """Run by run; the page joins them (web/src/data/site/kinds/pr_curve_answers.ts)."""
    recorder = selection.recorder
    for run, tag in selection.tags("pr_curves"):
        place: dict[str, Any] = {"label": "PR curves", "owner": run, "order": (tag,)}
        steps = recorder.get(f"{DASHBOARDS}/pr_curves/steps", series(run, tag), **place) or {}
        for index in steps.get(run, {}).get("index", []):
            recorder.get(f"{DASHBOARDS}/pr_curves/curves", [*series(run, tag), ("index", index)], **place)


def histograms_key(tag: str, run: str, attempts: str) -> str:
    """As in web/src/data/site/kinds/histogram_answers.ts."""
    return f"histograms\0{tag}\0{run}\0{attempts}"


def gather_histograms(selection: Selection, progress: Progress) -> None:
    """Every histogram of a series, with its percentiles; the page cuts windows out of them."""
    recorder = selection.recorder
    recorder.get(f"{DASHBOARDS}/histograms/rules", label="lists", owner=None)
    wanted = selection.tags("histograms")
    for at, (run, tag) in enumerate(wanted):
        answer = None
        for attempts in ATTEMPTS:
            if answer is None or is_restarted(recorder, run, tag, "histograms"):
                parameters = [*series(run, tag), ("parts", "all"), ("attempts", attempts)]
                answer = recorder.ask("api/histograms", parameters)
            if answer.is_ok:
                key = histograms_key(tag, run, attempts)
                recorder.spool.add(key, answer.body, label="histograms", owner=run, media=MEDIA_TYPE, order=(tag,))
        progress(at + 1, len(wanted))


def payload_lists(selection: Selection, kind: str, progress: Progress) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Records the lists of payloads. Yields each run and tag with the list of all attempts."""
    wanted = selection.tags(kind)
    for at, (run, tag) in enumerate(wanted):
        listed: dict[str, Any] | None = None
        for attempts in ATTEMPTS:
            parameters = [*series(run, tag), ("kind", kind), ("attempts", attempts)]
            listed = selection.recorder.get("api/payloads", parameters, label=kind, owner=run, order=(tag,))
        if listed is not None:
            yield run, tag, listed
        progress(at + 1, len(wanted))


def is_restarted(recorder: Recorder, run: str, tag: str, kind: str) -> bool:
    """Whether the attempts of a series differ, in number or in order."""
    steps = []
    for attempts in ("latest", "all"):
        parameters = [*series(run, tag), ("kind", kind), ("attempts", attempts)]
        steps.append(recorder.ask("api/payloads", parameters).json()["steps"])
    return bool(steps[0] != steps[1])


def series(run: str, tag: str) -> list[tuple[str, object]]:
    return [("run", run), ("tag", tag)]


def gather_custom_scalars(selection: Selection) -> None:
    recorder = selection.recorder
    recorder.get(f"{DASHBOARDS}/custom_scalars/layout", label="lists", owner=None)
