"""The writer's methods for graphs, embeddings, hyperparameters and chart layouts."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from seamark.write.writer.base import WriterBase

if TYPE_CHECKING:
    from seamark.kinds.custom_scalars import Layout
    from seamark.write.encode.embedding.files import EmbeddingFiles
    from seamark.write.encode.examples.files import ExampleFiles

LayoutDict = Mapping[str, Mapping[str, Sequence[Any]]]


class AddStructure(WriterBase):
    _layout: Layout | None

    def add_graph(
        self, model: Any, input_to_model: Any = None, verbose: bool = False, use_strict_trace: bool = True
    ) -> None:
        """Logs the modules and operations of a torch module, or the layers of a Keras model.

        A torch module needs an example input. It is exported with torch.export, or traced if that is not possible;
        `use_strict_trace` is for tracing.
        """
        from seamark.write.encode import graphs

        example = graphs.Example.of_add_graph(input_to_model)
        graphs.check_model(model, example, "add_graph")
        if self.sink.writes:
            for event in graphs.model_events(model, example, verbose=verbose, strict=use_strict_trace):
                self.sink.add_event(event)

    def add_onnx_graph(self, prototxt: Any = None, *, onnx_model_file: Any = None) -> None:
        """Logs the graph of an ONNX file (tensorboardX: `onnx_model_file`). Needs the package onnx."""
        from seamark.write.encode import graphs

        path = onnx_model_file if prototxt is None else prototxt
        if path is None:
            raise TypeError("add_onnx_graph needs the path of an ONNX file")
        if self.sink.writes:
            self.sink.add_event(graphs.onnx_event(path))

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
        from seamark.write.encode.embedding.content import of_add_embedding

        content = of_add_embedding(mat, metadata, label_img, metadata_header)
        self.embedding_files.add(self.sink.recorder, tag, content, step=self.sink.step_of(global_step))

    @cached_property
    def embedding_files(self) -> EmbeddingFiles:
        from seamark.write.encode.embedding.files import EmbeddingFiles

        return EmbeddingFiles(self.log_dir)

    @cached_property
    def example_files(self) -> ExampleFiles:
        from seamark.write.encode.examples.files import ExampleFiles

        return ExampleFiles(self.log_dir)

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
        """Logs one trial, its hyperparameters and final metrics, as a run below this one.

        `run_name` (tensorboardX: `name`, the third argument) is that run's name; by default it is the time.
        """
        from seamark.write.encode import trials
        from seamark.write.encode.arrays import as_number

        if isinstance(hparam_domain_discrete, str):
            hparam_domain_discrete, name = None, hparam_domain_discrete
        values = trials.encode(hparam_dict, metric_dict, hparam_domain_discrete or {})
        metrics = {tag: as_number(value) for tag, value in metric_dict.items()}
        if not self.sink.writes:
            return
        step, now = self.sink.step_of(global_step), time.time()
        sink = self._open_sink(os.path.join(self.log_dir, run_name or name or str(time.time())))  # noqa: PTH118
        for value in values:
            sink.add(value, step, now)
        for tag, number in metrics.items():
            sink.add_scalar(tag, number, step, now)
        sink.close()

    def add_custom_scalars(self, layout: LayoutDict) -> None:
        """Logs which scalars share a chart: {category: {chart: ['Multiline' or 'Margin', [tags]]}}.

        Tags are regular expressions. The layout belongs to the run; later calls add to it.
        """
        from seamark.write.encode import layouts

        self._add_layout(layouts.from_dict(layout))

    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Logs a chart with one line per scalar."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Logs a chart whose first scalar is a line, with the other two as the limits of a band around it."""
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def _add_layout(self, layout: Layout) -> None:
        from seamark.kinds import custom_scalars

        earlier = () if self._layout is None else (self._layout,)
        self._layout = custom_scalars.merge([*earlier, layout])
        self.sink.add(custom_scalars.encode(self._layout))
