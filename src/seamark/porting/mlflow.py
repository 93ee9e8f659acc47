"""MLflow: a folder `mlruns` or a database `mlflow.db`, read without MLflow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from seamark.porting import images, mlflow_database, mlflow_files
from seamark.porting.source import Progress, SourceError, SourceRun

NOTE_TAG, NAME_TAG = "mlflow.note.content", "mlflow.runName"
# <key>+step+<step>+timestamp+<ms>+<uuid>.png; older versions have % for +, and a slash in the key is a #.
STEPPED = re.compile(r"(?P<key>.+)[+%]step[+%](?P<step>-?\d+)[+%]timestamp[+%](?P<ms>\d+)[+%][0-9a-f-]+\.\w+")
PREVIEW = re.compile(r"[+%]compressed\.webp$")


def runs(path: Path, progress: Progress) -> Iterator[SourceRun]:
    """All runs that are not deleted; `path` is the folder, the database, or the folder that contains one of them."""
    found = mlflow_database.runs if is_database(path) else mlflow_files.runs
    for run, artifacts in found(store_at(path), progress):
        run.tags = dict(run.tags)
        run.notes = run.tags.pop(NOTE_TAG, "")
        run.tags = {key: value for key, value in run.tags.items() if not key.startswith("mlflow.loggedImages")}
        run.labels = tuple(
            f"{key}={value}" if value else key
            for key, value in sorted(run.tags.items())
            if not key.startswith("mlflow.")
        )
        add_images(run, artifacts_folder(artifacts, path, run.id))
        yield run


def store_at(path: Path) -> Path:
    if not path.exists():
        raise SourceError(f"no such file or folder: '{path}'")
    if path.is_file():
        return path
    if (path / "mlflow.db").is_file():
        return path / "mlflow.db"
    folder = path / "mlruns" if (path / "mlruns").is_dir() else path
    if not any(folder.glob("*/meta.yaml")):
        raise SourceError(f"no MLflow store (mlruns/*/meta.yaml or mlflow.db) in this folder: '{path}'")
    return folder


def is_database(path: Path) -> bool:
    return path.is_file() or (path / "mlflow.db").is_file()


def artifacts_folder(uri: str, store: Path, run_id: str) -> Path | None:
    """The folder of the run's artifacts: as recorded or, if the store was moved, beside it."""
    parts = urlsplit(uri)
    named = Path(unquote(parts.path)) if parts.scheme in ("", "file") else None
    if named is not None and named.is_dir():
        return named
    above = store if store.is_dir() else store.parent
    return next((folder for folder in sorted(above.rglob(f"{run_id}/artifacts")) if folder.is_dir()), None)


def add_images(run: SourceRun, folder: Path | None) -> None:
    if folder is None:
        return
    for file in sorted(folder.rglob("*")):
        if file.suffix.lower() not in images.SUFFIXES or PREVIEW.search(file.name) or not images.is_image(file):
            continue
        match = STEPPED.fullmatch(file.name)
        if match:
            tag, step, wall = match["key"].replace("#", "/"), int(match["step"]), int(match["ms"]) / 1000
        else:
            tag, step, wall = file.relative_to(folder).as_posix(), 0, run.start
        run.payloads.append(images.payload_of_files(tag, [file], step=step, wall=wall))
    run.payloads.sort(key=lambda item: (item.tag, item.step, item.wall))
