"""Profiles some batches of a Keras training with the backend's profiler."""

from __future__ import annotations

from pathlib import Path

import keras

from seamark.write.profile.backends import ProfileOptions
from seamark.write.profile.recording import ProfileRecording
from seamark.write.writer import ranks


class ProfiledBatches:
    """Profiles a range of batches, counted from 1; 0 means none. In a distributed training only the chief does."""

    def __init__(self, batches: int | str | tuple[int, int], folder: Path) -> None:
        self.first, self.last = batch_range(batches)
        self._folder = folder
        self._recording: ProfileRecording | None = None

    def batch_begins(self, batch: int) -> None:
        if batch == self.first and self._recording is None and ranks.detect().is_chief:
            options = ProfileOptions(first_step=batch)
            self._recording = ProfileRecording(self._folder, keras.backend.backend(), options)
            self._recording.start()

    def batch_ends(self, batch: int) -> None:
        if batch >= self.last:
            self.stop()
        elif self._recording is not None:
            self._recording.step()

    def stop(self) -> None:
        recording, self._recording = self._recording, None
        if recording is not None:
            recording.stop()


def batch_range(batches: int | str | tuple[int, int]) -> tuple[int, int]:
    try:
        bounds = [int(part) for part in batches.split(",")] if isinstance(batches, str) else batches
        first, last = (bounds, bounds) if isinstance(bounds, int) else bounds if len(bounds) == 2 else bounds * 2
    except (TypeError, ValueError):
        first, last = -1, -1
    if not 0 <= first <= last:
        raise ValueError(f"profile_batch must be a batch or a pair of first and last, from 0: got {batches!r}")
    return first, last
