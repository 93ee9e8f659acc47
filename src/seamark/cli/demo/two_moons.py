"""Trains a small two-layer network in NumPy that classifies the points of two half moons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BATCH = 128
WARM_UP = 0.05  # the share of the run over which the learning rate rises
LAST_SHARE = 0.1  # of the learning rate at the end
LEAK = 0.1  # of the leaky rectifier: units never die, so a diverging run reaches infinity
MOON_COLOURS = np.array([[0.12, 0.42, 0.69], [0.72, 0.46, 0.06]])


@dataclass(frozen=True, slots=True)
class Recipe:
    """The hyperparameters of one run."""

    name: str
    learning_rate: float
    seed: int
    hidden: int = 24
    train_points: int = 400
    flipped_labels: float = 0.03  # the share of training labels that are wrong


RECIPES = (
    *(Recipe(f"lr{rate:g}/seed{seed}", rate, seed) for rate in (0.02, 0.1, 0.5) for seed in range(2)),
    Recipe("overfits", 0.3, 7, hidden=200, train_points=40, flipped_labels=0.2),
    Recipe("diverges", 30.0, 8),
)


@dataclass(frozen=True, slots=True)
class Measured:
    loss: float
    accuracy: float
    points: int

    def accuracy_range(self) -> tuple[float, float]:
        """The 95 % interval of the accuracy for this number of points (Wilson's interval)."""
        z, n, p = 1.96, self.points, self.accuracy
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
        return middle - half, middle + half


class Training:
    """One run. `step` trains on one batch; `evaluate` measures the held-out points."""

    def __init__(self, recipe: Recipe, *, total_steps: int) -> None:
        self.recipe = recipe
        self.total_steps = total_steps
        self._random = np.random.default_rng(recipe.seed)
        self._points, labels = two_moons(self._random, recipe.train_points)
        flipped = self._random.random(recipe.train_points) < recipe.flipped_labels
        self._labels = np.where(flipped, 1 - labels, labels)
        # All runs are evaluated on the same points.
        self._held_out = two_moons(np.random.default_rng(12345), 500)
        self.weights = {
            "hidden": self._random.normal(0, 1, (2, recipe.hidden)),
            "hidden_bias": np.zeros(recipe.hidden),
            "output": self._random.normal(0, recipe.hidden**-0.5, (recipe.hidden, 2)),
            "output_bias": np.zeros(2),
        }
        self.steps_done = 0

    @property
    def learning_rate(self) -> float:
        """Warms up over a twentieth of the run, then falls to a tenth along a cosine."""
        done = self.steps_done / max(self.total_steps, 1)
        warm_up = min(1.0, (done + 1e-3) / WARM_UP)
        middle, half = (1 + LAST_SHARE) / 2, (1 - LAST_SHARE) / 2
        return self.recipe.learning_rate * warm_up * (middle + half * float(np.cos(np.pi * done)))

    @property
    def parameters(self) -> int:
        return sum(weight.size for weight in self.weights.values())

    @property
    def has_diverged(self) -> bool:
        return not all(np.isfinite(weight).all() for weight in self.weights.values())

    def step(self) -> tuple[Measured, float]:
        """Trains on one batch. Returns its loss and accuracy, and the norm of the gradient."""
        chosen = self._random.integers(0, self.recipe.train_points, BATCH)
        points, labels = self._points[chosen], self._labels[chosen]
        with np.errstate(all="ignore"):  # one run diverges on purpose
            hidden, odds = self._forward(points)
            measured = measure(odds, labels)
            gradients = self._gradients(points, labels, hidden, odds)
            norm = float(np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values())))
            for name, gradient in gradients.items():
                self.weights[name] -= self.learning_rate * gradient
        self.steps_done += 1
        return measured, norm

    def evaluate(self) -> Measured:
        points, labels = self._held_out
        with np.errstate(all="ignore"):
            return measure(self._forward(points)[1], labels)

    def held_out_predictions(self) -> tuple[NDArray[np.int64], Array]:
        """The labels of the held-out points, and the predicted probability of moon 1 for each."""
        points, labels = self._held_out
        with np.errstate(all="ignore"):
            return labels, np.clip(np.nan_to_num(self._forward(points)[1][:, 1]), 0, 1)

    def activations(self) -> Array:
        with np.errstate(all="ignore"):
            return self._forward(self._held_out[0])[0]

    def certainty(self, size: int) -> Array:
        """The predicted probability of moon 1 over the plane, as [size, size]."""
        return np.clip(self._plane(size)[:, 1], 0, 1).reshape(size, size)

    def picture(self, size: int = 64) -> Array:
        """The prediction over the plane as colours, [size, size, 3]."""
        mixed: Array = 1 - (1 - self._plane(size) @ MOON_COLOURS) * 0.85
        return np.clip(mixed, 0, 1).reshape(size, size, 3)

    def _plane(self, size: int) -> Array:
        across, down = np.meshgrid(np.linspace(-1.6, 2.6, size), np.linspace(1.6, -1.2, size))
        with np.errstate(all="ignore"):
            odds = self._forward(np.column_stack([across.ravel(), down.ravel()]))[1]
        return np.nan_to_num(odds)

    def _forward(self, points: Array) -> tuple[Array, Array]:
        hidden = points @ self.weights["hidden"] + self.weights["hidden_bias"]
        hidden = np.where(hidden > 0, hidden, LEAK * hidden)
        scores = hidden @ self.weights["output"] + self.weights["output_bias"]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True)

    def _gradients(self, points: Array, labels: NDArray[np.int64], hidden: Array, odds: Array) -> dict[str, Array]:
        error = odds.copy()
        error[np.arange(len(labels)), labels] -= 1
        error /= len(labels)
        behind = (error @ self.weights["output"].T) * np.where(hidden > 0, 1.0, LEAK)
        return {
            "hidden": points.T @ behind,
            "hidden_bias": behind.sum(axis=0),
            "output": hidden.T @ error,
            "output_bias": error.sum(axis=0),
        }


def two_moons(random: np.random.Generator, count: int) -> tuple[Array, NDArray[np.int64]]:
    labels = random.integers(0, 2, count)
    angle = random.uniform(0, np.pi, count)
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    points[labels == 1] = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])[labels == 1]
    return points + random.normal(0, 0.18, points.shape), labels


def measure(odds: Array, labels: NDArray[np.int64]) -> Measured:
    # Not clipped: a diverging run reports an infinite loss, which the viewer has to handle.
    loss = float(-np.log(odds[np.arange(len(labels)), labels]).mean())
    return Measured(loss, float((odds.argmax(axis=1) == labels).mean()), len(labels))
