"""Trains a small classifier in NumPy on drawn digits of 16 × 16 pixels, and has the features of its last layer."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
SIDE = 16
COUNT = 2000
TRAIN_COUNT = 1600
BATCH = 64
SIZES = (SIDE * SIDE, 64, 32, 10)
LEARNING_RATE, MOMENTUM = 0.01, 0.9
# The strokes of each digit, as points of a unit square with the origin at the top left.
LEFT, RIGHT, TOP, MIDDLE, BOTTOM = 0.3, 0.7, 0.15, 0.5, 0.85
STROKES: tuple[tuple[tuple[float, float], ...], ...] = (
    ((LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM), (LEFT, TOP)),
    ((0.4, 0.3), (0.55, TOP), (0.55, BOTTOM)),
    ((LEFT, 0.25), (0.5, TOP), (RIGHT, 0.3), (LEFT, BOTTOM), (RIGHT, BOTTOM)),
    ((LEFT, TOP), (RIGHT, TOP), (0.5, 0.45), (RIGHT, 0.65), (0.5, BOTTOM), (LEFT, 0.8)),
    ((0.6, BOTTOM), (0.6, TOP), (LEFT, 0.6), (0.75, 0.6)),
    ((RIGHT, TOP), (LEFT, TOP), (LEFT, MIDDLE), (RIGHT, 0.55), (RIGHT, 0.8), (LEFT, BOTTOM)),
    ((0.65, TOP), (LEFT, MIDDLE), (LEFT, BOTTOM), (RIGHT, BOTTOM), (RIGHT, 0.55), (LEFT, 0.55)),
    ((LEFT, TOP), (RIGHT, TOP), (0.45, BOTTOM)),
    ((LEFT, 0.3), (0.5, TOP), (RIGHT, 0.3), (LEFT, 0.7), (0.5, BOTTOM), (RIGHT, 0.7), (LEFT, 0.3)),
    ((RIGHT, 0.45), (LEFT, 0.45), (LEFT, TOP), (RIGHT, TOP), (RIGHT, 0.45), (0.6, BOTTOM)),
)


class GlyphTraining:
    """`step` trains on one batch; `features` are those of all glyphs, also of the held-out ones."""

    def __init__(self, seed: int = 0) -> None:
        self._random = np.random.default_rng(seed)
        self.labels = self._random.integers(0, len(STROKES), COUNT)
        self.images = np.stack([draw(STROKES[label], self._random) for label in self.labels])
        self.is_train = np.arange(COUNT) < TRAIN_COUNT
        self._inputs = self.images.reshape(COUNT, -1) - np.float32(0.2)
        self._weights = [self._initial(inputs, outputs) for inputs, outputs in pairwise(SIZES)]
        self._speeds = [np.zeros_like(weight) for weight in self._weights]

    def step(self) -> float:
        """Returns the loss of the batch."""
        chosen = self._random.integers(0, TRAIN_COUNT, BATCH)
        layers, odds = self._forward(self._inputs[chosen])
        loss = float(losses(odds, self.labels[chosen]).mean())
        error = odds.copy()
        error[np.arange(BATCH), self.labels[chosen]] -= 1
        error /= BATCH
        for at in reversed(range(len(self._weights))):
            gradient = with_bias(layers[at]).T @ error
            error = (error @ self._weights[at][:-1].T) * (layers[at] > 0)
            self._speeds[at] = MOMENTUM * self._speeds[at] - LEARNING_RATE * gradient
            self._weights[at] += self._speeds[at]
        return loss

    def features(self) -> tuple[Array, Array]:
        """The last hidden layer, and the predicted probabilities."""
        layers, odds = self._forward(self._inputs)
        return layers[-1], odds

    def _forward(self, inputs: Array) -> tuple[list[Array], Array]:
        layers = [inputs]
        for weight in self._weights[:-1]:
            layers.append(np.maximum(with_bias(layers[-1]) @ weight, 0))
        scores = with_bias(layers[-1]) @ self._weights[-1]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return layers, powers / powers.sum(axis=1, keepdims=True)

    def _initial(self, inputs: int, outputs: int) -> Array:
        weight = self._random.normal(0, (2 / inputs) ** 0.5, (inputs + 1, outputs)).astype(np.float32)
        weight[-1] = 0
        return weight


def draw(stroke: tuple[tuple[float, float], ...], random: np.random.Generator) -> Array:
    """The stroke moved, turned and sheared a little, as [SIDE, SIDE] from 0 to 1, with noise."""
    points = np.array(stroke) - 0.5 + random.normal(0, 0.015, (len(stroke), 2))
    angle, shear, scale = random.normal(0, 0.16), random.normal(0, 0.16), random.uniform(0.75, 1.1)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points = points @ turn @ np.array([[1, 0], [shear, 1]]) * scale + 0.5 + random.normal(0, 0.05, 2)
    axis = (np.arange(SIDE) + 0.5) / SIDE
    pixels = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 1, 2)
    starts, along = points[:-1], np.diff(points, axis=0)
    share = np.clip(((pixels - starts) * along).sum(axis=2) / np.square(along).sum(axis=1), 0, 1)
    distance = np.linalg.norm(pixels - starts - share[..., None] * along, axis=2).min(axis=1)
    ink = np.clip(1 - (distance - random.uniform(0.02, 0.05)) / 0.05, 0, 1) + random.normal(0, 0.12, SIDE * SIDE)
    image: Array = np.clip(ink, 0, 1).reshape(SIDE, SIDE).astype(np.float32)
    return image


def losses(odds: Array, labels: NDArray[np.int64]) -> Array:
    """The cross-entropy of each glyph."""
    found: Array = -np.log(np.maximum(odds[np.arange(len(labels)), labels], 1e-9))
    return found


def with_bias(values: Array) -> Array:
    return np.concatenate([values, np.ones((len(values), 1), np.float32)], axis=1)
