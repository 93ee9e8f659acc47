"""The writer's methods for numbers and text: scalars, histograms, PR curves, text, tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamark.write.writer.base import WriterBase
from seamark.write.writer.event_sink import EventSink


class AddNumbers(WriterBase):
    _key_sinks: dict[str, EventSink]
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

        As in torch, each key becomes a run `<run>/<main tag>_<key>`, all with the tag `main_tag`. With `one_run=True`
        the tags are `main_tag/key` in this run, and a custom-scalars layout puts them into one chart.
        """
        if not self.sink.writes:
            return
        step, wall_time = self.sink.step_of(global_step), self.sink.wall_time_of(walltime)
        if one_run:
            self._group(main_tag)
        for key, value in tag_scalar_dict.items():
            sink = self.sink if one_run else self._key_sink(main_tag, key)
            sink.add_scalar(f"{main_tag}/{key}" if one_run else main_tag, value, step, wall_time)

    def add_tensor(self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None) -> None:
        """Logs a tensor unchanged."""
        from seamark.kinds import tensors
        from seamark.write.encode.arrays import as_copy

        array = as_copy(tensor)
        self.sink.add_later(
            lambda: tensors.encode(tag, array, plugin_name="tensor"), array.nbytes, global_step, walltime
        )

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
        from seamark.write.encode import histograms
        from seamark.write.encode.arrays import as_copy

        array = as_copy(values)
        if array.size == 0:
            raise ValueError("a histogram needs at least one element")
        edges = bins if isinstance(bins, str) else histograms.count_or_edges(bins)
        self.sink.add_later(lambda: histograms.encode(tag, array, edges, max_bins), array.nbytes, global_step, walltime)

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
        """Logs a histogram from its counts; the limits are right edges."""
        from seamark.write.encode import histograms

        made = histograms.of_counts(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts)
        self.sink.add(made, global_step, walltime)

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
        from seamark.write.encode.arrays import as_array

        truth, scores = as_array(labels), as_array(predictions)
        weight = 1.0 if weights is None else as_array(weights)
        made = pr_curve.encode(tag, truth, scores, weights=weight, thresholds=num_thresholds)
        self.sink.add(made, global_step, walltime)

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
        """Logs a precomputed curve. Its length is the number of thresholds."""
        from seamark.kinds import pr_curve
        from seamark.write.encode.arrays import as_array

        counts = (true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts)
        rows = [as_array(row) for row in (*counts, precision, recall)]
        self.sink.add(pr_curve.encode_counts(tag, rows), global_step, walltime)

    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Logs Markdown. As in torch, the tag becomes `<tag>/text_summary`."""
        from seamark.kinds import text

        self.sink.add(text.encode(f"{tag}/text_summary", [text_string]), global_step, walltime)

    def _key_sink(self, main_tag: str, key: str) -> EventSink:
        folder = key_folder(self.log_dir, main_tag, key)
        sink = self._key_sinks.get(folder)
        if sink is None:
            sink = self._key_sinks[folder] = self._open_sink(folder)
        return sink

    def _group(self, main_tag: str) -> None:
        if main_tag not in self._grouped:
            from seamark.write.encode import layouts

            self._grouped.add(main_tag)
            self._add_layout(layouts.one_chart(main_tag))

    def _add_styled_scalar(
        self, tag: str, value: Any, step: Any, walltime: float | None, double: bool, display_name: str, description: str
    ) -> None:
        from seamark.kinds import scalar
        from seamark.write.encode.arrays import as_number

        encoded = scalar.encode(
            tag, as_number(value), double=double, display_name=display_name, description=description
        )
        self.sink.add(encoded, step, walltime)


def key_folder(log_dir: str, main_tag: str, key: str) -> str:
    """The folder of a key's run. As in torch, slashes in the key make sub-folders; `..` does not lead out."""
    parts = f"{main_tag.replace('/', '_')}_{key}".split("/")
    return "/".join([log_dir, *("__" if part == ".." else part for part in parts)])
