"""The writer's methods for numbers and words: scalars beside the fast path, histograms, text, tensors."""

from __future__ import annotations

from time import time
from typing import Any

from seamark import _core
from seamark.write.base import WriterBase, as_step
from seamark.write.recorder import Recorder


class AddNumbers(WriterBase):
    _key_recorders: dict[str, Recorder]

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Any = None,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Logs the distribution of all elements of `values`. `bins` as in numpy.histogram, or 'tensorflow'."""
        from seamark.write import histograms
        from seamark.write.arrays import as_copy

        array = as_copy(values)
        if array.size == 0:
            raise ValueError("a histogram needs at least one element")
        self._add_later(lambda: histograms.encode(tag, array, bins, max_bins), array.nbytes, global_step, walltime)

    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Logs Markdown. As in torch, the tag becomes `<tag>/text_summary`."""
        from seamark.kinds import text

        self._add(text.encode(f"{tag}/text_summary", [text_string]), global_step, walltime)

    def _after_scalar(self, said: int, tag: Any, value: Any, step: Any, walltime: float | None) -> None:
        """What the fast path has to say that is not "done"."""
        recorder = self._recorder
        if recorder is None:
            return
        if said == _core.NOT_PLAIN:
            from seamark.write.arrays import as_number

            wall_time = time() if walltime is None else float(walltime)
            said = recorder.scalar(str(tag), as_number(value), as_step(step), wall_time)
        if said:
            recorder.signal(said)

    def _add_styled_scalar(
        self, tag: str, value: Any, step: Any, walltime: float | None, double: bool, display_name: str, description: str
    ) -> None:
        from seamark.kinds import scalar
        from seamark.write.arrays import as_number

        encoded = scalar.encode(
            tag, as_number(value), double=double, display_name=display_name, description=description
        )
        self._add(encoded, step, walltime)
