"""MLflow's file store: one folder per experiment and run, one file per metric, parameter and tag."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seamark.porting import params
from seamark.porting.source import UNKNOWN_WALL, Progress, SourceError, SourceRun

STATUSES = {"1": "running", "2": "running", "3": "finished", "4": "failed", "5": "killed"}


def runs(folder: Path, progress: Progress) -> Iterator[tuple[SourceRun, str]]:
    """Yields the runs, each with the address of its artifacts."""
    paths = [
        path
        for path in folder.glob("*/*/meta.yaml")
        if (path.parent / "metrics").is_dir() and path.resolve() == folder.resolve() / path.relative_to(folder)
    ]
    found = [(meta_of(path), path.parent) for path in paths]
    # Of several runs with the same name the first keeps it.
    found.sort(key=lambda entry: (entry[0].get("start_time", ""), entry[1]))
    experiments = {path.parent.name: meta_of(path) for path in folder.glob("*/meta.yaml")}
    for done, (meta, run_folder) in enumerate(found):
        progress(done, len(found))
        experiment = experiments.get(run_folder.parent.name, {})
        if "deleted" not in (meta.get("lifecycle_stage"), experiment.get("lifecycle_stage")):
            yield run_in(run_folder, meta, experiment.get("name", run_folder.parent.name)), meta.get("artifact_uri", "")
    progress(len(found), len(found))


def run_in(folder: Path, meta: dict[str, str], experiment: str) -> SourceRun:
    tags = {name: path.read_text(encoding="utf-8") for name, path in files_below(folder / "tags")}
    name = meta.get("run_name") or tags.get("mlflow.runName") or folder.name
    run = SourceRun(
        source="mlflow",
        id=meta.get("run_id") or folder.name,
        name=f"{experiment}/{name}",
        params={
            name: params.from_text(path.read_text(encoding="utf-8")) for name, path in files_below(folder / "params")
        },
        tags=tags,
        status=STATUSES.get(meta.get("status", ""), ""),
        start=seconds(meta.get("start_time")),
        end=seconds(meta.get("end_time")),
    )
    for tag, path in files_below(folder / "metrics"):
        add_metric(run, tag, path)
    return run


def add_metric(run: SourceRun, tag: str, path: Path) -> None:
    """A line is `milliseconds value step`; older versions have no step."""
    points = run.points(tag)
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith("\n"):
                break  # an incomplete last line
            words = line.split()
            try:
                points.add(int(words[2]) if len(words) > 2 else 0, int(words[0]) / 1000, float(words[1]))
            except (IndexError, ValueError, OverflowError):
                got = f"got {line.strip()[:60]!r} in line {number}"
                raise SourceError(f"a point is not 'milliseconds value step': {got}: '{path}'") from None


def files_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """Names with slashes are folders. Links are skipped: they may lead to other files."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and folder.resolve() in path.resolve().parents:
            yield path.relative_to(folder).as_posix(), path


def seconds(milliseconds: str | int | None) -> float:
    try:
        return int(milliseconds) / 1000 if milliseconds is not None else UNKNOWN_WALL
    except ValueError:
        return UNKNOWN_WALL


def meta_of(path: Path) -> dict[str, str]:
    """Parses MLflow's flat YAML: `key: value`, quoted if necessary, long values wrapped over lines."""
    found: dict[str, str] = {}
    key = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line[:1].isspace() and key:
            found[key] += f" {line.strip()}"
        elif ":" in line:
            key, _, value = line.partition(":")
            found[key] = value.strip()
    return {key: unquoted(value) for key, value in found.items() if value not in ("null", "~", "")}


def unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) >= 2 and text[0] == text[-1] == '"':
        import json

        try:
            return str(json.loads(text))
        except ValueError:
            # YAML has escapes that JSON lacks, such as \\x; the rest of the text still identifies the run.
            return text[1:-1]
    return text
