"""run.save(), run.log_code(), run.log_artifact() and run.use_artifact()."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from seamark.format.plain import plain
from seamark.format.run_record import ArtifactUse
from seamark.write.run.artifacts import artifacts, copying
from seamark.write.run.code import source_files
from seamark.write.run.run_base import RunBase

FILES = "files"
MAX_FILE_BYTES = 2 << 30
NOW, END, LIVE = "now", "end", "live"


class RunFiles(RunBase):
    _saved_at_end: list[tuple[str, Path | None]]

    def save(
        self,
        path_or_glob: str | os.PathLike[str],
        base_path: str | os.PathLike[str] | None = None,
        policy: str = NOW,
    ) -> list[Path]:
        """Copies files into the run's folder `files` and returns the copies.

        The policy "now" copies at once, "end" when the run finishes, "live" both times. Files below `base_path`, by
        default the working directory, keep their folders.
        """
        if policy not in (NOW, END, LIVE):
            raise ValueError(f"policy is one of 'now', 'end', 'live': got {policy!r}")
        if self._recorder is None or not self._can_log():
            return []
        pattern, base = os.fspath(path_or_glob), None if base_path is None else Path(base_path)
        if policy != NOW:
            self._saved_at_end.append((pattern, base))
        return [] if policy == END else self._save(self._recorder.folder, pattern, base)

    def _save(self, folder: Path, pattern: str, base: Path | None) -> list[Path]:
        with self._warn_once.guard(f"save {pattern}", f"'{pattern}' cannot be saved"):
            root = (base or Path.cwd()).resolve()
            found = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - also absolute patterns
            if not found:
                raise FileNotFoundError(f"no such file: '{pattern}'")
            # A folder stands for its files; the run's own folder is not copied into itself.
            pairs = [pair for path in found for pair in _pairs(path, root, skipped=folder.resolve())]
            copied = copying.copy_files(pairs, folder / FILES, max_file_bytes=MAX_FILE_BYTES)
            for reason in copied.left_out:
                self._warn_once.warn(f"save {reason}", f"not saved: {reason}")
            return copied.files
        return []

    def _save_at_end(self) -> None:
        if self._recorder is not None:
            for pattern, base in self._saved_at_end:
                self._save(self._recorder.folder, pattern, base)

    def log_code(
        self,
        root: str | os.PathLike[str] = ".",
        include_fn: Callable[[str], bool] | None = None,
        exclude_fn: Callable[[str], bool] | None = None,
    ) -> Path | None:
        """Copies the source files below `root`, without secrets, into the run's folder `code` and returns it."""
        if self._recorder is None or not self._can_log():
            return None
        folder, runs = (
            self._recorder.folder / source_files.FOLDER,
            (self._project_dir or self._recorder.folder).resolve(),
        )
        with self._warn_once.guard("code", "the code cannot be saved"):
            copied = source_files.copy_code(Path(root), folder, include=include_fn, exclude=exclude_fn, runs=runs)
            if copied.left_out:
                shown = f"{len(copied.left_out)} files, such as '{copied.left_out[0]}'"
                self._warn_once.warn("code limits", f"too large or too many for the saved code: {shown}")
            return folder if copied.files else None
        return None

    def log_artifact(
        self,
        path: str | os.PathLike[str],
        name: str | None = None,
        type: str = "",
        *,
        aliases: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        copy: bool = True,
    ) -> str | None:
        """Saves a file or folder under a name and a version, for other runs to use, and returns `name:v3`.

        With `copy=False` only the path is recorded. Identical files get no new version. Returns None, after a warning,
        if the files cannot be saved.
        """
        if self._recorder is None or not self._can_log():
            return None
        source = Path(path)
        chosen = str(name or source.resolve().name).partition(":")[0]
        with self._warn_once.guard(f"artifact {chosen}", f"artifact '{chosen}' cannot be logged"):
            version = artifacts.log(
                source, self._recorder.folder, name=chosen, type=type, run_id=self._record.id,
                aliases=[str(alias) for alias in aliases], metadata=plain(dict(metadata or {})), copy=copy,
            )  # fmt: skip
            self._record_artifact(version.manifest, "output")
            return f"{chosen}:v{version.manifest.version}"
        return None

    def use_artifact(self, name: str) -> Path:
        """Returns the folder of an artifact of this project: `name`, `name:v3` or `name:alias`.

        Raises NoSuchArtifactError if there is none: the program cannot continue without it.
        """
        if self._project_dir is None:
            raise artifacts.NoSuchArtifactError(f"no artifact '{name}': the run belongs to no folder of runs")
        version = artifacts.find(self._project_dir, name)
        if self._recorder is not None and self._can_log():
            self._record_artifact(version.manifest, "input")
        return version.files

    def _record_artifact(self, manifest: artifacts.Manifest, role: str) -> None:
        use = ArtifactUse(manifest.name, manifest.version, manifest.type, manifest.digest, role)
        with self._lock:
            if use not in self._record.artifacts:
                self._record.artifacts = (*self._record.artifacts, use)
        self._touch()


def _pairs(path: Path, root: Path, *, skipped: Path) -> list[tuple[Path, str]]:
    if path.is_dir():
        # Hidden files are settings and keys of programs; they are saved only if they are named.
        inner = copying.files_below(path, skipped=skipped, with_hidden=False)
        return [pair for each, _ in inner for pair in _pairs(each, root, skipped=skipped)]
    absolute = path.absolute()
    if absolute.resolve().is_relative_to(skipped):
        return []
    is_below = absolute.is_relative_to(root)
    return [(path, absolute.relative_to(root).as_posix() if is_below else path.name)]
