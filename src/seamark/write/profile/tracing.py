"""Profiles a few steps with torch's or JAX's profiler, whichever the program has imported."""

from __future__ import annotations

import logging
import socket
import sys
import time
from pathlib import Path
from typing import Any, Protocol

PROFILE_FOLDER = Path("plugins") / "profile"  # TensorBoard's profile plugin reads it

logger = logging.getLogger(__name__)


class Profiler(Protocol):
    def stop(self, outdir: str | None) -> str | None:
        """Writes below `outdir` (None: writes nothing); returns the folder."""


class TorchProfiler:
    def __init__(self, profiler: Any) -> None:
        self._profile = profiler.profile(record_shapes=True)
        self._profile.__enter__()

    def stop(self, outdir: str | None) -> str | None:
        self._profile.__exit__(None, None, None)
        if outdir is None:
            return None
        folder = Path(outdir) / PROFILE_FOLDER / time.strftime("%Y_%m_%d_%H_%M_%S")
        folder.mkdir(parents=True, exist_ok=True)
        self._profile.export_chrome_trace(str(folder / f"{socket.gethostname()}.trace.json.gz"))
        return str(folder)


class JaxProfiler:
    """JAX needs the folder at the start, and writes there even if the profile is discarded."""

    def __init__(self, profiler: Any, outdir: str) -> None:
        self._profiler, self._outdir = profiler, outdir
        profiler.start_trace(outdir)

    def stop(self, outdir: str | None) -> str | None:
        self._profiler.stop_trace()
        return None if outdir is None else str(Path(self._outdir) / PROFILE_FOLDER)


_running: Profiler | None = None
_outdir: str | None = None


def start(outdir: str | None, log_dir: str = "") -> None:
    """Logs a warning and does nothing if there is no profiler, or one is running already."""
    global _running, _outdir
    if _running is not None:
        logger.warning("seamark: a profiler is running already")
        return
    _outdir = outdir
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    try:
        if torch is not None:
            _running = TorchProfiler(torch.profiler)
        elif jax is not None:
            _running = JaxProfiler(jax.profiler, outdir or log_dir or ".")
        else:
            logger.warning("seamark: nothing is profiled: neither torch nor jax is imported")
    except Exception as error:
        logger.warning("seamark: the profiler cannot be started: %s", error)


def stop(outdir: str | None, log_dir: str) -> str | None:
    """Writes the profile to `outdir`, else to the folder given to start(), else to the log directory."""
    global _running
    profiler, _running = _running, None
    if profiler is None:
        return None
    try:
        return profiler.stop(outdir or _outdir or log_dir or ".")
    except Exception as error:
        logger.warning("seamark: the profile cannot be written: %s", error)
        return None


def discard() -> None:
    global _running
    profiler, _running = _running, None
    if profiler is not None:
        profiler.stop(None)
