"""Writes GraphDefs of a chosen size: a transformer whose blocks are of four kinds, and one without groups.

Names, ops and attributes are as TensorFlow 1 writes them: variables with their reads, constants with values, output
shapes, gradients. The blocks differ, so that a viewer cannot fold all of them into one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from seamark.format.messages import GraphDef, NodeDef
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile

RUN, TAG = "model", "loss"
BATCH, LENGTH, WIDTH = 8, 512, 768
FLOAT, INT32 = 1, 3
# The group that is expanded: so many nodes, all on one level.
WIDE_GROUP, WIDE_NODES = "decoding", 200
HEADS = {1_000: 1, 10_000: 6, 100_000: 16}
EXPERTS = 4
FLAT_OPS = ("MatMul", "BiasAdd", "Relu", "AddV2", "Mul", "Tanh")
LANES = 30
TOKENS = (BATCH, LENGTH, WIDTH)
SCORES = (BATCH, LENGTH, LENGTH)


def write_transformer(folder: Path, nodes: int) -> int:
    """Writes a run with a transformer of exactly so many nodes. Returns the size of its graph in bytes."""
    return _write(folder, transformer(nodes))


def write_flat(folder: Path, nodes: int) -> int:
    """Writes a run with a graph of one level. Returns the size of the graph in bytes."""
    return _write(folder, flat(nodes))


def write_lanes(folder: Path, nodes: int) -> None:
    """Writes a run with a graph of one level that fills a screen."""
    _write(folder, lanes(nodes))


def transformer(nodes: int) -> GraphDef:
    heads = next((heads for size, heads in HEADS.items() if nodes <= size), HEADS[100_000])
    head = [*_inputs(), *_wide_group("inputs/embedded")]
    tail_nodes = len(_outputs(""))
    # Every input of a node comes before it, so the blocks can end anywhere.
    blocks = list(islice(_blocks("inputs/embedded", heads), max(0, nodes - len(head) - tail_nodes)))
    last = next((node.name for node in reversed(blocks) if node.name.endswith("/output")), head[-1].name)
    return GraphDef(node=[*head, *blocks, *_outputs(last)])


def flat(nodes: int) -> GraphDef:
    scope = _Scope("")
    names: list[str] = []
    for number in range(nodes):
        op = FLAT_OPS[(number + number // 11) % len(FLAT_OPS)]
        # A chain with a branch of three nodes here and there, and skips over fifty.
        inputs = [names[-1]] if names else []
        if number % 7 == 3:
            inputs = [names[-3]]
        elif number % 5 == 0 and number > 50:
            inputs.append(names[-50])
        names.append(scope.add(f"{op}_{number}", op, inputs))
    return GraphDef(node=scope.nodes)


def lanes(nodes: int) -> GraphDef:
    """Chains side by side, with a link to the neighbour here and there."""
    scope = _Scope("")
    names: list[str] = []
    for number in range(nodes):
        op = FLAT_OPS[(number + number // LANES) % len(FLAT_OPS)]
        inputs = [names[number - LANES]] if number >= LANES else []
        if number % 23 == 0 and number > LANES:
            inputs.append(names[number - LANES + 1])
        names.append(scope.add(f"{op}_{number}", op, inputs))
    return GraphDef(node=scope.nodes)


@dataclass
class _Scope:
    """Adds nodes below one name. `within` adds to the same list."""

    path: str
    nodes: list[NodeDef] = field(default_factory=list)

    def within(self, name: str) -> _Scope:
        return _Scope(f"{self.path}{name}/", self.nodes)

    def add(
        self, name: str, op: str, inputs: Sequence[str] = (), shape: Sequence[int] = TOKENS, dtype: int = FLOAT
    ) -> str:
        node = NodeDef(name=self.path + name, op=op, input=inputs, device="/device:GPU:0")
        node.attr["T"].type = dtype
        _add_shape(node, shape)
        self.nodes.append(node)
        return node.name

    def constant(self, name: str, values: bytes, dtype: int = INT32) -> str:
        node = NodeDef(name=self.path + name, op="Const")
        node.attr["dtype"].type = dtype
        tensor = node.attr["value"].tensor
        tensor.dtype = dtype
        tensor.tensor_shape.dim.add(size=len(values) // 4)
        tensor.tensor_content = values
        _add_shape(node, (len(values) // 4,))
        self.nodes.append(node)
        return node.name

    def weight(self, name: str, shape: Sequence[int]) -> str:
        """A variable, its first value, and the node that reads it."""
        within = self.within(name)
        first = within.within("Initializer").add("truncated_normal", "TruncatedNormal", (), shape)
        variable = NodeDef(name=within.path.rstrip("/"), op="VariableV2", device="/device:GPU:0")
        variable.attr["dtype"].type = FLOAT
        variable.attr["container"].s = b""
        for size in shape:
            variable.attr["shape"].shape.dim.add(size=size)
        _add_shape(variable, shape)
        self.nodes.append(variable)
        within.add("Assign", "Assign", [variable.name, first], shape)
        return within.add("read", "Identity", [variable.name], shape)

    def dense(self, name: str, source: str, wide: int, high: int) -> str:
        within = self.within(name)
        product = within.add("MatMul", "MatMul", [source, within.weight("kernel", (wide, high))], (BATCH, LENGTH, high))
        within.nodes[-1].attr["transpose_b"].b = False
        return within.add("BiasAdd", "BiasAdd", [product, within.weight("bias", (high,))], (BATCH, LENGTH, high))

    def norm(self, name: str, source: str) -> str:
        within = self.within(name)
        moments = within.within("moments")
        axes = moments.constant("mean/reduction_indices", b"\x02\x00\x00\x00")
        mean = moments.add("mean", "Mean", [source, axes], (BATCH, LENGTH, 1))
        stopped = moments.add("StopGradient", "StopGradient", [mean], (BATCH, LENGTH, 1))
        squared = moments.add("SquaredDifference", "SquaredDifference", [source, stopped])
        variance = moments.add("variance", "Mean", [squared, axes], (BATCH, LENGTH, 1))
        scale = within.add("Rsqrt", "Rsqrt", [variance], (BATCH, LENGTH, 1))
        scaled = within.add("mul", "Mul", [source, scale, within.weight("gamma", (WIDTH,))])
        return within.add("add_1", "AddV2", [scaled, within.weight("beta", (WIDTH,))])


def _inputs() -> list[NodeDef]:
    scope = _Scope("inputs/")
    ids = scope.add("ids", "Placeholder", (), (BATCH, LENGTH), INT32)
    table = scope.weight("token_table", (50_257, WIDTH))
    places = scope.weight("position_table", (LENGTH, WIDTH))
    axis = scope.constant("axis", bytes(4))
    tokens = scope.add("GatherV2", "GatherV2", [table, ids, axis])
    scope.add("embedded", "AddV2", [tokens, places])
    return scope.nodes


def _outputs(source: str) -> list[NodeDef]:
    scope = _Scope("loss/")
    labels = scope.add("labels", "Placeholder", (), (BATCH, LENGTH), INT32)
    logits = scope.dense("logits", source, WIDTH, 50_257)
    loss = scope.add("CrossEntropy", "SparseSoftmaxCrossEntropyWithLogits", [logits, labels], (BATCH, LENGTH))
    scope.add("Mean", "Mean", [loss], ())
    return scope.nodes


def _wide_group(source: str) -> list[NodeDef]:
    """Forty rows of five operations, each row from the one before it."""
    scope = _Scope(f"{WIDE_GROUP}/")
    ops = ("TopKV2", "GatherV2", "AddV2", "Softmax", "Concat")
    for number in range(WIDE_NODES):
        rows_above = [node.name for node in scope.nodes[-6:-4]]
        before = [scope.nodes[-1].name] if number % len(ops) else rows_above
        op = ops[(number + number // 15) % len(ops)]
        scope.add(f"{op}_{number}", op, before or [source])
    return scope.nodes


def _blocks(source: str, heads: int) -> Iterator[NodeDef]:
    """Endless. Every fourth block is followed by its gradients."""
    for number in count():
        scope = _Scope(f"model/layer_{number}/")
        source = _block(scope, number, source, heads)
        yield from scope.nodes
        if number % 4 == 3:
            yield from _gradients(scope.nodes)


def _block(scope: _Scope, number: int, source: str, heads: int) -> str:
    attended = _attention(scope.within("attention"), source, heads + number % 4, is_local=number % 4 == 2)
    middle = scope.norm("attention_norm", scope.add("residual", "AddV2", [source, attended]))
    mlp = (_mlp, _gated_mlp, _mlp, _experts)[number % 4](scope.within("mlp"), middle)
    normed = scope.norm("output_norm", scope.add("residual_1", "AddV2", [middle, mlp]))
    return scope.add("output", "Identity", [normed])


def _attention(scope: _Scope, source: str, heads: int, *, is_local: bool) -> str:
    size = WIDTH // heads
    outputs = []
    for head in range(heads):
        within = scope.within(f"head_{head}")
        query, key, value = (within.dense(name, source, WIDTH, size) for name in ("query", "key", "value"))
        scores = within.add("scores", "BatchMatMulV2", [query, key], SCORES)
        scores = within.add("scale", "RealDiv", [scores, within.constant("sqrt", b"\x00\x00\x00\x41", FLOAT)], SCORES)
        if is_local:
            mask = within.constant("band", b"\x20\x00\x00\x00" * 2)
            scores = within.add("MatrixBandPart", "MatrixBandPart", [scores, mask], SCORES)
        odds = within.add("Softmax", "Softmax", [scores], SCORES)
        outputs.append(within.add("context", "BatchMatMulV2", [odds, value], (BATCH, LENGTH, size)))
    joined = scope.add("concat", "ConcatV2", [*outputs, scope.constant("concat/axis", b"\x02\x00\x00\x00")])
    return _dropout(scope, scope.dense("output", joined, WIDTH, WIDTH))


def _mlp(scope: _Scope, source: str) -> str:
    up = scope.dense("up", source, WIDTH, 4 * WIDTH)
    active = scope.add("Gelu", "Gelu", [up], (BATCH, LENGTH, 4 * WIDTH))
    return _dropout(scope, scope.dense("down", active, 4 * WIDTH, WIDTH))


def _gated_mlp(scope: _Scope, source: str) -> str:
    gate = scope.add("Sigmoid", "Sigmoid", [scope.dense("gate", source, WIDTH, 2 * WIDTH)], (BATCH, LENGTH, 2 * WIDTH))
    up = scope.dense("up", source, WIDTH, 2 * WIDTH)
    return scope.dense("down", scope.add("mul", "Mul", [gate, up], (BATCH, LENGTH, 2 * WIDTH)), 2 * WIDTH, WIDTH)


def _experts(scope: _Scope, source: str) -> str:
    router = scope.add("Softmax", "Softmax", [scope.dense("router", source, WIDTH, EXPERTS)], (BATCH, LENGTH, EXPERTS))
    chosen = scope.add("TopKV2", "TopKV2", [router], (BATCH, LENGTH, 2))
    parts = []
    for expert in range(EXPERTS):
        within = scope.within(f"expert_{expert}")
        part = within.add("Gather", "GatherNd", [source, chosen])
        parts.append(_mlp(within, part))
    return scope.add("AddN", "AddN", parts)


def _dropout(scope: _Scope, source: str) -> str:
    within = scope.within("dropout")
    noise = within.add("random_uniform", "RandomUniform")
    kept = within.add("GreaterEqual", "GreaterEqual", [noise, within.constant("rate", b"\xcd\xcc\xcc\x3d", FLOAT)])
    return within.add("Mul", "Mul", [source, kept])


def _gradients(forward: Sequence[NodeDef]) -> Iterator[NodeDef]:
    """Two products for every matrix product of a block, from its end to its start."""
    scope = _Scope("gradients/")
    above = forward[-1].name
    for node in reversed(forward):
        if node.op == "MatMul":
            within = scope.within(f"{node.name}_grad")
            above = within.add("MatMul", "MatMul", [above, node.input[1]])
            within.add("MatMul_1", "MatMul", [node.input[0], above])
    yield from scope.nodes


def _add_shape(node: NodeDef, shape: Sequence[int]) -> None:
    dims = node.attr["_output_shapes"].list.shape.add()
    for size in shape:
        dims.dim.add(size=size)


def _write(folder: Path, graph: GraphDef) -> int:
    data = graph.SerializeToString()
    with EventFile(folder / RUN) as file:
        file.append(graph_record(data, wall_time=1000.0))
        # Listed once everything is read.
        file.add_scalar(TAG, 1.0, 0)
    return len(data)
