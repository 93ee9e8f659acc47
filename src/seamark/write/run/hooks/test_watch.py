"""watch() on a real torch module."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

import seamark
from seamark.write.run.hooks import tensor_stats
from seamark.write.run.test_support import begin, events


def trained(run: seamark.Run, model: torch.nn.Module, steps: int = 4) -> Any:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(0)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = model(torch.randn(8, 3, generator=generator)).pow(2).mean()
        loss.backward()
        optimizer.step()
        run.log({"loss": loss})
    run.finish()
    return events(run)


def small_model() -> torch.nn.Module:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))


def tags(read: Any, prefix: str) -> list[str]:
    return sorted(tag for kind in ("scalars", "tensors") for tag in read.Tags()[kind] if tag.startswith(prefix))


def test_gradients_have_statistics_and_histograms_at_the_interval() -> None:
    run, model = begin(), small_model()
    seamark.watch(model, log_freq=2)
    read = trained(run, model, steps=5)
    assert [event.step for event in read.Scalars("gradients/0.weight/norm")] == [0, 2, 4]
    assert [event.step for event in read.Tensors("gradients/0.weight")] == [0, 2, 4]
    assert tags(read, "gradients/0.weight") == [
        f"gradients/0.weight{end}" for end in ("", "/mean", "/norm", "/std", "/zeros")
    ]
    assert tags(read, "parameters") == tags(read, "activations") == []
    norms = [read.Scalars(f"gradients/{name}/norm")[0].value for name in ("0.weight", "0.bias", "2.weight", "2.bias")]
    assert read.Scalars("gradients/all/norm")[0].value == pytest.approx(math.hypot(*norms), rel=1e-5)
    assert read.SummaryMetadata("gradients/0.weight").plugin_data.plugin_name == "histograms"


def test_only_passes_in_training_are_watched() -> None:
    run, model = begin(), small_model()
    seamark.watch(model, log="all", log_freq=1)
    model(torch.ones(8, 3)).mean().backward()
    run.log_graph(model, torch.ones(8, 3))
    model.eval()(torch.ones(8, 3))
    run.finish()
    assert len(events(run).Tensors("activations/0")) == 1


def test_everything_can_be_watched_and_dead_units_show() -> None:
    run, model = begin(), small_model()
    with torch.no_grad():
        model[0].bias.fill_(-1e6)  # type: ignore[union-attr, operator]
    seamark.watch(model, log="all", log_freq=1, name="net")
    read = trained(run, model, steps=2)
    assert read.Scalars("net/activations/1/zeros")[0].value == 1.0
    assert read.Scalars("net/gradients/0.weight/zeros")[0].value == 1.0
    weights = small_model().state_dict()["2.weight"]
    assert read.Scalars("net/parameters/2.weight/norm")[0].value == pytest.approx(float(weights.norm()), rel=1e-5)
    assert {tag.split("/")[1] for tag in tags(read, "net/")} == {"activations", "gradients", "parameters"}


def test_nan_and_infinity_are_counted_and_harm_nothing_else() -> None:
    run, model = begin(), small_model()
    with torch.no_grad():
        model[0].weight[0, 0] = math.nan  # type: ignore[union-attr, index]
        model[0].weight[1, 1] = -math.inf  # type: ignore[union-attr, index]
    seamark.watch(model, log="parameters", log_freq=1)
    read = trained(run, model, steps=2)
    assert read.Scalars("parameters/0.weight/nan")[0].value == 1
    assert read.Scalars("parameters/0.weight/inf")[0].value == 1
    assert math.isfinite(read.Scalars("parameters/0.weight/norm")[0].value)
    assert (
        "parameters/0.bias/nan" not in tags(read, "parameters/0.bias/nan")
        or read.Scalars("parameters/0.bias/nan")[0].step > 0
    )
    assert read.Scalars("parameters/all/nan")[0].value == 1


@pytest.mark.parametrize("how", ["argument", "environment", "file"])
def test_histogram_interval_0_turns_histograms_off(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "environment":
        monkeypatch.setenv("SEAMARK_HISTOGRAM_INTERVAL", "0")
    if how == "file":
        Path("seamark.toml").write_text("histogram_interval = 0\n")
    run, model = begin(), small_model()
    seamark.watch(model, log="all", log_freq=1, **({"histogram_interval": 0} if how == "argument" else {}))
    read = trained(run, model)
    assert len(read.Scalars("gradients/0.weight/norm")) == 4
    assert read.Tags()["tensors"] == []


def test_histograms_have_an_interval_of_their_own() -> None:
    run, model = begin(), small_model()
    seamark.watch(model, log_freq=1, histogram_interval=3)
    read = trained(run, model, steps=4)
    assert [event.step for event in read.Tensors("gradients/0.weight")] == [0, 3]
    assert len(read.Scalars("gradients/0.weight/norm")) == 4


def test_evaluation_is_not_watched_and_unwatch_ends_it() -> None:
    run, model = begin(), small_model()
    watcher = seamark.watch(model, log="all", log_freq=1)
    model.eval()(torch.zeros(1, 3))
    model.train()
    seamark.unwatch(model)
    assert watcher._handles == []
    read = trained(run, model)
    assert tags(read, "activations") == tags(read, "gradients") == []


def test_wrong_arguments_are_rejected() -> None:
    with pytest.raises(RuntimeError, match=r"seamark\.init"):
        seamark.watch(small_model())
    begin()
    with pytest.raises(TypeError, match=r"torch\.nn\.Module"):
        seamark.watch(object())
    with pytest.raises(ValueError, match="gradients"):
        seamark.watch(small_model(), log="gradient")
    with pytest.raises(ValueError, match="log_freq"):
        seamark.watch(small_model(), log_freq=0)


def test_a_disabled_run_puts_no_hooks_on_a_model() -> None:
    run, model = begin(mode="disabled"), small_model()
    assert run.watch(model, log="all")._handles == []
    assert not model._forward_pre_hooks


@pytest.mark.parametrize(
    ("tensor", "norm", "zeros"),
    [
        (torch.tensor([3.0, 4.0, 0.0, 0.0]), 5.0, 0.5),
        (torch.tensor([3, 4]), 5.0, 0.0),
        (torch.tensor([True, False]), 1.0, 0.5),
        (torch.tensor([3.0, 4.0], dtype=torch.bfloat16), 5.0, 0.0),
        (torch.full((100,), 1000.0, dtype=torch.float16), 10_000.0, 0.0),
        (torch.tensor([3 + 4j]), 5.0, 0.0),
        (torch.sparse_coo_tensor([[0]], [5.0], (1,)), 5.0, 0.0),
    ],
)
def test_statistics_of_tensors_of_many_types(tensor: torch.Tensor, norm: float, zeros: float) -> None:
    stats = tensor_stats.stats_of(tensor)
    assert stats is not None and (stats.norm, stats.zeros) == (pytest.approx(norm), zeros)
    buckets = tensor_stats.buckets_of(tensor)
    assert buckets is not None and buckets[:, 2].sum() == stats.count


def test_the_deviation_is_exact_far_from_zero() -> None:
    tensor = torch.arange(1000, dtype=torch.float32) % 2 * 2 + 10_000
    stats = tensor_stats.stats_of(tensor)
    assert stats is not None and (stats.mean, stats.std) == (pytest.approx(10_001), pytest.approx(1.0, rel=1e-3))


def test_empty_and_all_nan_tensors_have_no_histogram() -> None:
    assert tensor_stats.stats_of(torch.empty(0)) is None
    assert tensor_stats.buckets_of(torch.full((3,), math.nan)) is None
    stats = tensor_stats.stats_of(torch.full((3,), math.nan))
    assert stats is not None and (stats.nan, stats.norm) == (3, 0.0) and math.isnan(stats.mean)
