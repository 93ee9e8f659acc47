"""Audio: samples to WAV, clips with labels, the legacy form."""

import wave
from io import BytesIO

import numpy as np
import pytest

from seamark.format.messages import Summary
from seamark.kinds import audio
from seamark.kinds.payload import DecodeError
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings


def samples_of(data: bytes) -> tuple[int, list[list[int]]]:
    with wave.open(BytesIO(data)) as file:
        frames = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())
        return file.getframerate(), frames.tolist()


def test_floats_become_16_bit_samples() -> None:
    value = audio.encode("a", [0.0, 1.0, -1.0, 0.5 / 32768, -0.5 / 32768, 7.0, np.nan], sample_rate_hz=8000)
    (clip,) = audio.decode(value.SerializeToString()).clips
    assert (clip.mime, clip.label) == ("audio/wav", "")
    assert samples_of(clip.data) == (8000, [[0], [32767], [-32768], [1], [-1], [32767], [0]])


def test_several_clips_keep_channels_and_labels() -> None:
    batch = np.zeros((2, 3, 2), dtype=np.int16)
    batch[1, 0] = [5, -5]
    decoded = audio.decode(audio.encode("a", batch, sample_rate_hz=44100, labels=["é", "b"]).SerializeToString())
    assert [clip.label for clip in decoded.clips] == ["é", "b"]
    assert samples_of(decoded.clips[1].data) == (44100, [[5, -5], [0, 0], [0, 0]])


def test_clips_without_labels_are_read() -> None:
    value = tensor_value("a", from_strings([b"fLaC..", b"OggS.."], shape=[2]), plugin_name="audio")
    decoded = audio.decode(value.SerializeToString())
    assert [clip.mime for clip in decoded.clips] == ["audio/flac", "audio/ogg"]


def test_the_legacy_form_is_one_clip_and_its_claimed_type_is_ignored() -> None:
    legacy = Summary.Audio(encoded_audio_string=b"<script>", content_type="text/html")
    assert audio.decode(Summary.Value(audio=legacy).SerializeToString()).clips == (
        audio.Clip("application/octet-stream", b"<script>", ""),
    )


def test_wrong_shapes_and_dtypes_are_rejected() -> None:
    with pytest.raises(ValueError, match="wrong shape"):
        audio.encode("a", np.zeros((1, 1, 1, 1)), sample_rate_hz=1)
    with pytest.raises(ValueError, match="int64"):
        audio.encode("a", [1, 2], sample_rate_hz=1)
    with pytest.raises(ValueError, match="labels"):
        audio.encode("a", [0.0], sample_rate_hz=1, labels=[])
    value = tensor_value("a", from_strings([b"1", b"2", b"3"], shape=[1, 3]), plugin_name="audio")
    with pytest.raises(DecodeError, match="want"):
        audio.decode(value.SerializeToString())
