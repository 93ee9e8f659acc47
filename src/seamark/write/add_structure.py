"""The writer's methods for what a run is about: graphs, embeddings, hyperparameters, layouts of charts."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seamark.write.base import WriterBase, event_of

if TYPE_CHECKING:
    from seamark.kinds.custom_scalars import Layout
    from seamark.kinds.projector import Embedding

LayoutDict = Mapping[str, Mapping[str, Sequence[Any]]]


class AddStructure(WriterBase):
    _embeddings: list[Embedding]
    _layout: Layout | None

    def add_graph(
        self, model: Any, input_to_model: Any = None, verbose: bool = False, use_strict_trace: bool = True
    ) -> None:
        """Logs the operations of a torch module, traced with an example input; or of a Keras model, without one."""
        from seamark.write import graphs

        if self._recorder is not None:
            for event in graphs.events_of(model, input_to_model, verbose=verbose, strict=use_strict_trace):
                self._recorder.add_event(event)

    def add_onnx_graph(self, prototxt: Any = None, *, onnx_model_file: Any = None) -> None:
        """Logs the graph of an ONNX file (tensorboardX: `onnx_model_file`). Needs the package onnx."""
        from seamark.write import graphs

        path = onnx_model_file if prototxt is None else prototxt
        if path is None:
            raise TypeError("add_onnx_graph needs the path of an ONNX file")
        if self._recorder is not None:
            self._recorder.add_event(graphs.onnx_event(path))

    def add_embedding(
        self,
        mat: Any,
        metadata: Sequence[Any] | None = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Sequence[str] | None = None,
    ) -> None:
        """Writes vectors, their labels and thumbnails as files for the projector, beside the event file."""
        from seamark.write import embedding

        what = embedding.checked(mat, metadata, label_img, metadata_header)
        if self._recorder is None:
            return
        entry = embedding.entry_of(what, step=self._step(global_step), tag=tag)
        self._embeddings.append(entry)
        entries = tuple(self._embeddings)
        self._recorder.add_task(lambda: embedding.write(self.log_dir, what, entry, entries), what.nbytes)

    def add_hparams(
        self,
        hparam_dict: Mapping[str, Any],
        metric_dict: Mapping[str, Any],
        hparam_domain_discrete: Mapping[str, Sequence[Any]] | str | None = None,
        run_name: str | None = None,
        global_step: Any = None,
        *,
        name: str | None = None,
    ) -> None:
        """Logs one trial: its hyperparameters and its final metrics, as a run of their own below this one.

        `run_name` (tensorboardX: `name`, the third argument) is that run's name; without one it is the time.
        """
        from seamark.write import trials
        from seamark.write.arrays import as_number

        if isinstance(hparam_domain_discrete, str):
            hparam_domain_discrete, name = None, hparam_domain_discrete
        values = trials.encode(hparam_dict, metric_dict, hparam_domain_discrete or {})
        metrics = {tag: as_number(value) for tag, value in metric_dict.items()}
        if self._recorder is None:
            return
        folder = os.path.join(self.log_dir, run_name or name or str(time.time()))  # noqa: PTH118
        step, now = self._step(global_step), time.time()
        recorder = self._recorder_of(folder)
        for value in values:
            recorder.add_event(event_of(value, step, now))
        for tag, number in metrics.items():
            recorder.signal(recorder.scalar(tag, number, step, now))
        recorder.close()

    def add_custom_scalars(self, layout: LayoutDict) -> None:
        """Logs which scalars belong together: {category: {chart: ['Multiline' or 'Margin', [tags]]}}.

        Tags are regular expressions. A layout holds for the run; what is added later is joined with it.
        """
        from seamark.write import layouts

        self._add_layout(layouts.from_dict(layout))

    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Logs that these scalars are lines of one chart."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Logs that the first of three scalars is a line, and the others bound a band around it."""
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def _add_layout(self, layout: Layout) -> None:
        from seamark.kinds import custom_scalars

        known = () if self._layout is None else (self._layout,)
        self._layout = custom_scalars.merge([*known, layout])
        self._add(custom_scalars.encode(self._layout), None, None)
