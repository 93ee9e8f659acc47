"""The writer's methods for numbers and words: scalars beside the fast path, histograms, text, tensors."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from seamark import _core
from seamark.write.base import WriterBase
from seamark.write.recorder import Recorder


class AddNumbers(WriterBase):
    _key_recorders: dict[str, Recorder]
    _grouped: set[str]

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        global_step: Any = None,
        walltime: float | None = None,
        *,
        one_run: bool = False,
    ) -> None:
        """Logs several numbers that belong in one chart.

        As in torch, each key becomes a run of its own, `<run>/<main tag>_<key>`, all with the tag `main_tag`. With
        `one_run=True` no runs are made: the tags are `main_tag/key`, and a custom-scalars layout puts them in a chart.
        """
        if self._recorder is None:
            return
        wall_time = self._wall(walltime)
        if one_run:
            self._group(main_tag)
        for key, value in tag_scalar_dict.items():
            recorder = self._recorder if one_run else self._key_recorder(main_tag, key)
            tag = f"{main_tag}/{key}" if one_run else main_tag
            self._after_scalar(_core.NOT_PLAIN, tag, value, global_step, wall_time, recorder)

    def add_tensor(self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None) -> None:
        """Logs a tensor as it is."""
        from seamark.kinds import tensors
        from seamark.write.arrays import as_copy

        array = as_copy(tensor)
        self._add_later(lambda: tensors.encode(tag, array, plugin_name="tensor"), array.nbytes, global_step, walltime)

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

    def add_histogram_raw(
        self,
        tag: str,
        min: float,
        max: float,
        num: float,
        sum: float,
        sum_squares: float,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs a histogram that was counted elsewhere; the limits are right edges."""
        from seamark.write import histograms

        made = histograms.of_counts(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts)
        self._add(made, global_step, walltime)

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs the precision and recall of a binary classifier, at thresholds from 0 to 1."""
        from seamark.kinds import pr_curve
        from seamark.write.arrays import as_array

        truth, scores = as_array(labels), as_array(predictions)
        weight = 1.0 if weights is None else as_array(weights)
        made = pr_curve.encode(tag, truth, scores, weights=weight, thresholds=num_thresholds)
        self._add(made, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs a curve that was computed elsewhere. Its length tells the number of thresholds."""
        from seamark.kinds import pr_curve
        from seamark.write.arrays import as_array

        counts = (true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts)
        rows = [as_array(row) for row in (*counts, precision, recall)]
        self._add(pr_curve.encode_counts(tag, rows), global_step, walltime)

    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Logs Markdown. As in torch, the tag becomes `<tag>/text_summary`."""
        from seamark.kinds import text

        self._add(text.encode(f"{tag}/text_summary", [text_string]), global_step, walltime)

    def _key_recorder(self, main_tag: str, key: str) -> Recorder:
        folder = key_folder(self.log_dir, main_tag, key)
        found = self._key_recorders.get(folder)
        if found is None:
            found = self._key_recorders[folder] = self._recorder_of(folder)
        return found

    def _group(self, main_tag: str) -> None:
        if main_tag not in self._grouped:
            from seamark.write import layouts

            self._grouped.add(main_tag)
            self._add_layout(layouts.one_chart(main_tag))

    def _after_scalar(
        self, said: int, tag: Any, value: Any, step: Any, walltime: float | None, recorder: Recorder | None
    ) -> None:
        """What the fast path has to say that is not "done"."""
        if recorder is None:
            return
        if said == _core.NOT_PLAIN:
            from seamark.write.arrays import as_number

            said = recorder.scalar(str(tag), as_number(value), self._step(step), self._wall(walltime))
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


def key_folder(log_dir: str, main_tag: str, key: str) -> str:
    """The folder of a key's run. As in torch, slashes in the key make folders, but none outside of the run's."""
    name = f"{main_tag.replace('/', '_')}_{key}"
    parts = re.split(r"[/\\]" if os.name == "nt" else "/", name)
    return "/".join([log_dir, *("__" if part == ".." else part for part in parts)])
