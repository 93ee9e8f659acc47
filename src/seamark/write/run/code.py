"""The program's source files, for run.log_code: what git knows of them, or what lies in the folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from seamark.write.run import git, redact
from seamark.write.run.copying import Copied, inside

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
    """Copies source files with secrets hidden, as in the diff. `runs` is the folder of all runs: none of their files is
    code of this one."""
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
        # Without translation of line ends.
        target.write_bytes(
            redact.text(path.read_bytes().decode(errors="surrogateescape")).encode(errors="surrogateescape")
        )
        result.files.append(target)
    return result


def _candidates(root: Path) -> Iterator[str]:
    """Relative paths; in a repository without what is ignored there."""
    known = git.files(root)
    if known is not None:
        yield from known
        return
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if _is_looked_into(Path(place, name))]
        yield from (Path(place, name).relative_to(root).as_posix() for name in names)


def _is_looked_into(folder: Path) -> bool:
    is_environment = (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").is_dir()
    return not folder.name.startswith(".") and folder.name not in SKIPPED_FOLDERS and not is_environment


def _is_code(relative: str) -> bool:
    path = Path(relative)
    return path.suffix.lower() in SUFFIXES or path.name in NAMES


def _is_secret_file(relative: str) -> bool:
    path = Path(relative.lower())
    names = [path.name, *(f"{parent.name}/**" for parent in path.parents if parent.name)]
    return any(fnmatch(name, pattern) for name in names for pattern in git.LEFT_OUT)
