"""The page of each run: its record without the machine, its console and small files."""

from __future__ import annotations

from typing import Any

from seamark.publish.gather.selection import Selection
from seamark.publish.redaction import without_machine
from seamark.publish.request_key import get_key

LABEL = "run pages"
# What the page shows of a run's folder. Event files and run.json are named after the machine, or describe it.
PUBLISHED_FILES = ("config", "text", "image", "diff")
MAX_FILE_BYTES = 1 << 20
MAX_CONSOLE_LINES = 100_000


def console_key(run: str, source: str) -> str:
    """As in web/src/data/site/runs/console_answers.ts."""
    return f"console\0{run}\0{source}"


def gather_runs(selection: Selection, notes: dict[str, str]) -> None:
    """`notes` are those of the page, by run, in place of the ones that a run came with."""
    for run in selection.changed_runs:
        answer = selection.recorder.ask("api/run", [("run", run)])
        if not answer.is_ok:
            continue
        view = without_machine(answer.json())
        view["files"] = [file for file in view["files"] if is_published(file) and "files" not in selection.without]
        view["console"] = [] if "console" in selection.without else view["console"]
        view["git_diff"] = selection.recorder.redaction.text(view["git_diff"]) if view["git_diff"] else None
        selection.recorder.put(get_key("api/run", [("run", run)]), view, label=LABEL, owner=run)
        gather_files(selection, run, view)
        for text in {notes.get(run, ""), (view["record"] or {}).get("notes", "")} - {""}:
            selection.recorder.post("api/markdown", {"text": text}, label=LABEL, owner=run)


def is_published(file: dict[str, Any]) -> bool:
    return file["kind"] in PUBLISHED_FILES and file["bytes"] <= MAX_FILE_BYTES


def gather_files(selection: Selection, run: str, view: dict[str, Any]) -> None:
    recorder = selection.recorder
    for file in view["files"]:
        parameters = [("run", run), ("path", file["path"])]
        recorder.get("api/run/file", parameters, label="files of runs", owner=run, order=(file["path"],))
    for console in view["console"]:
        lines = console_lines(selection, run, console["source"])
        recorder.put(console_key(run, console["source"]), lines, label="consoles", owner=run)


def console_lines(selection: Selection, run: str, source: str) -> dict[str, Any]:
    """The last lines, as many as are published."""
    texts: list[str] = []
    start: int | None = None
    total = 0
    while start is None or start < total:
        parameters = [("run", run), ("source", source), ("start", 0 if start is None else start)]
        found = selection.recorder.ask("api/run/console", parameters).json()
        if start is None and found["total"] > MAX_CONSOLE_LINES:
            start, total = found["total"] - MAX_CONSOLE_LINES, found["total"]
            continue
        total = found["total"]
        texts += [line["text"] for line in found["lines"]]
        start = found["start"] + len(found["lines"])
        if not found["lines"]:
            break
    return {"first": total - len(texts), "lines": texts}
