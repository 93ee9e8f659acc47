"""What a run does with files: save(), log_code(), log_artifact() and use_artifact()."""

from __future__ import annotations

import glob
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.format.run_record import ArtifactUse, RunRecord
from seamark.write.run import artifacts, code, copying
from seamark.write.run.plain import plain

if TYPE_CHECKING:
    from seamark.write.run.backing import Backing
    from seamark.write.warn_once import WarnOnce

FILES = "files"
MAX_FILE_BYTES = 2 << 30
NOW, END, LIVE = "now", "end", "live"


class RunFiles:
    _record: RunRecord
    _backing: Backing | None
    _warnings: WarnOnce
    _lock: threading.RLock
    _root: Path | None = None  # the folder of the project's runs, also of a run that is disabled
    _saved_at_end: list[tuple[str, Path | None]]

    def _touch(self) -> None:
        raise NotImplementedError

    def _can_log(self) -> bool:
        raise NotImplementedError

    def save(
        self,
        path_or_glob: str | os.PathLike[str],
        base_path: str | os.PathLike[str] | None = None,
        policy: str = NOW,
    ) -> list[Path]:
        """Copies files into the run's folder `files`, before it returns; with the policy "end" when the run finishes,
        with "live" both. Below `base_path`, or the working directory, they keep their folders. Returns the copies."""
        if policy not in (NOW, END, LIVE):
            raise ValueError(f"policy is one of 'now', 'end', 'live': got {policy!r}")
        if self._backing is None or not self._can_log():
            return []
        pattern, base = os.fspath(path_or_glob), None if base_path is None else Path(base_path)
        if policy != NOW:
            self._saved_at_end.append((pattern, base))
        return [] if policy == END else self._save(self._backing.folder, pattern, base)

    def _save(self, folder: Path, pattern: str, base: Path | None) -> list[Path]:
        with self._warnings.guarded(f"save {pattern}", f"'{pattern}' cannot be saved"):
            root = (base or Path.cwd()).resolve()
            found = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - absolute ones, too
            if not found:
                raise FileNotFoundError(f"no such file: '{pattern}'")
            # A folder is all that is in it; the run's own folder is not copied into itself.
            pairs = [pair for path in found for pair in _pairs(path, root, skipped=folder.resolve())]
            copied = copying.copy_files(pairs, folder / FILES, max_file_bytes=MAX_FILE_BYTES)
            for reason in copied.left_out:
                self._warnings.warn(f"save {reason}", f"not saved: {reason}")
            return copied.files
        return []

    def _save_at_end(self) -> None:
        if self._backing is not None:
            for pattern, base in self._saved_at_end:
                self._save(self._backing.folder, pattern, base)

    def log_code(
        self,
        root: str | os.PathLike[str] = ".",
        include_fn: Callable[[str], bool] | None = None,
        exclude_fn: Callable[[str], bool] | None = None,
    ) -> Path | None:
        """Copies the source files below `root` into the run's folder `code`, secrets hidden, and returns it."""
        if self._backing is None or not self._can_log():
            return None
        folder, runs = self._backing.folder / code.FOLDER, (self._root or self._backing.folder).resolve()
        with self._warnings.guarded("code", "the code cannot be saved"):
            copied = code.copy_code(Path(root), folder, include=include_fn, exclude=exclude_fn, runs=runs)
            if copied.left_out:
                shown = f"{len(copied.left_out)} files, such as '{copied.left_out[0]}'"
                self._warnings.warn("code limits", f"too large or too many to save as code: {shown}")
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
        """Keeps a file or folder under a name and a version, for other runs to use; returns `name:v3`.

        The files are copied, or with `copy=False` only noted. The same files once more are no new version. None, after
        a warning, when they cannot be kept.
        """
        if self._backing is None or not self._can_log():
            return None
        source = Path(path)
        chosen = str(name or source.resolve().name).partition(":")[0]
        with self._warnings.guarded(f"artifact {chosen}", f"artifact '{chosen}' cannot be logged"):
            version = artifacts.log(
                source, self._backing.folder, name=chosen, type=type, run_id=self._record.id,
                aliases=[str(alias) for alias in aliases], metadata=plain(dict(metadata or {})), copy=copy,
            )  # fmt: skip
            self._note_artifact(version.manifest, "output")
            return f"{chosen}:v{version.manifest.version}"
        return None

    def use_artifact(self, name: str) -> Path:
        """The folder of an artifact that a run of this project has logged: `name`, `name:v3` or `name:alias`.

        NoSuchArtifactError when there is none: the program cannot go on without it.
        """
        if self._root is None:
            raise artifacts.NoSuchArtifactError(f"no artifact '{name}': the run has no folder of runs to look in")
        version = artifacts.find(self._root, name)
        if self._backing is not None and self._can_log():
            self._note_artifact(version.manifest, "input")
        return version.files

    def _note_artifact(self, manifest: artifacts.Manifest, role: str) -> None:
        noted = ArtifactUse(manifest.name, manifest.version, manifest.type, manifest.digest, role)
        with self._lock:
            if noted not in self._record.artifacts:
                self._record.artifacts = (*self._record.artifacts, noted)
        self._touch()


def _pairs(path: Path, root: Path, *, skipped: Path) -> list[tuple[Path, str]]:
    if path.is_dir():
        # Hidden files are settings and keys of programs; one is saved when it is named.
        inner = copying.files_below(path, skipped=skipped, with_hidden=False)
        return [pair for each, _ in inner for pair in _pairs(each, root, skipped=skipped)]
    absolute = path.absolute()
    if absolute.resolve().is_relative_to(skipped):
        return []
    is_below = absolute.is_relative_to(root)
    return [(path, absolute.relative_to(root).as_posix() if is_below else path.name)]
