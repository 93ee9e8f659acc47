"""Health of layers from what `seamark.watch` logs of a real model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

import seamark
from seamark.dashboards.graphs.health_source import scalar_signal, without_summarised
from seamark.format.types import Tag
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store

torch = pytest.importorskip("torch")

ROOT = "/api/dashboards/graphs"
NAN_STEP = 3
STEPS = 6


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    logdir = tmp_path_factory.mktemp("health")
    write_training(logdir)
    with (
        Store([LogRoot("", logdir)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def write_training(logdir: Path) -> None:
    """The gradient of `broken` is NaN at one step; all activations of `dead` are zero."""
    torch.manual_seed(0)
    model = torch.nn.ModuleDict({"broken": torch.nn.Linear(4, 4), "dead": torch.nn.Linear(4, 4)})
    with torch.no_grad():
        model["dead"].weight.zero_()
        model["dead"].bias.zero_()
    net = Chain(model)
    run = seamark.init("train", name="one", dir=str(logdir), quiet=True, system_metrics_secs=0)
    run.log_graph(net, torch.ones(2, 4))
    seamark.watch(net, log="all", log_freq=1)
    for step in range(STEPS):
        loss = net(torch.ones(2, 4)).square().sum() + net.parts["broken"](torch.ones(2, 4)).sum()
        (loss * (float("nan") if step == NAN_STEP else 1.0)).backward()
        net.zero_grad()
        run.log({"loss": 1.0})
    run.finish()


class Chain(torch.nn.Module):
    def __init__(self, parts: torch.nn.ModuleDict) -> None:
        super().__init__()
        self.parts = parts

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        dead: torch.Tensor = self.parts["dead"](self.parts["broken"](x))
        return dead


def overlay(client: TestClient, step: int | None) -> dict[str, tuple[float | None, str, str]]:
    body = {"run": "train/one", "graph": "run_graph"}
    view = client.post(f"{ROOT}/view", json=body).json()
    found = client.post(f"{ROOT}/overlay", json={**body, "colour": "health", "step": step}).json()
    columns = zip(view["boxes"]["label"], found["values"], found["names"], found["texts"], strict=True)
    return {label: (value, name, text) for label, value, name, text in columns}


def test_counts_of_nan_are_a_finding_from_their_step_on(client: TestClient) -> None:
    _, word, sentence = overlay(client, None)["broken"]
    assert word == "NaN gradient"
    assert sentence == f"gradients/parts.broken.bias is NaN from step {NAN_STEP}"
    assert overlay(client, NAN_STEP - 1)["broken"][1] == ""


def test_the_layer_where_nan_began_is_first_in_all_findings(tmp_path: Path) -> None:
    """The weight of the middle layer breaks; at the same step, so do the activations after it and all gradients."""
    torch.manual_seed(0)
    net = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(3)))
    run = seamark.init("train", name="one", dir=str(tmp_path), quiet=True, system_metrics_secs=0)
    run.log_graph(net, torch.ones(2, 4))
    seamark.watch(net, log="all", log_freq=1)
    for step in range(3):
        if step == 1:
            with torch.no_grad():
                net[1].weight[0, 0] = float("nan")
        net(torch.ones(2, 4)).sum().backward()
        run.log({"loss": 1.0})
    run.finish()
    body = {"run": "train/one", "graph": "run_graph", "colour": "health", "open": []}
    with (
        Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        found = client.post(f"{ROOT}/overlay", json={**body, "step": 1}).json()
        before = client.post(f"{ROOT}/overlay", json={**body, "step": 0}).json()
    assert [finding["label"] for finding in found["findings"]] == ["1", "2", "0"]
    assert found["findings"][0]["sentence"] == "parameters/1.weight is NaN from step 1"
    assert "first NaN value" in found["names"], "the group around it is closed"
    assert (before["findings"], before["reason"]) == ([], "")


def test_a_gradient_counts_once_though_it_has_a_histogram_too(client: TestClient) -> None:
    # The sum over two rows of ones: 2 for each weight and for each bias.
    norm = overlay(client, 0)["broken"][0]
    assert norm == pytest.approx((16 * 4 + 4 * 4) ** 0.5, rel=1e-3)


def test_activations_that_are_zero_are_dead(client: TestClient) -> None:
    assert overlay(client, 0)["dead"][1] == "dead"


def test_means_are_no_norms() -> None:
    steps, values = np.arange(2), np.array([1.0, 2.0])
    assert not scalar_signal(Tag("gradients/fc.weight/mean"), steps, values).is_norm
    assert scalar_signal(Tag("grad_norm/fc"), steps, values).is_norm


def test_histograms_with_scalar_norms_are_left_out() -> None:
    named = [("scalars", "gradients/fc/norm"), ("histograms", "gradients/fc"), ("histograms", "parameters/fc")]
    assert without_summarised(named) == [named[0], named[2]]
