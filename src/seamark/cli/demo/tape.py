"""Tape: the operations of one pass of a model, with their gradients, for its training and for its graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import currentframe
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Gradients = tuple[Array | None, ...]
# An operation returns its result, and a function from the result's gradient to those of its inputs.
Result = tuple[Array, Callable[[Array], Gradients]]


@dataclass(slots=True, eq=False)
class Tensor:
    value: Array
    # As a node: the module's path in the graph, and the name in it. An op of "Parameter" or "Input" has no inputs.
    scope: str
    name: str
    op: str
    inputs: Sequence[Tensor] = ()
    source: tuple[str, int] = ("", 0)  # file and line of the call
    secs: float = 0.0
    gradient: Array | None = None
    backward: Callable[[Array], Gradients] | None = None

    def add_gradient(self, gradient: Array) -> None:
        self.gradient = gradient if self.gradient is None else self.gradient + gradient


@dataclass
class Tape:
    """Tensors in the order in which they were made."""

    tensors: list[Tensor] = field(default_factory=list)
    _scopes: list[str] = field(default_factory=list)

    @contextmanager
    def module(self, title: str) -> Iterator[None]:
        """Operations inside belong to this module: "Block[5]"."""
        self._scopes.append(title)
        yield
        self._scopes.pop()

    @property
    def scope(self) -> str:
        return "/".join(self._scopes)

    def leaf(self, value: Array, name: str, op: str) -> Tensor:
        return self._add(Tensor(value, self.scope, name, op))

    def call(self, name: str, op: str, function: Callable[..., Result], *inputs: Tensor) -> Tensor:
        begun = time.perf_counter()
        value, backward = function(*(tensor.value for tensor in inputs))
        secs = time.perf_counter() - begun
        here = currentframe()
        caller = here.f_back if here else None
        source = (caller.f_code.co_filename, caller.f_lineno) if caller else ("", 0)
        return self._add(Tensor(value, self.scope, name, op, inputs, source, secs=secs, backward=backward))

    def run_backward(self) -> None:
        """From the last tensor, a loss, to the parameters."""
        last = self.tensors[-1]
        last.gradient = np.ones_like(last.value)
        for tensor in reversed(self.tensors):
            if tensor.backward is None or tensor.gradient is None:
                continue
            for source, gradient in zip(tensor.inputs, tensor.backward(tensor.gradient), strict=True):
                if gradient is not None:
                    source.add_gradient(gradient)

    def _add(self, tensor: Tensor) -> Tensor:
        self.tensors.append(tensor)
        return tensor


def add(left: Array, right: Array) -> Result:
    def backward(gradient: Array) -> Gradients:
        # The right operand may lack the axis of the batch.
        return gradient, gradient.sum(axis=tuple(range(gradient.ndim - right.ndim)))

    return left + right, backward


def embedding(weight: Array, ids: Array) -> Result:
    def backward(gradient: Array) -> Gradients:
        total = np.zeros_like(weight)
        np.add.at(total, ids, gradient)
        return total, None

    return weight[ids], backward


def linear(x: Array, weight: Array, bias: Array) -> Result:
    def backward(gradient: Array) -> Gradients:
        rows, inputs = gradient.reshape(-1, gradient.shape[-1]), x.reshape(-1, x.shape[-1])
        return gradient @ weight, rows.T @ inputs, rows.sum(axis=0)

    return x @ weight.T + bias, backward


def layer_norm(x: Array, weight: Array, bias: Array) -> Result:
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
    normed = centred * scale

    def backward(gradient: Array) -> Gradients:
        inner = gradient * weight
        along = (inner * normed).mean(axis=-1, keepdims=True)
        axes = tuple(range(gradient.ndim - 1))
        return (
            scale * (inner - inner.mean(axis=-1, keepdims=True) - normed * along),
            (gradient * normed).sum(axis=axes),
            gradient.sum(axis=axes),
        )

    return normed * weight + bias, backward


def gelu(x: Array) -> Result:
    """By its approximation with tanh."""
    bent = np.tanh(0.7978845608 * (x + 0.044715 * x * x * x))

    def backward(gradient: Array) -> Gradients:
        slope = (1 - bent**2) * 0.7978845608 * (1 + 3 * 0.044715 * x**2)
        return (gradient * (0.5 * (1 + bent) + 0.5 * x * slope),)

    return 0.5 * x * (1 + bent), backward


def split_heads(heads: int) -> Callable[[Array], Result]:
    def view(x: Array) -> Result:
        return x.reshape(*x.shape[:2], heads, -1), lambda gradient: (gradient.reshape(x.shape),)

    return view


def join_heads(x: Array) -> Result:
    return x.reshape(*x.shape[:2], -1), lambda gradient: (gradient.reshape(x.shape),)


def swap(x: Array) -> Result:
    """The axes of positions and heads."""
    return x.swapaxes(1, 2), lambda gradient: (gradient.swapaxes(1, 2),)


def attention(query: Array, key: Array, value: Array) -> Result:
    """Each position looks at itself and at those before it. [batch, heads, length, size]"""
    scale = query.shape[-1] ** -0.5
    scores = query @ key.swapaxes(-1, -2) * scale
    later = np.triu(np.ones(scores.shape[-2:], bool), 1)
    scores = np.where(later, -np.inf, scores)
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    odds /= odds.sum(axis=-1, keepdims=True)

    def backward(gradient: Array) -> Gradients:
        to_odds = gradient @ value.swapaxes(-1, -2)
        to_scores = odds * (to_odds - (to_odds * odds).sum(axis=-1, keepdims=True)) * scale
        return to_scores @ key, to_scores.swapaxes(-1, -2) @ query, odds.swapaxes(-1, -2) @ gradient

    return odds @ value, backward


def cross_entropy(logits: Array, targets: Array) -> Result:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    odds = powers / powers.sum(axis=-1, keepdims=True)
    at = (*np.indices(targets.shape), targets)

    def backward(gradient: Array) -> Gradients:
        error = odds.copy()
        error[at] -= 1
        return gradient * error / targets.size, None

    return -np.log(odds[at]).mean(), backward
