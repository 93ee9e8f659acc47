"""Kinds of noise: nodes that are hidden until a person wants to see them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import Edges, Graph, IntColumn

NodeMask = NDArray[np.bool_]
# A hidden node passes on at most this many sources: a list of a thousand tensors is not worth a thousand lines.
MAX_SOURCES = 16


@dataclass(frozen=True, slots=True)
class FoldRule:
    """`ops` and `groups` are patterns of the whole name. A node is of this kind if its op or a group above matches."""

    name: str
    title: str
    ops: re.Pattern[str] | None = None
    groups: re.Pattern[str] | None = None
    types: re.Pattern[str] | None = None  # of groups: classes of modules, and functions
    # Whether what goes in comes out: then lines are drawn past the hidden node.
    is_passed: bool = False


def _any_of(*names: str) -> re.Pattern[str]:
    return re.compile("|".join(names))


OPTIMIZER_GROUPS = _any_of(
    "(?i:adam|adamw|rmsprop|momentum|adagrad|gradientdescent|sgd|optimizer)(_[0-9]+)?", "training"
)
# Keras 2.11 and later update each variable in a function of its own.
UPDATE_FUNCTION = re.compile(r".*_update_step_xla.*")
# What an optimizer is for.
UPDATE_OPS = _any_of("(Resource)?(Sparse)?Apply[A-Z].*", "Assign.*")

# Of numbers, while all of them come from the sizes of tensors, as lists of sizes do.
SIZE_OPS = _any_of(
    r"aten(::|\.)_*(floor_divide|floordiv|mul|add|sub|div|remainder|neg|min|max)(\..*)?",
    "prim::(ListConstruct|ListUnpack|NumToTensor)",
    "Gather(V2)?|StridedSlice|Slice|Pack|Concat(V2|FromSequence)?|ExpandDims|Unsqueeze|Squeeze|Prod|ReduceProd|Range",
    "Mul|Add(V2)?|Sub|Div|RealDiv|FloorDiv|FloorMod|Mod|Maximum|Minimum|Cast|Reshape|Where|Equal",
)
_MAX_SIZE_ROUNDS = 64

RULES = (
    FoldRule("prim", "prim:: operations", ops=_any_of("prim::.*"), is_passed=True),
    FoldRule(
        "parameters", "Parameters and buffers", ops=_any_of("Parameter", "Buffer", "Variable(V2)?", "VarHandleOp")
    ),
    FoldRule(
        "constants", "Constants", ops=_any_of("Const", "Constant", "HostConst", "ConstantOfShape", "onnx::Constant")
    ),
    FoldRule(
        "identities",
        "Identities",
        ops=_any_of(
            "Identity(N)?",
            "StopGradient",
            r"aten(::|\.)(detach|alias|lift_fresh_copy|clone|contiguous)(\..*)?",
            "ReadVariableOp",
            "stop_gradient",
            "copy(_p)?",
        ),
        is_passed=True,
    ),
    FoldRule(
        "shapes",
        "Shape arithmetic",
        ops=_any_of(
            "Shape(N)?",
            "Size",
            "Rank",
            r"aten::(size|Int|ScalarImplicit|NumToTensor|numel|dim)",
            r"aten\.(sym_size|sym_numel|sym_stride)(\..*)?",
            "BroadcastGradientArgs",
        ),
    ),
    FoldRule(
        "initial",
        "Initial values",
        ops=_any_of("Assign(VariableOp)?", "(VarIs|IsVariable)Initialized(Op)?", "NoOp"),
        groups=_any_of("Initializer", "init(_[0-9]+)?", "(random_(uniform|normal)|truncated_normal)(_[0-9]+)?"),
    ),
    FoldRule(
        "gradients",
        "Gradients",
        ops=_any_of(".*Grad(V[0-9]|Input|Filter|WithArgmax|Ext)?", "Conv.*Backprop(Input|Filter).*"),
        groups=_any_of("gradients?(_[0-9]+)?", "gradient_tape", "grad(s)?"),
    ),
    FoldRule(
        "optimizer",
        "Optimizer",
        ops=_any_of("(Resource)?(Sparse)?Apply[A-Z].*"),
        groups=OPTIMIZER_GROUPS,
        types=UPDATE_FUNCTION,
    ),
    FoldRule(
        "saving",
        "Saving and summaries",
        ops=_any_of(
            "(Merge)?(Histogram|Scalar|Image|Audio|Tensor|Merge)Summary(V2)?",
            "SaveV2",
            "RestoreV2",
            "MergeV2Checkpoints",
        ),
        groups=_any_of("save(_[0-9]+)?"),
    ),
    FoldRule("functions", "Functions", groups=re.compile("functions")),
)


RULES_BY_NAME = {rule.name: rule for rule in RULES}


def kinds_of_nodes(graph: Graph) -> dict[str, NodeMask]:
    """The nodes of each kind, without the kinds that the graph has none of. A node has at most one kind."""
    found: dict[str, NodeMask] = {}
    rest = np.ones(len(graph.nodes), bool)
    for rule in RULES:
        mask = _matches(graph, rule)
        if rule.name == "shapes":
            mask = _computed_from_sizes(graph, mask, _matches(graph, RULES_BY_NAME["constants"]))
        mask &= rest
        if rule.name == "optimizer" and mask.any():
            mask &= ~_of_the_model(graph, mask, rest, found.get("gradients"))
        if mask.any():
            found[rule.name] = mask
            rest &= ~mask
    return found


def _computed_from_sizes(graph: Graph, sizes: NodeMask, constants: NodeMask) -> NodeMask:
    """The sizes of tensors, and what is computed from them and constants alone."""
    edges = graph.edges
    sources, targets = edges.sources[~edges.is_control], edges.targets[~edges.is_control]
    by_op = np.array([SIZE_OPS.fullmatch(name) is not None for name in graph.nodes.op_names], bool)
    is_constant = np.array([name == "prim::Constant" for name in graph.nodes.op_names], bool)
    candidates, given = by_op[graph.nodes.ops], constants | is_constant[graph.nodes.ops]
    found = sizes.copy()
    for _ in range(_MAX_SIZE_ROUNDS if sizes.any() else 0):
        others = np.bincount(targets, weights=~(found | given)[sources], minlength=len(found))
        made = np.bincount(targets, weights=found[sources], minlength=len(found))
        new = candidates & ~found & (others == 0) & (made > 0)
        if not new.any():
            break
        found |= new
    return found


def _of_the_model(graph: Graph, mask: NodeMask, rest: NodeMask, gradients: NodeMask | None) -> NodeMask:
    """Which nodes in scopes that are named like an optimizer belong to the model, such as a loss in "optimizer".

    They are computed from nodes of the model, not from gradients, and no variable is updated with them.
    """
    edges = graph.edges
    sources, targets = edges.sources[~edges.is_control], edges.targets[~edges.is_control]
    updates = _has_op(graph, UPDATE_OPS)
    in_functions = _in_groups(graph, None, UPDATE_FUNCTION)[graph.nodes.groups]
    candidates = mask & ~updates & ~in_functions
    inputs = _has_op(graph, _any_of("Placeholder.*", "Input", "IteratorGetNext", "_Arg"))
    trained = updates if gradients is None else updates | gradients
    after = _reached(sources, targets, trained, candidates)
    before = _reached(targets, sources, updates, candidates)
    own = candidates & ~after & ~before
    found: NodeMask = _reached(sources, targets, (rest & ~mask) | (own & inputs), own) | (own & inputs)
    return found


def _reached(sources: IntColumn, targets: IntColumn, start: NodeMask, within: NodeMask) -> NodeMask:
    """The nodes of `within` to which a way leads from `start`, through nodes of `within`."""
    inside = within[targets]
    following: dict[int, list[int]] = {}
    for source, target in zip(sources[inside].tolist(), targets[inside].tolist(), strict=True):
        following.setdefault(source, []).append(target)
    found = np.zeros(len(within), bool)
    stack = [source for source in following if start[source]]
    while stack:
        new = [node for node in following.pop(stack.pop(), ()) if not found[node]]
        found[new] = True
        stack.extend(new)
    return found


def _has_op(graph: Graph, ops: re.Pattern[str]) -> NodeMask:
    found: NodeMask = np.array([ops.fullmatch(name) is not None for name in graph.nodes.op_names], bool)
    return found[graph.nodes.ops]


def hidden_nodes(kinds: dict[str, NodeMask], unfolded: Collection[str], count: int) -> NodeMask:
    """A graph of nothing but noise is shown as it is."""
    hidden = np.zeros(count, bool)
    for name, mask in kinds.items():
        if name not in unfolded:
            hidden |= mask
    return np.zeros(count, bool) if hidden.all() else hidden


def edges_past(edges: Edges, hidden: NodeMask, passing: NodeMask) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Sources, outputs and targets of edges that lead past hidden nodes of the kinds `passing`."""
    passed = hidden & passing
    if not passed.any():
        nothing = np.zeros(0, np.int32)
        return nothing, nothing, nothing
    into = np.flatnonzero(passed[edges.targets] & ~edges.is_control)
    out = np.flatnonzero(passed[edges.sources] & ~hidden[edges.targets] & ~edges.is_control)
    behind = _chain_starts(edges, passed, into)[edges.sources[out]]
    is_chain = behind >= 0
    chained = is_chain & ~hidden[edges.sources[np.maximum(behind, 0)]]
    start, ends = behind[chained], out[chained]
    others = _branched(edges, hidden, passed, into, out[~is_chain])
    return (
        np.concatenate([edges.sources[start], others[:, 0]]),
        np.concatenate([edges.source_outputs[start], others[:, 1]]),
        np.concatenate([edges.targets[ends], others[:, 2]]),
    )


def _chain_starts(edges: Edges, passed: NodeMask, into: NDArray[np.intp]) -> NDArray[np.int64]:
    """By passed node: the edge into the first node of its chain, if no node of it has several inputs; otherwise -1."""
    found = np.full(len(passed), -1, np.int64)
    found[edges.targets[into]] = into
    found[np.bincount(edges.targets[into], minlength=len(passed)) != 1] = -1
    # Each round doubles how far a node sees. A chain that is still open then is a cycle.
    for _ in range(len(passed).bit_length()):
        sources = edges.sources[np.maximum(found, 0)]
        is_open = (found >= 0) & passed[sources]
        if not is_open.any():
            return found
        found[is_open] = found[sources[is_open]]
    found[(found >= 0) & passed[edges.sources[np.maximum(found, 0)]]] = -1
    return found


def _branched(
    edges: Edges, hidden: NodeMask, passed: NodeMask, into: NDArray[np.intp], out: NDArray[np.intp]
) -> IntColumn:
    """The same for edges `out` of nodes with several inputs, as rows of source, output and target."""
    found: list[tuple[int, int, int]] = []
    inputs: dict[int, list[int]] = {}
    for edge in into.tolist() if len(out) else ():
        inputs.setdefault(int(edges.targets[edge]), []).append(edge)
    resolved: dict[int, list[tuple[int, int]]] = {}
    for edge in out.tolist():
        for source, output in _sources(int(edges.sources[edge]), inputs, edges, passed, resolved):
            if not hidden[source]:
                found.append((source, output, int(edges.targets[edge])))
    return np.array(found, np.int32).reshape(-1, 3)


def _sources(
    start: int,
    inputs: dict[int, list[int]],
    edges: Edges,
    passed: NodeMask,
    resolved: dict[int, list[tuple[int, int]]],
) -> list[tuple[int, int]]:
    """The outputs of nodes that are not passed, behind a chain of nodes that are. Cycles end where they close."""
    if start in resolved:
        return resolved[start]
    found: dict[tuple[int, int], None] = {}
    seen, stack = {start}, [start]
    while stack and len(found) < MAX_SOURCES:
        for edge in inputs.get(stack.pop(), ()):
            source = int(edges.sources[edge])
            if not passed[source]:
                found[source, int(edges.source_outputs[edge])] = None
            elif source not in seen:
                seen.add(source)
                stack.append(source)
    resolved[start] = list(found)[:MAX_SOURCES]
    return resolved[start]


def _matches(graph: Graph, rule: FoldRule) -> NodeMask:
    mask = np.zeros(len(graph.nodes), bool)
    if rule.ops is not None:
        mask |= _has_op(graph, rule.ops)
    if rule.groups is not None:
        mask |= _in_groups(graph, rule.groups, rule.types)[graph.nodes.groups]
    return mask


def _in_groups(graph: Graph, labels: re.Pattern[str] | None, types: re.Pattern[str] | None) -> NodeMask:
    """By group: whether it, or a group around it, has such a label or type."""
    groups = graph.groups
    wanted = {label for label in set(groups.labels) if labels is not None and labels.fullmatch(label)}
    wanted_types = {type for type in set(groups.types) if types is not None and types.fullmatch(type)}
    found = np.zeros(len(groups), bool)
    for group, (label, type) in enumerate(zip(groups.labels, groups.types, strict=True)):
        # A module of a model that happens to be called so has a class.
        if (label in wanted and not type) or type in wanted_types:
            found[group : groups.ends[group]] = True
    return found
