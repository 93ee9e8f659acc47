"""Copies the program's source files for run.log_code: those that git lists, or those in the folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from seamark.write.run.artifacts.copying import Copied, inside
from seamark.write.run.code import git
from seamark.write.run.secrets import redact

SUFFIXES = frozenset((
    ".py", ".pyi", ".pyx", ".ipynb", ".sh", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".rs", ".jl", ".r",
    ".yaml", ".yml", ".toml", ".cfg", ".ini", ".gin", ".jsonnet", ".md",
))  # fmt: skip
NAMES = frozenset({"Makefile", "Dockerfile", "requirements.txt", "environment.yml"})
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist", "wandb", "mlruns"})
MAX_FILES = 2_000
MAX_FILE_BYTES = 1_000_000
MAX_TOTAL_BYTES = 50_000_000
FOLDER = "code"

Wanted = Callable[[str], bool]


def copy_code(root: Path, folder: Path, *, include: Wanted | None, exclude: Wanted | None, runs: Path) -> Copied:
    """Copies source files without secrets. Files in `runs`, the folder of all runs, are skipped."""
    result, total = Copied(), 0
    for relative in sorted(_candidates(root)):
        path = root / relative
        is_wanted = include(str(path)) if include is not None else _is_code(relative)
        if not is_wanted or (exclude is not None and exclude(str(path))):
            continue
        if _is_secret_file(relative) or path.is_symlink() or not path.is_file() or path.resolve().is_relative_to(runs):
            continue
        size = path.stat().st_size
        if size > MAX_FILE_BYTES or total + size > MAX_TOTAL_BYTES or len(result.files) >= MAX_FILES:
            result.left_out.append(relative)
            continue
        total += size
        target = folder / inside(relative)
        target.parent.mkdir(parents=True, exist_ok=True)
        # Binary: line ends stay the same.
        target.write_bytes(
            redact.text(path.read_bytes().decode(errors="surrogateescape")).encode(errors="surrogateescape")
        )
        result.files.append(target)
    return result


def _candidates(root: Path) -> Iterator[str]:
    """Relative paths, without ignored files in a repository."""
    known = git.files(root)
    if known is not None:
        yield from known
        return
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if _is_searched(Path(parent, name))]
        yield from (Path(parent, name).relative_to(root).as_posix() for name in names)


def _is_searched(folder: Path) -> bool:
    is_environment = (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").is_dir()
    return not folder.name.startswith(".") and folder.name not in SKIPPED_FOLDERS and not is_environment


def _is_code(relative: str) -> bool:
    path = Path(relative)
    return path.suffix.lower() in SUFFIXES or path.name in NAMES


def _is_secret_file(relative: str) -> bool:
    path = Path(relative.lower())
    names = [path.name, *(f"{parent.name}/**" for parent in path.parents if parent.name)]
    return any(fnmatch(name, pattern) for name in names for pattern in git.LEFT_OUT)
