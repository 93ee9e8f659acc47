"""Image: pictures from arrays, PIL images, matplotlib figures and files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.format.surrogates import replace_surrogates
from seamark.write.run.values.value import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.write.writer.summary_writer import SummaryWriter

CHANNELS = (1, 3, 4)


class Image(Value):
    """A picture: an array ([h, w], [h, w, c], [c, h, w]), a PIL image, a figure, a file or its bytes.

    An ambiguous array is read as [h, w, c], a torch tensor as [c, h, w], unless `dataformats` ("HWC", "CHW", "HW") is
    given. Floats range from 0 to 1. `mode` is a PIL mode to convert to. `caption` is logged as text `<tag>/caption`.
    """

    def __init__(
        self, data_or_path: Any, mode: str | None = None, caption: str | None = None, *, dataformats: str | None = None
    ) -> None:
        self.caption = caption
        self.file = b""
        self.pixels: NDArray[Any] | None = None
        with self.deferred_error():
            if isinstance(data_or_path, bytes):
                self.file = data_or_path
            elif isinstance(data_or_path, str | os.PathLike):
                self.file = Path(data_or_path).read_bytes()
            else:
                self.pixels = _pixels(data_or_path, mode, dataformats)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        write_images([self], writer, tag, step)


def write_images(images: Sequence[Image], writer: SummaryWriter, tag: str, step: int) -> None:
    """Writes pictures as samples of one step. Raises the error of the first bad one after writing the others."""
    good = [each for each in images if each.error is None]
    if good:
        _write_images(good, writer, tag, step)
    for each in images:
        each.check()


def _write_images(images: Sequence[Image], writer: SummaryWriter, tag: str, step: int) -> None:
    from seamark.kinds import image, text

    nbytes = sum(len(each.file) if each.pixels is None else each.pixels.nbytes for each in images)

    def make() -> Any:
        files = [each.file if each.pixels is None else image.png(_bytes(each.pixels)) for each in images]
        return image.encode_files(tag, files)

    writer.sink.add_later(make, nbytes, step)
    captions = [each.caption for each in images]
    if any(captions):
        texts = [replace_surrogates(str(caption or "")) for caption in captions]
        writer.sink.add(text.encode(f"{tag}/caption", texts if len(texts) > 1 else texts[0]), step)


def _pixels(data: Any, mode: str | None, dataformats: str | None) -> NDArray[Any]:
    import numpy as np

    from seamark.write.encode.arrays import as_copy

    if hasattr(data, "savefig"):
        return figure_pixels(data)
    if hasattr(data, "convert") and hasattr(data, "mode"):  # PIL
        wanted = mode or (data.mode if data.mode in ("L", "RGB", "RGBA") else "RGBA" if "A" in data.mode else "RGB")
        return np.array(data.convert(wanted))
    pixels = as_copy(data)
    shape = list(pixels.shape)
    formats = (dataformats or _dataformats(shape, is_torch=hasattr(data, "detach"))).upper()
    if sorted(formats) != sorted("HWC"[: len(shape)]) or len(shape) < 2:
        raise ValueError(
            f"the dimensions of an image must match dataformats, such as 'HW', 'HWC' or 'CHW': got shape {shape}"
            + (f" for {dataformats!r}" if dataformats else "")
        )
    pixels = pixels.transpose([formats.index(axis) for axis in "HWC"[: pixels.ndim]])
    if 0 in shape or (pixels.ndim == 3 and pixels.shape[2] not in CHANNELS):
        raise ValueError(
            f"an image has 1, 3 or 4 channels: got shape {shape}, read as {formats}; dataformats='CHW' or 'HWC' "
            "says which dimension is which"
        )
    return pixels


def _dataformats(shape: list[int], *, is_torch: bool) -> str:
    if len(shape) != 3:
        return "HWC"[: len(shape)]
    may_be_chw, may_be_hwc = shape[0] in CHANNELS, shape[2] in CHANNELS
    return "CHW" if may_be_chw and (is_torch or not may_be_hwc) else "HWC"


def _bytes(pixels: NDArray[Any]) -> NDArray[Any]:
    """[h, w, c] of uint8. Floats range from 0 to 1, or to 255 if one is above 1."""
    import numpy as np

    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    if pixels.dtype == np.bool_:
        return pixels.astype(np.uint8) * np.uint8(255)
    if pixels.dtype.kind == "f":
        finite = np.nan_to_num(pixels.astype(np.float32), nan=0.0, posinf=1.0, neginf=0.0)
        pixels = finite if finite.max() > 1.0 else finite * np.float32(255.0)
        pixels = np.round(pixels)
    clipped: NDArray[Any] = np.clip(pixels, 0, 255).astype(np.uint8)
    return clipped


def figure_pixels(figure: Any) -> NDArray[Any]:
    """Renders a matplotlib figure as [h, w, 4]."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # type: ignore[import-not-found, unused-ignore]

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels: NDArray[Any] = np.array(canvas.buffer_rgba())
    return pixels
