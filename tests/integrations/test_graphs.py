"""Graphs of functions of the real JAX, of flax modules and of Keras models."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import seamark
from seamark.format.messages import DataType, GraphDef, NodeDef
from seamark.write.test_support import events_in, logged_warnings, values_in

jax = pytest.importorskip("jax", reason="run it with `make test-integrations`")
flax = pytest.importorskip("flax", reason="run it with `make test-integrations`")
pytest.importorskip("flax.nnx")
keras = pytest.importorskip("keras", reason="run it with `make test-integrations`")

jnp = jax.numpy
Nodes = dict[str, NodeDef]


def logged(tmp_path: Path, model: Any, example: Any) -> Nodes:
    run = seamark.init(dir=tmp_path, console=False, system_metrics_secs=0, git=False, quiet=True)
    seamark.log_graph(model, example)
    run.finish()
    (data,) = [event.graph_def for event in events_in(run.dir) if event.graph_def]
    graph = GraphDef.FromString(data)
    found = {node.name: node for node in graph.node}
    assert len(found) == len(graph.node), "names are unique"
    for node in graph.node:
        assert [name for name in node.input if name not in found and name.rpartition(":")[0] not in found] == []
    return found


def shapes(node: NodeDef) -> list[list[int]]:
    return [[dim.size for dim in shape.dim] for shape in node.attr["_output_shapes"].list.shape]


def types(node: NodeDef) -> list[str]:
    return [DataType.Name(each) for each in node.attr["_output_types"].list.type]


class MLP(flax.linen.Module):  # type: ignore[misc, name-defined]
    @flax.linen.compact  # type: ignore[misc]
    def __call__(self, x: Any) -> Any:
        x = flax.linen.relu(flax.linen.Dense(8, name="up")(x))
        return flax.linen.Dense(2)(x)


def test_a_flax_module_has_its_parameters_scopes_and_source_lines(tmp_path: Path) -> None:
    x = jnp.zeros((3, 4))
    variables = MLP().init(jax.random.key(0), x)

    def loss(variables: Any, x: Any, y: Any) -> Any:
        out = MLP().apply(variables, x)
        return {"loss": jnp.mean((out - y) ** 2), "out": out}

    nodes = logged(tmp_path, loss, (variables, x, jnp.zeros((3, 2))))
    assert {name for name, node in nodes.items() if node.op == "Input"} == {"input/x", "input/y"}
    parameters = [node for node in nodes.values() if node.op == "Parameter"]
    assert sum(math.prod(shapes(node)[0]) for node in parameters) == sum(
        leaf.size for leaf in jax.tree_util.tree_leaves(variables)
    )
    assert all(node.attr["trainable"].b for node in parameters)
    product = nodes["loss/MLP/up/dot_general"]
    assert list(product.input) == ["input/x", "params/up/kernel"]
    assert (shapes(product), types(product)) == ([[3, 8]], ["DT_FLOAT"])
    assert product.attr["source"].s.decode().rpartition(":")[0].endswith("integrations/test_graphs.py")
    assert product.attr["code"].s.decode() == 'x = flax.linen.relu(flax.linen.Dense(8, name="up")(x))'
    assert list(nodes["loss/MLP/Dense_0/dot_general"].input) == ["loss/MLP/jit[relu]/max", "params/Dense_0/kernel"]
    assert {name for name, node in nodes.items() if node.op == "Output"} == {"output/loss", "output/out"}


class Stateful(flax.nnx.Module):  # type: ignore[misc, name-defined]
    def __init__(self, rngs: Any) -> None:
        self.up = flax.nnx.Linear(4, 8, rngs=rngs)
        self.norm = flax.nnx.BatchNorm(8, rngs=rngs)
        self.layers = flax.nnx.List([flax.nnx.Linear(8, 8, rngs=rngs) for _ in range(2)])
        self.drop = flax.nnx.Dropout(0.5, rngs=rngs)

    def __call__(self, x: Any) -> Any:
        x = self.norm(self.up(x))
        for layer in self.layers:
            x = jax.nn.relu(layer(x))
        return self.drop(x)


def test_a_module_of_nnx_in_training_has_parameters_and_stays_as_it_is(tmp_path: Path) -> None:
    model = Stateful(flax.nnx.Rngs(0))
    before = [leaf.tolist() if leaf.shape else str(leaf) for leaf in jax.tree_util.tree_leaves(model)]
    nodes = logged(tmp_path, model, jnp.ones((3, 4)))
    assert list(nodes["Stateful/dot_general"].input) == ["input/x", "Stateful/up/kernel"]
    parameters = {name for name, node in nodes.items() if node.op == "Parameter"}
    assert {"Stateful/layers/1/kernel", "Stateful/norm/scale"} <= parameters
    trained = jax.tree_util.tree_leaves(flax.nnx.state(model, flax.nnx.Param))
    assert sum(math.prod(shapes(nodes[name])[0]) for name in parameters) == sum(leaf.size for leaf in trained)
    assert nodes["Stateful/norm/mean"].op == "Buffer"
    assert [leaf.tolist() if leaf.shape else str(leaf) for leaf in jax.tree_util.tree_leaves(model)] == before
    model(jnp.ones((3, 4)))


def test_scopes_loops_and_conditions_are_groups(tmp_path: Path) -> None:
    def step(params: Any, x: Any) -> Any:
        with jax.named_scope("outer/inner"):
            total, rows = jax.lax.scan(lambda sum_, row: (sum_ + row.sum(), row * params["scale"]), 0.0, x)
        chosen = jax.lax.cond(total > 0, lambda a: a + 1, lambda a: a - 1, total)
        return jax.lax.while_loop(lambda a: a < 10, lambda a: a * 2, chosen), rows

    nodes = logged(tmp_path, step, {"params": {"scale": jnp.ones(4)}, "x": jnp.ones((3, 4))})
    assert nodes["params/scale"].op == "Parameter"
    scan = nodes["step/outer/inner/scan"]
    assert shapes(scan) == [[], [3, 4]]
    assert scan.attr["length"].i == 3
    assert list(nodes["step/outer/inner/scan[body]/mul"].input) == ["input/x", "params/scale"]
    assert "step/outer/inner/scan[body]/mul" in scan.input
    assert nodes["step/cond[branches.0]/sub"].attr["operand_1"].f == 1.0
    assert list(nodes["step/cond[branches.1]/add"].input) == ["step/outer/inner/scan"]
    assert list(nodes["step/while[cond]/lt"].input) == ["step/cond"]
    assert {"step/while[cond]/lt", "step/while[body]/mul"} <= set(nodes["step/while"].input)
    assert list(nodes["output/output.2"].input) == ["step/outer/inner/scan:1"]


def test_a_compiled_function_with_gradients_and_a_constant(tmp_path: Path) -> None:
    table = jnp.arange(12.0, dtype=jnp.bfloat16).reshape(3, 4)

    @jax.jit
    def train(weights: Any, x: Any) -> Any:
        return jax.value_and_grad(lambda w: jax.nn.softmax(x @ w[0] @ table + w[1]).sum())(weights)

    nodes = logged(tmp_path, train, ([jnp.ones((2, 3)), jnp.ones(4)], jnp.ones((5, 2))))
    assert {name for name, node in nodes.items() if node.op == "Parameter"} == {"weights/0", "weights/1"}
    assert types(next(node for node in nodes.values() if node.op == "Constant" and shapes(node) == [[3, 4]])) == [
        "DT_BFLOAT16"
    ]
    assert any(name.startswith("train/transpose(jvp())/") for name in nodes)
    assert not any(name.startswith("train/jit[train]") for name in nodes)
    assert len([node for node in nodes.values() if node.op == "Output"]) == 3


def test_a_function_without_example_is_an_error_and_one_that_fails_a_warning(tmp_path: Path) -> None:
    run = seamark.init(dir=tmp_path, console=False, system_metrics_secs=0, git=False, quiet=True)
    with pytest.raises(TypeError, match="log_graph needs example inputs to trace a function"):
        run.log_graph(jnp.sin)
    with logged_warnings() as warnings:
        run.log_graph(lambda x: x if x > 0 else -x, jnp.ones(()))
    assert len(warnings) == 1
    run.finish()


def keras_layers(run: seamark.Run) -> list[dict[str, Any]]:
    run.finish()
    (value,) = [value for value in values_in(Path(run.dir)) if value.metadata.plugin_data.plugin_name]
    layers: list[dict[str, Any]] = json.loads(value.tensor.string_val[0])["config"]["layers"]
    return layers


def test_keras_models(tmp_path: Path) -> None:
    inputs = [keras.Input((4,), name="left"), keras.Input((4,), name="right")]
    shared = keras.layers.Dense(3, name="shared")
    both = keras.layers.Add()([shared(inputs[0]), shared(inputs[1])])
    functional = keras.Model(inputs, keras.layers.Dense(1, name="head")(both))
    run = seamark.init(dir=tmp_path, console=False, system_metrics_secs=0, git=False, quiet=True)
    run.log_graph(functional)
    layers = keras_layers(run)
    assert [layer["name"] for layer in layers if layer["class_name"] == "Dense"] == ["shared", "head"]
    assert len(next(layer for layer in layers if layer["name"] == "shared")["inbound_nodes"]) == 2

    run = seamark.init(dir=tmp_path, console=False, system_metrics_secs=0, git=False, quiet=True)
    run.log_graph(keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)]), jnp.zeros((1, 4)))
    assert [layer["class_name"] for layer in keras_layers(run)] == ["InputLayer", "Dense"]
