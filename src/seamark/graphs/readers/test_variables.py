"""Which nodes of a GraphDef hold parameters, and how many."""

from __future__ import annotations

from seamark.format.messages import DataType, NodeDef
from seamark.graphs.readers.test_support import call, function, node, read, shape, variable


def test_parameters_of_variables() -> None:
    variable = node("v", op="VarHandleOp")
    variable.attr["shape"].shape.CopyFrom(shape(3, 4))
    variable.attr["_output_shapes"].list.shape.append(shape())
    weight = node("Net/Linear[fc]/weight", op="Parameter")
    weight.attr["_output_shapes"].list.shape.append(shape(10, 20))
    frozen = node("Net/Linear[fc]/bias", op="Parameter")
    frozen.attr["_output_shapes"].list.shape.append(shape(10))
    frozen.attr["trainable"].b = False
    unknown = node("u", op="VariableV2")
    unknown.attr["shape"].shape.CopyFrom(shape(-1, 4))
    graph = read(variable, weight, frozen, unknown, node("x"))
    assert graph.nodes.parameters.tolist() == [12, 200, 10, 0, 0]
    assert graph.nodes.trainable_parameters.tolist() == [12, 200, 0, 0, 0]
    assert graph.nodes.has_unknown_parameters.tolist() == [False, False, False, True, False]


def test_what_an_optimizer_stores_and_counts_is_no_parameter() -> None:
    graph = read(
        variable("w", 3, 4),
        variable("w/Adam", 3, 4),
        variable("beta1_power"),
        node("beta1_power/read", "beta1_power", op="Identity"),
        variable("moving_mean", 4),
        variable("global_step"),
        node("train", "w", "w/Adam", "beta1_power/read", op="ApplyAdam"),
        node("count", "global_step", op="AssignAdd"),
    )
    counts = dict(zip(graph.nodes.ids, graph.nodes.parameters.tolist(), strict=True))
    assert {name: count for name, count in counts.items() if count} == {"w": 12, "moving_mean": 4}
    assert graph.nodes.trainable_parameters.sum() == 12


def test_handles_of_variables_have_the_shapes_of_their_reads() -> None:
    handle = node("handle", op="Placeholder")
    handle.attr["dtype"].type = DataType.DT_RESOURCE
    handle.attr["shape"].shape.CopyFrom(shape())
    reading = node("read", "x", op="ReadVariableOp")
    reading.attr["_output_shapes"].list.shape.append(shape(5, 6))
    body = function("body", reading, results={"y": "read:value:0"})
    graph = read(handle, call("call", "body", "handle"), functions=(body,))
    assert graph.nodes.parameters[0] == graph.nodes.parameters.sum() == 30
    twice = read(
        variable("v", 5, 6, op="VarHandleOp"), call("a", "body", "v"), call("b", "body", "v"), functions=(body,)
    )
    assert twice.nodes.parameters[0] == twice.nodes.parameters.sum() == 30


def test_what_only_the_update_functions_of_keras_read_is_no_parameter() -> None:
    def handle(name: str) -> NodeDef:
        made = node(name, op="Placeholder")
        made.attr["dtype"].type = DataType.DT_RESOURCE
        return made

    def reading(name: str, variable: str, *sizes: int) -> NodeDef:
        made = node(name, variable, op="ReadVariableOp")
        made.attr["_output_shapes"].list.shape.append(shape(*sizes))
        return made

    update = function(
        "__inference__update_step_xla_7",
        reading("read_rate", "rate"),
        reading("velocity", "slot", 5, 6),
        node("add", "kernel", "velocity:value:0", op="AssignAddVariableOp"),
        arguments=("rate", "slot", "kernel"),
        results={"y": "read_rate:value:0"},
    )
    nodes = [handle("rate"), handle("slot"), handle("kernel"), handle("frozen")]
    forward = [reading("forward", "kernel", 5, 6), reading("forward_frozen", "frozen", 4)]
    updating = call("update", update.signature.name, "rate", "slot", "kernel", op="StatefulPartitionedCall")
    graph = read(*nodes, *forward, updating, functions=(update,))
    counts = dict(zip(graph.nodes.ids, graph.nodes.parameters.tolist(), strict=True))
    assert {name: count for name, count in counts.items() if count} == {"kernel": 30, "frozen": 4}
    assert graph.nodes.trainable_parameters.sum() == 30


def test_variables_in_the_scope_of_an_optimizer_are_no_parameters() -> None:
    """Older versions of Keras update by plain assignments."""
    graph = read(
        variable("dense/kernel", 3, 4),
        variable("RMSprop/lr"),
        variable("training/RMSprop/Variable", 3, 4),
        node("training/RMSprop/Assign", "dense/kernel", op="Assign"),
    )
    assert dict(zip(graph.nodes.ids, graph.nodes.parameters.tolist(), strict=True))["dense/kernel"] == 12
    assert graph.nodes.parameters.sum() == graph.nodes.trainable_parameters.sum() == 12
    assert read(variable("training/kernel", 3, 4)).nodes.parameters.sum() == 12, "a scope around the whole model"
