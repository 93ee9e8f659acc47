"""Videos as tensorboardX's writer makes them with the real moviepy, beside ours; and what our reader says of them.

torch's writer knows moviepy 1 only, and writes nothing with today's.
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

import seamark

pytest.importorskip("moviepy", reason="run it with `make test-integrations`")
TensorboardXWriter = pytest.importorskip("tensorboardX").SummaryWriter

# Few colours: a GIF holds 256, and which of more are kept is the encoder's choice.
LEVELS = np.array([0, 85, 170, 255], np.uint8)


def clips(count: int, channels: int, *, length: int = 5) -> Any:
    return LEVELS[np.random.default_rng(count).integers(0, 4, (count, length, channels, 8, 12))]


def one_image(folder: Path, tag: str) -> Any:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    [image] = EventAccumulator(str(folder)).Reload().Images(tag)
    return image


def frames_of(encoded: bytes) -> tuple[list[int], Any]:
    """How long each is shown, in ms, and all of them as [t, h, w, 3]."""
    film = Image.open(io.BytesIO(encoded))
    durations, frames = [], []
    for frame in ImageSequence.Iterator(film):
        durations.append(round(frame.info["duration"]))
        frames.append(np.asarray(frame.convert("RGB")))
    return durations, np.stack(frames)


@pytest.mark.parametrize(("count", "channels"), [(1, 3), (1, 1), (3, 3), (4, 1)])
@pytest.mark.parametrize("fps", [4, 10])
def test_the_same_video_has_the_same_frames(count: int, channels: int, fps: int, tmp_path: Path) -> None:
    batch = clips(count, channels)
    for name, make in (("theirs", TensorboardXWriter), ("ours", seamark.SummaryWriter)):
        writer = make(str(tmp_path / name))
        writer.add_video("film", batch, 7, fps=fps)
        writer.close()
    theirs, ours = (one_image(tmp_path / name, "film") for name in ("theirs", "ours"))
    assert (ours.step, ours.width, ours.height) == (theirs.step, theirs.width, theirs.height)
    their_times, their_frames = frames_of(theirs.encoded_image_string)
    our_times, our_frames = frames_of(ours.encoded_image_string)
    np.testing.assert_array_equal(our_frames, their_frames)
    assert our_times == their_times


def test_floats_and_other_orders_of_dimensions(tmp_path: Path) -> None:
    batch = np.moveaxis(clips(2, 3), 2, -1) / np.float32(255)
    for name, make in (("theirs", TensorboardXWriter), ("ours", seamark.SummaryWriter)):
        writer = make(str(tmp_path / name))
        writer.add_video("film", batch, 1, dataformats="NTHWC")
        writer.close()
    theirs, ours = (frames_of(one_image(tmp_path / name, "film").encoded_image_string) for name in ("theirs", "ours"))
    assert ours[0] == theirs[0]
    np.testing.assert_array_equal(ours[1], theirs[1])


def test_our_reader_takes_theirs_for_a_video(tmp_path: Path) -> None:
    with TensorboardXWriter(str(tmp_path)) as writer:
        writer.add_video("film", clips(1, 3), 7)
    [logged] = seamark.open(tmp_path).images("film")
    [film] = logged.value.images
    assert (logged.step, film.mime) == (7, "image/gif")
    assert frames_of(film.data)[1].shape == (5, 8, 12, 3)


def test_the_shim_makes_videos_without_tensorboardx_and_moviepy(tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules["moviepy"] = None
import seamark; seamark.install_shim()
from tensorboardX import SummaryWriter
import numpy as np
with SummaryWriter({str(tmp_path)!r}) as writer:
    writer.add_video("film", np.zeros((1, 3, 3, 8, 12), np.uint8), 7, fps=4)
    writer.add_images("pictures", np.zeros((2, 3, 4, 4)), 7)
    writer.add_image_with_boxes("boxes", np.zeros((3, 16, 16)), np.array([[1, 1, 8, 8]]), 7, labels=["é"])
    writer.add_histogram_raw("raw", 0, 3, 3, 6, 14, [1, 2, 3], [1, 1, 1], 7)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    durations, frames = frames_of(one_image(tmp_path, "film").encoded_image_string)
    assert durations and frames.shape[1:] == (8, 12, 3)
    assert one_image(tmp_path, "boxes").width == 16
