"""Encodes sounds as torch's writers do: a WAV file in an audio value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import Summary
from seamark.kinds import audio


def checked(samples: NDArray[Any]) -> NDArray[Any]:
    """Returns [t, channels]. Raises ValueError for a wrong shape or dtype."""
    squeezed = samples if samples.ndim == 2 and 1 not in samples.shape else samples.squeeze()
    if squeezed.ndim == 0:
        squeezed = squeezed[None]
    whole = squeezed[:, None] if squeezed.ndim == 1 else squeezed
    if whole.ndim != 2 or whole.size == 0:
        raise ValueError(f"audio has the wrong shape: got {list(samples.shape)}, want [t] or [t, channels]")
    if whole.shape[1] > 64:
        raise ValueError(f"audio has {whole.shape[1]} channels: got {list(samples.shape)}, want [t, channels]")
    if whole.dtype != np.int16 and whole.dtype.kind not in "fiub":
        raise ValueError(f"audio has the wrong dtype: got {whole.dtype}, want float or int16")
    return whole


def encode(tag: str, samples: NDArray[Any], sample_rate_hz: int) -> Summary.Value:
    if samples.dtype != np.int16:
        # As in torch: clipped to -1..1, multiplied by the largest int16, truncated.
        clipped = np.nan_to_num(samples.astype(np.float64), nan=0.0).clip(-1, 1)
        samples = (clipped * np.iinfo(np.int16).max).astype(np.int16)
    frames, channels = samples.shape
    return Summary.Value(
        tag=tag,
        audio=Summary.Audio(
            sample_rate=sample_rate_hz,
            num_channels=channels,
            length_frames=frames,
            encoded_audio_string=audio.wav(samples, sample_rate_hz=sample_rate_hz),
            content_type="audio/wav",
        ),
    )
