"""Encodes the demo's data of every kind except scalars, from the state of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seamark.cli.demo.two_moons import BATCH, LAST_SHARE, MOON_COLOURS, WARM_UP, Array, Recipe, Training
from seamark.format.messages import GraphDef, NodeDef, VersionDef
from seamark.kinds import audio, custom_scalars, graph, histogram, hparams, image, mesh, pr_curve, text
from seamark.kinds.custom_scalars import Category, Chart, Layout, Margin, MarginSeries, Multiline

if TYPE_CHECKING:
    from seamark.format.messages import Summary

SAMPLE_RATE_HZ = 8000
SURFACE_SIZE = 24
# TensorFlow's first graph version with the current layout.
GRAPH_PRODUCER = 22

LAYOUT = Layout(
    (
        Category(
            "Learning",
            (
                Chart("loss on training and held-out points", Multiline(("train/loss", "eval/loss"))),
                Chart(
                    "held-out accuracy with its 95 % interval",
                    Margin((MarginSeries("eval/accuracy", "bounds/accuracy_low", "bounds/accuracy_high"),)),
                ),
            ),
        ),
        Category("Optimiser", (Chart("step size and gradient", Multiline((r"train/(learning_rate|gradient_norm)",))),)),
    )
)
EXPERIMENT = hparams.Experiment(
    hparams=tuple(hparams.HParamInfo(name) for name in ("optim.learning_rate", "model.hidden", "data.points", "seed")),
    metrics=(hparams.MetricInfo("eval/accuracy"), hparams.MetricInfo("eval/loss")),
    name="two moons",
)


def config_of(training: Training) -> dict[str, Any]:
    recipe = training.recipe
    return {
        "model": {"hidden": recipe.hidden, "activation": "leaky_relu"},
        "optim": {
            "name": "sgd",
            "learning_rate": recipe.learning_rate,
            "schedule": {"name": "cosine", "warm_up": WARM_UP, "last": LAST_SHARE},
        },
        "data": {"points": recipe.train_points, "flipped_labels": recipe.flipped_labels, "batch": BATCH},
        "steps": training.total_steps,
        "seed": recipe.seed,
    }


def tags_of(recipe: Recipe) -> list[str]:
    return ["sweep"] if "/" in recipe.name else [recipe.name]


def notes_of(recipe: Recipe) -> str:
    aim = {
        "overfits": "Few points, a fifth of them **mislabelled**, and a wide network: the loss on unseen points rises.",
        "diverges": f"A learning rate of `{recipe.learning_rate:g}` is far too large: it ends with an error.",
    }.get(recipe.name, f"One of a sweep over the learning rate, here `{recipe.learning_rate:g}`, with two seeds each.")
    return f"### Two moons\n{aim}\n\n- all runs are evaluated on the same 500 points\n- made by `seamark demo`"


def initial_values(recipe: Recipe) -> list[Summary.Value]:
    """The values logged before the first step, besides the configuration."""
    settings = {"learning_rate": recipe.learning_rate, "hidden": recipe.hidden, "train_points": recipe.train_points}
    rows = [["setting", "value"], *([name, f"{value:g}"] for name, value in settings.items())]
    story = f"Tells **two half moons** apart, at a learning rate of `{recipe.learning_rate:g}`, seed {recipe.seed}."
    return [
        hparams.encode(EXPERIMENT),
        custom_scalars.encode(LAYOUT),
        text.encode("config", rows),
        text.encode("about", story),
    ]


def network(recipe: Recipe) -> bytes:
    """The model as a graph of operations."""
    nodes = [NodeDef(name="points", op="Placeholder"), NodeDef(name="labels", op="Placeholder")]
    below, inputs = "points", 2
    for layer, outputs, activation in (("hidden", recipe.hidden, "LeakyRelu"), ("output", 2, "Softmax")):
        nodes += [
            variable(f"{layer}/weights", inputs, outputs),
            variable(f"{layer}/bias", outputs),
            NodeDef(name=f"{layer}/product", op="MatMul", input=[below, f"{layer}/weights"]),
            NodeDef(name=f"{layer}/sum", op="BiasAdd", input=[f"{layer}/product", f"{layer}/bias"]),
            NodeDef(name=f"{layer}/activation", op=activation, input=[f"{layer}/sum"]),
        ]
        below, inputs = f"{layer}/activation", outputs
    nodes.append(NodeDef(name="loss/cross_entropy", op="SparseSoftmaxCrossEntropyWithLogits", input=[below, "labels"]))
    return graph.encode(GraphDef(node=nodes, versions=VersionDef(producer=GRAPH_PRODUCER)))


def variable(name: str, *shape: int) -> NodeDef:
    node = NodeDef(name=name, op="VariableV2")
    for size in shape:
        node.attr["shape"].shape.dim.add(size=size)
    return node


def histograms(training: Training) -> list[Summary.Value]:
    values = [histogram.encode(f"weights/{name}", weight) for name, weight in training.weights.items()]
    return [*values, histogram.encode("activations/hidden", training.activations())]


def curve(training: Training) -> Summary.Value:
    labels, certainty = training.held_out_predictions()
    return pr_curve.encode("eval/one_moon", labels == 1, certainty, thresholds=101)


def pictures(training: Training) -> list[Summary.Value]:
    return [image.encode("decision/plane", training.picture()), *surface(training)]


def surface(training: Training) -> list[Summary.Value]:
    """The network's prediction over the plane, as a surface."""
    size = SURFACE_SIZE
    certainty = training.certainty(size)
    across, down = np.meshgrid(np.linspace(-1.5, 1.5, size), np.linspace(1, -1, size))
    vertices = np.column_stack([across.ravel(), certainty.ravel(), down.ravel()])
    corner = (np.arange(size - 1)[:, None] * size + np.arange(size - 1)).ravel()
    lower = np.column_stack([corner, corner + size, corner + 1])
    upper = np.column_stack([corner + 1, corner + size, corner + size + 1])
    mixed = (1 - certainty.ravel()[:, None]) * MOON_COLOURS[0] + certainty.ravel()[:, None] * MOON_COLOURS[1]
    return mesh.encode(
        "decision/landscape",
        vertices,
        faces=np.concatenate([lower, upper]),
        colors=(mixed * 255).astype(np.uint8),
    )


def sound(losses: list[float]) -> Summary.Value:
    """The latest losses as a second of sound: the higher the loss, the higher the tone."""
    finite = np.nan_to_num(np.array(losses or [0.0]), nan=3.0, posinf=3.0)
    pitch_hz = 220 + 220 * np.clip(finite, 0, 3)
    moments = np.linspace(0, len(finite) - 1, SAMPLE_RATE_HZ)
    phase = 2 * np.pi * np.cumsum(np.interp(moments, np.arange(len(finite)), pitch_hz)) / SAMPLE_RATE_HZ
    fade: Array = np.minimum(1, np.minimum(np.arange(SAMPLE_RATE_HZ), np.arange(SAMPLE_RATE_HZ)[::-1]) / 200)
    return audio.encode(
        "sound/loss", 0.3 * np.sin(phase) * fade, sample_rate_hz=SAMPLE_RATE_HZ, labels=["The loss, as a tone"]
    )
