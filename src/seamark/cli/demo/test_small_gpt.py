"""The demo's GPT learns, and its graph is that of the pass which was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark.cli.demo import gpt_graph, small_gpt
from seamark.cli.demo.gpt_run import GptRun
from seamark.cli.demo.small_gpt import GPT_RECIPES, SmallGpt
from seamark.cli.demo.tape import Array
from seamark.graphs.compare import ADDED, compare
from seamark.graphs.health import Health, Signal, health_at
from seamark.graphs.layer_names import LayerTags
from seamark.graphs.profiles import profile_of
from seamark.graphs.readers.graph_def import from_graph_def
from seamark.store import LogRoot, Store

BASE, DEEPER = GPT_RECIPES


@pytest.mark.parametrize("name", ["wte.weight", "h.1.attn.query.weight", "h.2.ln_2.weight", "h.5.mlp.c_fc.weight"])
def test_gradients_are_the_slopes_of_the_loss(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_gpt, "ADAM_RATE", 0.0)

    def step(changed: float = 0.0, at: tuple[int, ...] = ()) -> tuple[float, Array]:
        model = SmallGpt(BASE)
        model.parameters = {key: value.astype(np.float64) for key, value in model.parameters.items()}
        if at:
            model.parameters[name][at] += changed
        loss, gradients, _ = model.step()
        return loss, gradients[name]

    gradient = step()[1]
    at = np.unravel_index(int(np.abs(gradient).argmax()), gradient.shape)
    at = tuple(int(index) for index in at)
    slope = (step(1e-5, at)[0] - step(-1e-5, at)[0]) / 2e-5
    assert gradient[at] == pytest.approx(slope, rel=1e-4)


def test_it_learns() -> None:
    model = SmallGpt(BASE)
    losses = [model.step()[0] for _ in range(60)]
    assert np.mean(losses[-10:]) < 0.8 * losses[0]


def test_its_graph_has_every_parameter_under_the_name_of_its_layer() -> None:
    model = SmallGpt(BASE)
    graph = from_graph_def(gpt_graph.graph_of(model.step()[2]).SerializeToString(), title="gpt")
    assert graph.problems == ()
    assert int(graph.nodes.parameters.sum()) == int(graph.nodes.trainable_parameters.sum()) == model.size
    parameters = [node for node in range(len(graph.nodes)) if graph.op(node) == "Parameter"]
    names = {f"{graph.groups.layers[graph.nodes.groups[node]]}.{graph.nodes.labels[node]}" for node in parameters}
    assert names == set(model.parameters)
    assert "GPT/ModuleList[h]/Block[5]/SelfAttention[attn]/Linear[c_proj]/linear" in graph.nodes.ids
    query = graph.nodes.ids.index("GPT/ModuleList[h]/Block[0]/SelfAttention[attn]/Linear[query]/linear")
    source, code = graph.nodes.sources[query], graph.nodes.attributes.of(query)["code"]
    assert source.startswith(("src/seamark/cli/demo/small_gpt.py:", "demo/small_gpt.py:"))
    assert "aten.linear.default" in str(code)


def test_the_costs_of_a_step_are_those_of_all_operations() -> None:
    tape = SmallGpt(BASE).step()[2]
    graph = from_graph_def(gpt_graph.graph_of(tape).SerializeToString(), title="gpt")
    profile = profile_of(graph, gpt_graph.run_metadata_of(tape).SerializeToString())
    assert profile.unmatched == 0
    is_operation = np.array([graph.op(node).startswith("aten.") for node in range(len(graph.nodes))])
    assert (~np.isnan(profile.time_us)).tolist() == is_operation.tolist()
    assert (profile.memory_bytes[is_operation] > 0).all()


def test_the_two_models_differ_in_a_block_and_in_the_width_of_their_mlps() -> None:
    old, new = (
        from_graph_def(gpt_graph.graph_of(SmallGpt(recipe).step()[2]).SerializeToString(), title=recipe.name)
        for recipe in GPT_RECIPES
    )
    found = compare(old, new)
    added = {found.graph.nodes.ids[node] for node in np.flatnonzero(found.states == ADDED).tolist()}
    assert added
    assert all("Block[6]" in id for id in added)


def test_a_run_has_what_graphs_needs(tmp_path: Path) -> None:
    run = GptRun(tmp_path, SmallGpt(DEEPER), histogram_interval=10)
    for step in range(60):
        run.train_one_step(step)
    run.close(was_stopped=False)
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        tags = store.tags()["gpt/deeper"]
        assert tags["graph_tagged_run_metadata"] == ["step_0"]
        layers = LayerTags((kind, tag) for kind in ("scalars", "histograms") for tag in tags[kind])
        assert layers.of("h.6") == [("scalars", "gradient_norm/h.6")]
        assert layers.of("h.6.mlp.c_fc") == [
            ("histograms", "gradients/h.6.mlp.c_fc.weight"),
            ("histograms", "parameters/h.6.mlp.c_fc.weight"),
        ]
        assert judged(store, "gradients/h.6.mlp.c_fc.weight").word == "dead"
        assert judged(store, "gradients/h.5.mlp.c_fc.weight").word == ""


def judged(store: Store, tag: str) -> Health:
    series = store.histograms("gpt/deeper", tag)
    norms = [float(np.sqrt(np.sum(one.count * ((one.left + one.right) / 2) ** 2))) for one in series.histograms if one]
    return health_at([Signal(tag, True, series.steps, np.array(norms), np.zeros(0))], None)
