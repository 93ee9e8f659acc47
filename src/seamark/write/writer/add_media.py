"""The writer's methods for images, figures, videos, audio and meshes.

The caller's thread checks and copies the data; the background thread encodes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamark.write.writer.base import WriterBase


class AddMedia(WriterBase):
    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Logs a picture: uint8 from 0 to 255, other types from 0 to 1. A batch (N) becomes a grid."""
        self._add_picture(tag, img_tensor, global_step, walltime, dataformats)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Logs a batch of pictures as one grid of at most eight columns."""
        self._add_picture(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: Sequence[str] | str | None = None,
    ) -> None:
        """Logs a picture with boxes drawn on it, [n, 4] of left, top, right, bottom, and a label for each."""
        from seamark.write.encode.arrays import as_copy

        boxes = as_copy(box_tensor)
        if boxes.ndim != 2 or boxes.shape[1] != 4:
            raise ValueError(f"boxes have the wrong shape: got {list(boxes.shape)}, want [n, 4]")
        names = [labels] if isinstance(labels, str) else list(labels or ())
        fitting = names if len(names) == len(boxes) else None
        self._add_picture(
            tag, img_tensor, global_step, walltime, dataformats, rescale=rescale, boxes=boxes, labels=fitting
        )

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: Any = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Logs a matplotlib figure, or a list of them as a grid, and closes them."""
        if not self.sink.writes:
            return
        import numpy as np

        from seamark.write.encode import pictures

        if isinstance(figure, list | tuple):
            batch = np.stack([pictures.of_figure(one, close=close) for one in figure])
            self._add_picture(tag, batch, global_step, walltime, "NHWC")
        else:
            self._add_picture(tag, pictures.of_figure(figure, close=close), global_step, walltime, "HWC")

    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float | None = 4,
        walltime: float | None = None,
        dataformats: str = "NTCHW",
        *,
        video_format: str = "gif",
    ) -> None:
        """Logs a video, a batch of them in a grid.

        Every viewer shows GIF. 'mp4' and 'webm' are far smaller and need PyAV; without it, GIF is written.
        """
        from seamark.write.encode import video
        from seamark.write.encode.arrays import as_array, copy_of

        array = as_array(vid_tensor)
        names = video.check(array.shape, dataformats, video_format)
        if video_format != "gif" and not video.has_av():
            self.sink.warn_once(video_format, f"{video_format} needs PyAV (pip install av); GIF is written instead")
            video_format = "gif"
        if not self.sink.writes:
            return
        copied, frames_per_sec = copy_of(array), float(fps or 4)
        self.sink.add_later(
            lambda: video.encode(tag, copied, names, fps=frames_per_sec, video_format=video_format),
            copied.nbytes,
            global_step,
            walltime,
        )

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Logs a sound: [t] or [t, channels] of floats from -1 to 1, or of int16."""
        from seamark.write.encode import sound
        from seamark.write.encode.arrays import as_copy

        samples = sound.checked(as_copy(snd_tensor))
        self.sink.add_later(lambda: sound.encode(tag, samples, int(sample_rate)), samples.nbytes, global_step, walltime)

    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Mapping[str, Any] | None = None,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs a mesh or a point cloud: [batch, n, 3] of positions, colours (to 255, or to 1) and vertex numbers."""
        from seamark.write.encode import meshes
        from seamark.write.encode.arrays import as_copy

        parts = [None if part is None else as_copy(part) for part in (vertices, colors, faces)]
        meshes.check(parts)
        nbytes = sum(part.nbytes for part in parts if part is not None)
        config = meshes.copy_config(config_dict)
        self.sink.add_later(lambda: meshes.encode(tag, parts, config), nbytes, global_step, walltime)

    def _add_picture(
        self, tag: str, pixels: Any, global_step: Any, walltime: float | None, dataformats: str, **drawing: Any
    ) -> None:
        from seamark.write.encode import pictures
        from seamark.write.encode.arrays import as_array, copy_of

        array = as_array(pixels)
        names = pictures.check_format(array.shape, dataformats)
        if not self.sink.writes:
            return
        copied = copy_of(array)
        self.sink.add_later(
            lambda: pictures.encode(tag, pictures.to_hwc(copied, names), **drawing),
            copied.nbytes,
            global_step,
            walltime,
        )
