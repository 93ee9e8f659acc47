"""tf.summary's trace_on, trace_export and trace_off: one profile at a time."""

from __future__ import annotations

import logging
from pathlib import Path

from seamark.write.profile.backends import ProfileOptions
from seamark.write.profile.recording import ProfileRecording

logger = logging.getLogger(__name__)
_running: ProfileRecording | None = None


def start(folder: str) -> None:
    """Logs a warning and does nothing if a profiler is running already."""
    global _running
    if _running is not None:
        logger.warning("seamark: a profiler is running already")
        return
    _running = ProfileRecording(Path(folder), "auto", ProfileOptions())
    _running.start()


def stop(folder: str | None) -> str | None:
    """Writes the profile to `folder`, else to the one given to start(). Returns the profile's folder."""
    global _running
    recording, _running = _running, None
    if recording is None:
        return None
    found = recording.stop(log_dir=None if folder is None else Path(folder))
    return None if found is None else str(found)


def discard() -> None:
    global _running
    recording, _running = _running, None
    if recording is not None:
        recording.stop(discard=True)
