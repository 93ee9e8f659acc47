"""A small GPT in NumPy that learns the letters of a text, to have a model whose graph is worth looking at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seamark.cli.demo.tape import (
    Array,
    Tape,
    Tensor,
    add,
    attention,
    cross_entropy,
    embedding,
    gelu,
    join_heads,
    layer_norm,
    linear,
    split_heads,
    swap,
)

TEXT = """
A seamark is a fixed light, a buoy or a beacon that tells a ship where it is. The captain of a long run looks for it
in the fog: is the loss still falling, did the gradient grow, which layer went dark and when. A chart of the past is
worth more than a guess about the sea ahead, and two ships that left the same harbour are best compared at the same
mark. Some runs drift, some runs sink, and some come home with a better model than the one that left.
"""
LETTERS = sorted(set(TEXT))
BATCH, LENGTH, HEADS = 6, 16, 2
ADAM_RATE, ADAM_FIRST, ADAM_SECOND = 4e-3, 0.9, 0.99
# So low that the GELU behind it passes neither values nor gradients on.
DEAD_BIAS = -12.0


@dataclass(frozen=True, slots=True)
class GptRecipe:
    """The shape of one model. `has_dead_mlp`: the last block starts with a bias from which it never recovers."""

    name: str
    blocks: int
    width: int = 32
    mlp_times: int = 4
    has_dead_mlp: bool = False
    seed: int = 0


GPT_RECIPES = (
    GptRecipe("gpt/base", blocks=6),
    GptRecipe("gpt/deeper", blocks=7, mlp_times=6, has_dead_mlp=True),
)


class SmallGpt:
    """Parameters by name, as torch names them: "h.5.attn.c_proj.weight"."""

    def __init__(self, recipe: GptRecipe) -> None:
        self.recipe = recipe
        self._random = np.random.default_rng(recipe.seed)
        self._text = np.array([LETTERS.index(letter) for letter in TEXT])
        self.parameters = self._initial()
        self._moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in self.parameters.items()}
        self.steps_done = 0

    @property
    def size(self) -> int:
        return sum(value.size for value in self.parameters.values())

    def step(self) -> tuple[float, dict[str, Array], Tape]:
        """Trains on one batch. Returns its loss, the gradients, and the tape of the pass."""
        starts = self._random.integers(0, len(self._text) - LENGTH - 1, BATCH)
        rows = self._text[starts[:, None] + np.arange(LENGTH + 1)]
        tape = Tape()
        loss = _Pass(tape, self.recipe, self.parameters).loss(rows[:, :-1], rows[:, 1:])
        tape.run_backward()
        gradients = {
            f"{layer_name(tensor.scope)}.{tensor.name}": tensor.gradient
            for tensor in tape.tensors
            if tensor.op == "Parameter" and tensor.gradient is not None
        }
        self._update(gradients)
        return loss, gradients, tape

    def _initial(self) -> dict[str, Array]:
        width, inner = self.recipe.width, self.recipe.width * self.recipe.mlp_times
        shapes: dict[str, tuple[int, ...]] = {"wte": (len(LETTERS), width), "wpe": (LENGTH, width)}
        norms = []
        for block in range(self.recipe.blocks):
            shapes |= {f"h.{block}.attn.{name}": (width, width) for name in ("query", "key", "value", "c_proj")}
            shapes |= {f"h.{block}.mlp.c_fc": (inner, width), f"h.{block}.mlp.c_proj": (width, inner)}
            norms += [f"h.{block}.ln_1", f"h.{block}.ln_2"]
        shapes["lm_head"] = (len(LETTERS), width)
        found: dict[str, Array] = {}
        for name, shape in shapes.items():
            spread = 0.05 if name.startswith("w") else shape[1] ** -0.5
            found[f"{name}.weight"] = self._random.normal(0, spread, shape).astype(np.float32)
            if not name.startswith("w"):
                found[f"{name}.bias"] = np.zeros(shape[0], np.float32)
        for name in [*norms, "ln_f"]:
            found |= {f"{name}.weight": np.ones(width, np.float32), f"{name}.bias": np.zeros(width, np.float32)}
        if self.recipe.has_dead_mlp:
            found[f"h.{self.recipe.blocks - 1}.mlp.c_fc.bias"][:] = DEAD_BIAS
        return found

    def _update(self, gradients: dict[str, Array]) -> None:
        """Adam."""
        self.steps_done += 1
        for name, gradient in gradients.items():
            first, second = self._moments[name]
            first += (1 - ADAM_FIRST) * (gradient - first)
            second += (1 - ADAM_SECOND) * (gradient**2 - second)
            mean = first / (1 - ADAM_FIRST**self.steps_done)
            spread = np.sqrt(second / (1 - ADAM_SECOND**self.steps_done))
            self.parameters[name] -= ADAM_RATE * mean / (spread + 1e-8)


def layer_name(scope: str) -> str:
    """The layer of a module: "h.5.attn" of "GPT/ModuleList[h]/Block[5]/SelfAttention[attn]"."""
    return ".".join(title[title.index("[") + 1 : -1] for title in scope.split("/")[1:])


@dataclass
class _Pass:
    """One pass of the model. Modules and operations have the names that torch gives them."""

    tape: Tape
    recipe: GptRecipe
    parameters: dict[str, Array]

    def loss(self, ids: Array, targets: Array) -> float:
        tape = self.tape
        with tape.module("input"):
            inputs, wanted = tape.leaf(ids, "ids", "Input"), tape.leaf(targets, "targets", "Input")
            positions = tape.leaf(np.arange(LENGTH), "positions", "Input")
        with tape.module("GPT"):
            tokens, places = self._embedding("wte", inputs), self._embedding("wpe", positions)
            x = tape.call("add", "aten.add.Tensor", add, tokens, places)
            with tape.module("ModuleList[h]"):
                for block in range(self.recipe.blocks):
                    with tape.module(f"Block[{block}]"):
                        x = self._block(x)
            logits = self._linear("lm_head", self._norm("ln_f", x))
            loss = tape.call("cross_entropy", "aten.cross_entropy_loss.default", cross_entropy, logits, wanted)
        return float(loss.value)

    def _block(self, x: Tensor) -> Tensor:
        normed = self._norm("ln_1", x)
        with self.tape.module("SelfAttention[attn]"):
            attended = self._attention(normed)
        x = self.tape.call("add", "aten.add.Tensor", add, x, attended)
        normed = self._norm("ln_2", x)
        with self.tape.module("MLP[mlp]"):
            active = self._linear("c_fc", normed)
            with self.tape.module("GELU[gelu]"):
                active = self.tape.call("gelu", "aten.gelu.default", gelu, active)
            active = self._linear("c_proj", active)
        return self.tape.call("add_1", "aten.add.Tensor", add, x, active)

    def _attention(self, x: Tensor) -> Tensor:
        tape = self.tape
        parts = []
        for name in ("query", "key", "value"):
            part = tape.call("view", "aten.view.default", split_heads(HEADS), self._linear(name, x))
            parts.append(tape.call("transpose", "aten.transpose.int", swap, part))
        found = tape.call("attention", "aten.scaled_dot_product_attention.default", attention, *parts)
        found = tape.call("transpose", "aten.transpose.int", swap, found)
        return self._linear("c_proj", tape.call("view", "aten.view.default", join_heads, found))

    def _embedding(self, name: str, ids: Tensor) -> Tensor:
        with self.tape.module(f"Embedding[{name}]"):
            return self.tape.call("embedding", "aten.embedding.default", embedding, self._parameter("weight"), ids)

    def _norm(self, name: str, x: Tensor) -> Tensor:
        with self.tape.module(f"LayerNorm[{name}]"):
            weight, bias = self._parameter("weight"), self._parameter("bias")
            return self.tape.call("layer_norm", "aten.layer_norm.default", layer_norm, x, weight, bias)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        with self.tape.module(f"Linear[{name}]"):
            weight, bias = self._parameter("weight"), self._parameter("bias")
            return self.tape.call("linear", "aten.linear.default", linear, x, weight, bias)

    def _parameter(self, name: str) -> Tensor:
        return self.tape.leaf(self.parameters[f"{layer_name(self.tape.scope)}.{name}"], name, "Parameter")
