"""`seamark.profile()`: profiles a block into a folder, a writer's log directory or a run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from seamark.write.profile.backends import BackendName
from seamark.write.profile.recording import ProfileRecording, record
from seamark.write.run import current

DEFAULT_FOLDER = Path("runs")


def profile(
    target: Any = None,
    *,
    rank: int | None = 0,
    backend: BackendName = "auto",
    warmup: int = 0,
    record_shapes: bool = True,
    with_stack: bool = False,
    profile_memory: bool = False,
) -> ProfileRecording:
    """Profiles a block with torch's, JAX's or TensorFlow's profiler, or by sampling a program without them.

    `target` is a folder, a writer or a run; by default the current run, else the folder `runs`. In a distributed run
    only `rank` records, None: every rank. The first `warmup` steps are not recorded.
    """
    return record(
        log_dir_of(target),
        rank=rank,
        backend=backend,
        warmup=warmup,
        record_shapes=record_shapes,
        with_stack=with_stack,
        profile_memory=profile_memory,
    )


def log_dir_of(target: Any) -> Path | None:
    """The log directory of a folder, writer or run; None for one that writes nothing."""
    if isinstance(target, str | os.PathLike):
        return Path(target)
    chosen: Any = current.current_run() if target is None else target
    if chosen is None:
        return DEFAULT_FOLDER
    writer = getattr(chosen, "writer", None) if hasattr(chosen, "finish") else chosen
    return None if writer is None else Path(writer.log_dir)
