"""Audio: encoded clips, each with a label."""

import wave
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamark.format.messages import AudioPluginData, Summary
from seamark.kinds.payload import DecodeError, parse_value, utf8
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings, strings_of

PLUGIN_NAME = "audio"
UNKNOWN_MIME = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Clip:
    mime: str
    data: bytes
    label: str  # Markdown


@dataclass(frozen=True, slots=True)
class AudioClips:
    clips: tuple[Clip, ...]


def encode(
    tag: str,
    samples: ArrayLike,
    *,
    sample_rate_hz: int,
    labels: Sequence[str] | None = None,
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    """Encodes WAV clips from [t], [t, channels] or [clips, t, channels]; floats range from -1 to 1."""
    batch = np.asarray(samples)
    if batch.ndim == 1:
        batch = batch[:, None]
    if batch.ndim == 2:
        batch = batch[None]
    if batch.ndim != 3:
        raise ValueError(f"audio has the wrong shape: got {list(batch.shape)}, want [t], [t, c] or [clips, t, c]")
    files = [wav(clip, sample_rate_hz=sample_rate_hz) for clip in batch]
    return encode_files(tag, files, labels=labels, display_name=display_name, description=description)


def encode_files(
    tag: str,
    files: Sequence[bytes],
    *,
    labels: Sequence[str] | None = None,
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    """Wraps clips that are already encoded."""
    names = [""] * len(files) if labels is None else labels
    if len(names) != len(files):
        raise ValueError(f"labels do not match the clips: got {len(names)}, want {len(files)}")
    pairs = [item for pair in zip(files, names, strict=True) for item in pair]
    return tensor_value(
        tag,
        from_strings(pairs, shape=[len(files), 2]),
        plugin_name=PLUGIN_NAME,
        content=AudioPluginData(encoding=AudioPluginData.WAV).SerializeToString(),
        display_name=display_name,
        description=description,
    )


def decode(data: bytes) -> AudioClips:
    value = parse_value(data, "audio")
    if value.WhichOneof("value") == "audio":
        encoded = value.audio.encoded_audio_string
        return AudioClips((Clip(sniff(encoded), encoded, ""),))
    strings = strings_of(value, "audio")
    if strings.ndim == 1:
        return AudioClips(tuple(Clip(sniff(clip), clip, "") for clip in strings))
    if strings.ndim == 2 and strings.shape[1] == 2:
        return AudioClips(tuple(Clip(sniff(clip), clip, utf8(label)) for clip, label in strings))
    raise DecodeError(f"audio tensor has the wrong shape: got {list(strings.shape)}, want [k] or [k, 2]")


def sniff(data: bytes) -> str:
    """The MIME type, from the first bytes: a writer could claim any type."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "audio/wav"
    if data.startswith(b"fLaC"):
        return "audio/flac"
    if data.startswith(b"OggS"):
        return "audio/ogg"
    if data.startswith((b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")):
        return "audio/mpeg"
    return UNKNOWN_MIME


def wav(samples: NDArray[np.generic], *, sample_rate_hz: int) -> bytes:
    """Encodes [t, channels] as a 16-bit WAV file."""
    out = BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(sample_rate_hz)
        file.writeframes(_as_int16(samples).astype("<i2").tobytes())
    return out.getvalue()


def _as_int16(samples: NDArray[np.generic]) -> NDArray[np.int16]:
    if samples.dtype == np.int16:
        return samples.astype(np.int16, copy=False)
    if samples.dtype.kind != "f":
        raise ValueError(f"audio has the wrong dtype: got {samples.dtype}, want float or int16")
    # As TensorFlow does: multiply by 2^15 in float32, round half away from zero, clip.
    scaled = np.nan_to_num(samples.astype(np.float32) * np.float32(32768), nan=0.0)
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
    clipped: NDArray[np.int16] = np.clip(rounded, -32768, 32767).astype(np.int16)
    return clipped
