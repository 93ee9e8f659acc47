"""What add_graph and log_graph do to a torch module and to the program around it."""

from __future__ import annotations

import logging
import random
import sys
import threading
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from seamark.format.messages import NodeDef
from seamark.write.encode.graph.torch_model import torch_nodes


def nodes_of(model: Any, *args: Any, verbose: bool = False, **kwargs: Any) -> dict[str, NodeDef]:
    return {node.name: node for node in torch_nodes(model, args, kwargs, verbose=verbose, strict=True)}


def is_exported(nodes: dict[str, NodeDef]) -> bool:
    return any(node.op.startswith("aten.") for node in nodes.values())


def is_traced(nodes: dict[str, NodeDef]) -> bool:
    return any(node.op.startswith("aten::") for node in nodes.values())


class Training(nn.Module):
    """Has everything that a forward pass could change."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.register_buffer("count", torch.zeros(()))
        self.calls = 0
        self.last: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        self.count += 1
        self.last = self.body(x) * random.random() * np.random.rand() + torch.rand(3)
        return self.last


def test_exporting_changes_neither_the_model_nor_the_random_numbers() -> None:
    model = Training().train()
    model.body[1].eval()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    addresses = {name: value.data_ptr() for name, value in model.state_dict().items()}
    modes = {name: module.training for name, module in model.named_modules()}
    random_states = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()  # type: ignore[union-attr]
    assert is_exported(nodes_of(model, torch.ones(4, 3)))
    assert {name: module.training for name, module in model.named_modules()} == modes
    assert {name: value.data_ptr() for name, value in model.state_dict().items()} == addresses
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert (model.calls, model.last) == (0, None)
    assert random.getstate() == random_states[0]
    assert np.random.get_state()[1].tolist() == random_states[1]  # type: ignore[union-attr]
    assert torch.equal(torch.get_rng_state(), random_states[2])
    assert torch.is_grad_enabled()
    model(torch.ones(4, 3)).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_every_gradient_mode_is_possible_and_stays(mode: Any) -> None:
    with mode():
        before = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        assert is_exported(nodes_of(nn.Linear(2, 2), torch.zeros(1, 2)))
        assert (torch.is_grad_enabled(), torch.is_inference_mode_enabled()) == before


class Deciding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.kept: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.kept = self.layer(x)
        return self.kept if x.sum() > 0 else x


def test_a_decision_that_depends_on_data_is_traced(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command that ran in this process prints the log.
    monkeypatch.setattr(logging.getLogger("seamark"), "handlers", [])
    model = Deciding()
    with caplog.at_level(logging.INFO, logger="seamark"), pytest.warns(torch.jit.TracerWarning):
        nodes = nodes_of(model, torch.ones(2, 3))
    assert is_traced(nodes)
    assert model.training
    (record,) = [record for record in caplog.records if record.name.startswith("seamark")]
    assert record.levelno == logging.INFO
    assert "torch.export cannot export Deciding, torch.jit.trace is used" in record.getMessage()
    assert "\n" not in record.getMessage()
    assert "".join(capfd.readouterr()) == ""


def test_wrong_inputs_are_the_error_of_the_module(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        nodes_of(nn.Linear(3, 2), torch.zeros(1, 7))
    assert "".join(capfd.readouterr()) == ""


def test_other_threads_print_while_a_module_is_exported(capsys: pytest.CaptureFixture[str]) -> None:
    def print_from_both(*_: Any) -> None:
        other = threading.Thread(target=lambda: print("from another thread", file=sys.stderr))
        other.start()
        other.join()
        print("from torch", file=sys.stderr)

    model = nn.Linear(2, 2)
    model.register_forward_hook(print_from_both)
    assert is_exported(nodes_of(model, torch.zeros(1, 2)))
    assert capsys.readouterr().err == "from another thread\n"


def test_a_failed_export_leaves_no_placeholders_of_tensors_in_the_model() -> None:
    class Failing(Deciding):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            super().forward(x)
            raise RuntimeError("broken")

    model = Failing()
    with pytest.raises(RuntimeError, match="broken"):
        nodes_of(model, -torch.ones(2, 3))
    assert type(model.layer.weight) is nn.Parameter
    assert model.training


def test_wrappers_are_left_out() -> None:
    inner = nn.Sequential(nn.Linear(2, 2))
    for model in (nn.DataParallel(inner), torch.compile(inner), torch.compile(nn.DataParallel(inner))):
        assert "Sequential/Linear[0]/linear" in nodes_of(model, torch.zeros(1, 2))


def test_a_script_module_is_traced() -> None:
    model = torch.jit.script(nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)))
    assert is_traced(nodes_of(model, torch.zeros(1, 2)))
    assert model.training


def test_a_graph_module_and_keyword_arguments() -> None:
    model = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
    nodes = nodes_of(model, input=torch.zeros(1, 2))
    assert [node.op for node in nodes.values() if node.op.startswith("aten.")] == [
        "aten.linear.default",
        "aten.relu.default",
    ]


def test_keyword_arguments_are_traced_too() -> None:
    with pytest.warns(torch.jit.TracerWarning):
        assert is_traced(nodes_of(Deciding(), x=torch.ones(2, 3)))


def test_a_lazy_module_has_to_be_called_first() -> None:
    model = nn.Sequential(nn.LazyLinear(2))
    with pytest.raises(RuntimeError, match="uninitialized parameters"):
        nodes_of(model, torch.zeros(1, 3))
    model(torch.zeros(1, 3))
    assert is_exported(nodes_of(model, torch.zeros(1, 3)))


def test_verbose_prints_the_graph(capsys: pytest.CaptureFixture[str]) -> None:
    nodes_of(nn.Linear(2, 2), torch.zeros(1, 2), verbose=True)
    assert "torch.ops.aten.linear.default" in capsys.readouterr().out


def test_weights_are_not_copied() -> None:
    resource = pytest.importorskip("resource")
    nodes_of(nn.Linear(2, 2), torch.zeros(1, 2))  # loads parts of torch
    model = nn.Sequential(*(nn.Linear(4000, 4000) for _ in range(2)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    nodes = nodes_of(model, torch.zeros(1, 4000))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert is_exported(nodes)
    assert (after - before) * (1 if sys.platform == "darwin" else 1024) < 32e6, "the weights are 128 MB"
    assert sum(node.ByteSize() for node in nodes.values()) < 10_000
