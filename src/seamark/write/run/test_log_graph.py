"""run.log_graph and seamark.log_graph."""

from __future__ import annotations

import json
from collections import UserDict
from typing import Any

import pytest
import torch
from torch import nn

import seamark
from seamark.format.messages import GraphDef
from seamark.write.run.test_support import begin
from seamark.write.test_support import events_in, logged_warnings, values_in


def logged_graph(run: seamark.Run) -> GraphDef:
    run.finish()
    (data,) = [event.graph_def for event in events_in(run.dir) if event.graph_def]
    return GraphDef.FromString(data)


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor, scale: torch.Tensor | None = None) -> torch.Tensor:
        out: torch.Tensor = self.layer(x)
        return out if scale is None else out * scale


@pytest.mark.parametrize(
    "example, inputs",
    [
        (torch.zeros(1, 3), ["input/x"]),
        ((torch.zeros(1, 3), torch.ones(2)), ["input/x", "input/scale"]),
        ({"x": torch.zeros(1, 3), "scale": torch.ones(2)}, ["input/x", "input/scale"]),
        (UserDict(x=torch.zeros(1, 3)), ["input/x"]),
    ],
    ids=["tensor", "tuple", "dict", "mapping"],
)
def test_example_inputs(example: Any, inputs: list[str]) -> None:
    run = begin()
    seamark.log_graph(Scaled(), example)
    graph = logged_graph(run)
    assert [node.name for node in graph.node if node.op == "Input"] == inputs
    assert graph.versions.producer == 22
    tags = [event.tagged_run_metadata.tag for event in events_in(run.dir) if event.HasField("tagged_run_metadata")]
    assert tags == ["step1"]


def test_wrong_arguments_are_errors() -> None:
    run = begin()
    with pytest.raises(TypeError, match=r"log_graph needs example inputs to trace a torch module: log_graph\(model"):
        run.log_graph(Scaled())
    with pytest.raises(TypeError, match="got int"):
        run.log_graph(3)
    run.finish()
    with pytest.raises(RuntimeError, match=r"seamark\.log_graph needs a run"):
        seamark.log_graph(Scaled(), torch.zeros(1, 3))


def test_a_model_that_fails_is_one_warning_and_the_run_goes_on() -> None:
    class Broken(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise RuntimeError("no such device\n" + "and pages of numbers" * 1000)

    run = begin()
    with logged_warnings() as warnings:
        run.log_graph(Broken(), torch.zeros(1))
        run.log_graph(Broken(), torch.zeros(1))
    assert len(warnings) == 1
    assert "the graph cannot be logged (RuntimeError: no such device) (reported once)" in warnings[0]
    assert len(warnings[0]) < 500
    run.log({"loss": 1.0})
    run.finish()
    assert [value.tag for value in values_in(run.dir) if value.tag == "loss"] == ["loss"]


def test_a_traced_model_may_return_a_dict() -> None:
    class Deciding(nn.Module):
        def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
            return {"y": x.sin() if x.sum() > 0 else x}

    run = begin()
    with pytest.warns(torch.jit.TracerWarning):
        run.log_graph(Deciding(), torch.ones(2))
    assert "aten::sin" in {node.op for node in logged_graph(run).node}


def test_a_disabled_run_traces_nothing() -> None:
    class Counting(nn.Module):
        calls = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            type(self).calls += 1
            return x

    run = begin(mode="disabled")
    run.log_graph(Counting(), torch.zeros(1))
    assert Counting.calls == 0
    run.finish()


def test_keras_models_are_logged_by_their_layers() -> None:
    class Model:
        def to_json(self) -> str:
            return json.dumps({"class_name": "Sequential", "config": {"layers": []}})

    run = begin()
    run.log_graph(Model())
    run.finish()
    (value,) = [value for value in values_in(run.dir) if value.metadata.plugin_data.plugin_name == "graph_keras_model"]
    assert json.loads(value.tensor.string_val[0])["class_name"] == "Sequential"
