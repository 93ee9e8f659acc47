"""What run.log takes besides numbers: thin wrappers that say what an array, a file or a string is meant to be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.write.summary_writer import SummaryWriter

MAX_TABLE_ROWS = 10_000
MAX_CELL_CHARACTERS = 1_000
CHANNELS = (1, 3, 4)


class Value:
    """Holds a copy of its data: the program may go on and change its own.

    Data that cannot be shown is no error where the value is made, which would end a training, but where it is logged:
    `run.log` warns once and goes on.
    """

    error: Exception | None = None

    @contextmanager
    def _deferred_error(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.error = error

    def _check(self) -> None:
        if self.error is not None:
            raise self.error

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        raise NotImplementedError


class Image(Value):
    """A picture: an array ([h, w], [h, w, c], [c, h, w]), a PIL image, a figure, a file or its bytes.

    Where an array could be both, it is [h, w, c], and a torch tensor [c, h, w]; `dataformats` ("HWC", "CHW", "HW") says
    otherwise. Floats go from 0 to 1; `mode` is PIL's and converts; `caption` stands below it
    (text `<tag>/caption`).
    """

    def __init__(
        self, data_or_path: Any, mode: str | None = None, caption: str | None = None, *, dataformats: str | None = None
    ) -> None:
        self.caption = caption
        self.file = b""
        self.pixels: NDArray[Any] | None = None
        with self._deferred_error():
            if isinstance(data_or_path, bytes):
                self.file = data_or_path
            elif isinstance(data_or_path, str | os.PathLike):
                self.file = Path(data_or_path).read_bytes()
            else:
                self.pixels = _pixels(data_or_path, mode, dataformats)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        write_images([self], writer, tag, step)


def write_images(images: Sequence[Image], writer: SummaryWriter, tag: str, step: int) -> None:
    """Several pictures under one tag, as the samples of one step. The first that cannot be shown is an error, after
    the others were written."""
    good = [each for each in images if each.error is None]
    if good:
        _write_images(good, writer, tag, step)
    for each in images:
        each._check()


def _write_images(images: Sequence[Image], writer: SummaryWriter, tag: str, step: int) -> None:
    from seamark.kinds import image, text

    nbytes = sum(len(each.file) if each.pixels is None else each.pixels.nbytes for each in images)

    def make() -> Any:
        files = [each.file if each.pixels is None else image.png(_bytes(each.pixels)) for each in images]
        return image.encode_files(tag, files)

    writer._add_later(make, nbytes, step, None)
    captions = [each.caption for each in images]
    if any(captions):
        told = [str(caption or "").encode(errors="replace").decode() for caption in captions]
        writer._add(text.encode(f"{tag}/caption", told if len(told) > 1 else told[0]), step, None)


def _pixels(data: Any, mode: str | None, dataformats: str | None) -> NDArray[Any]:
    import numpy as np

    from seamark.write.arrays import as_copy

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
            f"an image has the dimensions dataformats says, such as 'HW', 'HWC' or 'CHW': got shape {shape}"
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
    """[h, w, c] of uint8. Floats go from 0 to 1, unless one is above: then they go to 255."""
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
    """A matplotlib figure as it looks now, [h, w, 4]."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # type: ignore[import-not-found, unused-ignore]

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels: NDArray[Any] = np.array(canvas.buffer_rgba())
    return pixels


class Histogram(Value):
    """The distribution of all elements, or counts and edges as numpy.histogram gives them."""

    def __init__(self, sequence: Any = None, np_histogram: tuple[Any, Any] | None = None, num_bins: int = 64) -> None:
        from seamark.write.arrays import as_copy

        if (sequence is None) == (np_histogram is None):
            raise ValueError("Histogram takes either a sequence or np_histogram=(counts, edges)")
        self.num_bins = num_bins
        self.values: NDArray[Any] | None = None
        self.buckets: NDArray[Any] | None = None
        with self._deferred_error():
            if np_histogram is None:
                self.values = as_copy(sequence)
            else:
                self.buckets = _buckets(*np_histogram)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import histogram

        self._check()
        values, buckets = self.values, self.buckets
        if values is None:
            writer._add(histogram.encode_buckets(tag, buckets), step, None)  # type: ignore[arg-type]
            return
        writer._add_later(lambda: histogram.encode(tag, values, buckets=self.num_bins), values.nbytes, step, None)


def _buckets(counts: Any, edges: Any) -> NDArray[Any]:
    import numpy as np

    from seamark.write.arrays import as_array

    heights, limits = as_array(counts).astype(float), as_array(edges).astype(float)
    if len(limits) != len(heights) + 1:
        raise ValueError(f"np_histogram has {len(heights)} counts and {len(limits)} edges, want one edge more")
    return np.column_stack([limits[:-1], limits[1:], heights])


class Audio(Value):
    """A clip: samples [t] or [t, channels] (floats from -1 to 1), or a file or its bytes."""

    def __init__(self, data_or_path: Any, sample_rate: int | None = None, caption: str | None = None) -> None:
        from seamark.write.arrays import as_copy

        self.caption, self.sample_rate = caption or "", sample_rate
        self.file = b""
        self.samples: NDArray[Any] | None = None
        is_file = isinstance(data_or_path, bytes | str | os.PathLike)
        if sample_rate is None and not is_file:
            raise ValueError("Audio of samples needs sample_rate, in hertz")
        with self._deferred_error():
            if isinstance(data_or_path, bytes):
                self.file = data_or_path
            elif is_file:
                self.file = Path(data_or_path).read_bytes()
            else:
                self.samples = as_copy(data_or_path)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import audio

        self._check()
        samples, rate, labels = self.samples, int(self.sample_rate or 0), [self.caption]
        if samples is None:
            writer._add_later(lambda: audio.encode_files(tag, [self.file], labels=labels), len(self.file), step, None)
            return
        make = lambda: audio.encode(tag, samples, sample_rate_hz=rate, labels=labels)  # noqa: E731
        writer._add_later(make, samples.nbytes, step, None)


class Video(Value):
    """Frames [t, c, h, w] or [n, t, c, h, w] (uint8, or floats 0 to 1), or a GIF, MP4 or WebM file or its bytes."""

    def __init__(self, data_or_path: Any, caption: str | None = None, fps: int = 4) -> None:
        from seamark.write.arrays import as_copy

        self.caption, self.fps = caption, fps
        self.image: Image | None = None
        if isinstance(data_or_path, bytes | str | os.PathLike):
            self.image = Image(data_or_path, caption=caption)
            self.error = self.image.error
            return
        with self._deferred_error():
            frames = as_copy(data_or_path)
            self.frames = frames[None] if frames.ndim == 4 else frames
            if self.frames.ndim != 5:
                raise ValueError(f"a video is [t, c, h, w] or [n, t, c, h, w]: got shape {list(frames.shape)}")

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        self._check()
        if self.image is not None:
            _write_film(self.image.file, writer, tag, step)
        else:
            writer.add_video(tag, self.frames, step, fps=self.fps)
        if self.caption:
            Text(self.caption).write(writer, f"{tag}/caption", step)


def _write_film(file: bytes, writer: SummaryWriter, tag: str, step: int) -> None:
    """As a picture that moves; MP4 and WebM say their size only to those who decode them."""
    from seamark.kinds import image

    width, height = image.size_of(file) or (0, 0)
    writer._add_later(lambda: image.encode_files(tag, [file], width=width, height=height), len(file), step, None)


class Text(Value):
    """Markdown."""

    description = ""

    def __init__(self, text: str) -> None:
        self.text = str(text)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import text

        self._check()
        readable = self.text.encode(errors="replace").decode()
        writer._add(text.encode(tag, readable, description=self.description), step, None)


class Html(Text):
    """HTML as a string or in a file. The page shows headings, formatting, lists, tables, links and embedded pictures
    of it; scripts, styles and frames never reach a browser."""

    description = "text/html"  # seamark.kinds.text.HTML

    def __init__(self, data: str | os.PathLike[str]) -> None:
        is_file = isinstance(data, os.PathLike) or (data.endswith((".html", ".htm")) and "\n" not in data)
        super().__init__("" if is_file else str(data))
        if is_file:
            with self._deferred_error():
                self.text = Path(data).read_text(encoding="utf-8")


class Table(Value):
    """Rows under named columns, or a pandas data frame; shown as a table of text."""

    def __init__(
        self, columns: Sequence[str] | None = None, data: Iterable[Sequence[Any]] | None = None, dataframe: Any = None
    ) -> None:
        if dataframe is not None:
            columns, data = [str(name) for name in dataframe.columns], dataframe.itertuples(index=False, name=None)
        self.columns = [str(name) for name in columns or ("Input", "Output", "Expected")]
        self.data: list[list[Any]] = []
        for row in () if data is None else data:
            self.add_data(*row)

    def add_data(self, *row: Any) -> None:
        if len(row) != len(self.columns):
            raise ValueError(f"a row has {len(row)} cells, the table {len(self.columns)} columns: {self.columns}")
        self.data.append(list(row))

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import text

        rows = [[f"**{_cell(name)}**" for name in self.columns]]
        rows += [[_cell(cell) for cell in row] for row in self.data[:MAX_TABLE_ROWS]]
        left_out = len(self.data) - MAX_TABLE_ROWS
        if left_out > 0:
            rows.append([f"… {left_out} more rows", *[""] * (len(self.columns) - 1)])
        nbytes = sum(len(cell) for row in rows for cell in row)
        writer._add_later(lambda: text.encode(tag, rows), nbytes, step, None)


def _cell(value: Any) -> str:
    if isinstance(value, Text):
        value = value.text
    shown = f"<{type(value).__name__}>" if isinstance(value, Value) else str(value)
    return shown[:MAX_CELL_CHARACTERS].encode(errors="replace").decode()
