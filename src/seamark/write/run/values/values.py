"""Wrappers for values that run.log accepts besides numbers and images: histograms, audio, video, text, tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.format.surrogates import replace_surrogates
from seamark.write.run.values.image import Image
from seamark.write.run.values.value import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.write.writer.summary_writer import SummaryWriter

MAX_TABLE_ROWS = 10_000
MAX_CELL_CHARACTERS = 1_000


class Histogram(Value):
    """The distribution of all elements, or counts and edges as returned by numpy.histogram."""

    def __init__(self, sequence: Any = None, np_histogram: tuple[Any, Any] | None = None, num_bins: int = 64) -> None:
        from seamark.write.encode.arrays import as_copy

        if (sequence is None) == (np_histogram is None):
            raise ValueError("Histogram takes either a sequence or np_histogram=(counts, edges)")
        self.num_bins = num_bins
        self.values: NDArray[Any] | None = None
        self.buckets: NDArray[Any] | None = None
        with self.deferred_error():
            if np_histogram is None:
                self.values = as_copy(sequence)
            else:
                self.buckets = _buckets(*np_histogram)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import histogram

        self.check()
        values, buckets = self.values, self.buckets
        if values is None:
            writer.sink.add(histogram.encode_buckets(tag, buckets), step)  # type: ignore[arg-type]
            return
        writer.sink.add_later(lambda: histogram.encode(tag, values, buckets=self.num_bins), values.nbytes, step)


def _buckets(counts: Any, edges: Any) -> NDArray[Any]:
    import numpy as np

    from seamark.write.encode.arrays import as_array

    heights, limits = as_array(counts).astype(float), as_array(edges).astype(float)
    if len(limits) != len(heights) + 1:
        raise ValueError(f"np_histogram has {len(heights)} counts and {len(limits)} edges, want one edge more")
    return np.column_stack([limits[:-1], limits[1:], heights])


class Audio(Value):
    """A clip: samples [t] or [t, channels] (floats from -1 to 1), or a file or its bytes."""

    def __init__(self, data_or_path: Any, sample_rate: int | None = None, caption: str | None = None) -> None:
        from seamark.write.encode.arrays import as_copy

        self.caption, self.sample_rate = caption or "", sample_rate
        self.file = b""
        self.samples: NDArray[Any] | None = None
        is_file = isinstance(data_or_path, bytes | str | os.PathLike)
        if sample_rate is None and not is_file:
            raise ValueError("Audio of samples needs sample_rate, in hertz")
        with self.deferred_error():
            if isinstance(data_or_path, bytes):
                self.file = data_or_path
            elif is_file:
                self.file = Path(data_or_path).read_bytes()
            else:
                self.samples = as_copy(data_or_path)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import audio

        self.check()
        samples, rate, labels = self.samples, int(self.sample_rate or 0), [self.caption]
        if samples is None:
            writer.sink.add_later(lambda: audio.encode_files(tag, [self.file], labels=labels), len(self.file), step)
            return
        make = lambda: audio.encode(tag, samples, sample_rate_hz=rate, labels=labels)  # noqa: E731
        writer.sink.add_later(make, samples.nbytes, step)


class Video(Value):
    """Frames [t, c, h, w] or [n, t, c, h, w] (uint8, or floats 0 to 1), or a GIF, MP4 or WebM file or its bytes."""

    def __init__(self, data_or_path: Any, caption: str | None = None, fps: int = 4) -> None:
        from seamark.write.encode.arrays import as_copy

        self.caption, self.fps = caption, fps
        self.image: Image | None = None
        if isinstance(data_or_path, bytes | str | os.PathLike):
            self.image = Image(data_or_path, caption=caption)
            self.error = self.image.error
            return
        with self.deferred_error():
            frames = as_copy(data_or_path)
            self.frames = frames[None] if frames.ndim == 4 else frames
            if self.frames.ndim != 5:
                raise ValueError(f"a video is [t, c, h, w] or [n, t, c, h, w]: got shape {list(frames.shape)}")

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        self.check()
        if self.image is not None:
            _write_video_file(self.image.file, writer, tag, step)
        else:
            writer.add_video(tag, self.frames, step, fps=self.fps)
        if self.caption:
            Text(self.caption).write(writer, f"{tag}/caption", step)


def _write_video_file(file: bytes, writer: SummaryWriter, tag: str, step: int) -> None:
    """Writes a video as an image value. The size of MP4 and WebM is unknown without decoding."""
    from seamark.kinds import image

    width, height = image.size_of(file) or (0, 0)
    writer.sink.add_later(lambda: image.encode_files(tag, [file], width=width, height=height), len(file), step)


class Text(Value):
    """Markdown."""

    description = ""

    def __init__(self, text: str) -> None:
        self.text = str(text)

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        from seamark.kinds import text

        self.check()
        readable = replace_surrogates(self.text)
        writer.sink.add(text.encode(tag, readable, description=self.description), step)


class Html(Text):
    """HTML as a string or a file. The page shows headings, formatting, lists, tables, links and embedded pictures; the
    server removes scripts, styles and frames."""

    description = "text/html"  # seamark.kinds.text.HTML

    def __init__(self, data: str | os.PathLike[str]) -> None:
        is_file = isinstance(data, os.PathLike) or (data.endswith((".html", ".htm")) and "\n" not in data)
        super().__init__("" if is_file else str(data))
        if is_file:
            with self.deferred_error():
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
        writer.sink.add_later(lambda: text.encode(tag, rows), nbytes, step)


def _cell(value: Any) -> str:
    if isinstance(value, Text):
        value = value.text
    shown = f"<{type(value).__name__}>" if isinstance(value, Value) else str(value)
    return replace_surrogates(shown[:MAX_CELL_CHARACTERS])
