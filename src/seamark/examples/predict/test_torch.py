"""PyTorch models: modules in a Python file, and exported programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark.examples.predict.conftest import ROWS, OpenModel, make_set
from seamark.examples.predict.live_model import LiveModel
from seamark.examples.predict.process_backend import Limits, ProcessBackend
from seamark.examples.predict.spec import parse_model
from seamark.tables.build import column_of_names

pytestmark = pytest.mark.timed

torch = pytest.importorskip("torch")
ALL = np.arange(ROWS, dtype=np.int64)
NET = """
    import torch
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, {outputs}){last})
    with torch.no_grad():
        net[0].weight[:, 1] = 0  # the feature y has missing values
    net = torch.nn.Sequential(Fill(), net)
"""
FILL = """
    import torch

    class Fill(torch.nn.Module):
        def forward(self, x):
            return torch.nan_to_num(x)
"""


def expected(outputs: int, last: str = "") -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    import textwrap

    values: dict[str, object] = {}
    exec(textwrap.dedent(FILL + NET.format(outputs=outputs, last=last)), values)
    examples = make_set(has_names=False)
    matrix = np.stack([np.asarray(column.numbers) for column in examples.features], axis=1)
    net = values["net"].eval()  # type: ignore[attr-defined]
    with torch.no_grad():
        scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = net(torch.tensor(matrix).float()).double().numpy()
    return scores


@pytest.mark.parametrize("last, note", [("", "by the logistic function"), (", torch.nn.Sigmoid()", "")])
def test_a_module_for_two_classes(last: str, note: str, open_model: OpenModel) -> None:
    text = FILL + NET.format(outputs=1, last=last)
    model = open_model(text, name="net", examples=make_set(has_names=False))
    scores = expected(1, last)[:, 0]
    np.testing.assert_allclose(model.predict(ALL).scores, scores if last else 1 / (1 + np.exp(-scores)), rtol=1e-5)
    assert model.note.endswith(note) and bool(model.note) == bool(note)
    np.testing.assert_array_equal(model.predict(ALL).scores, model.predict(ALL).scores)  # no dropout


def test_a_module_for_several_classes_and_names_are_an_error(open_model: OpenModel) -> None:
    truth = column_of_names("label", [("cat", "dog", "bird")[row % 3] for row in range(ROWS)])
    text = FILL + NET.format(outputs=3, last="")
    model = open_model(text, name="net", examples=make_set(truth, has_names=False))
    predictions = model.predict(ALL)
    assert predictions.classes == ("bird", "cat", "dog") and "softmax" in model.note
    np.testing.assert_allclose(predictions.scores, torch.tensor(expected(3)).softmax(1).numpy(), rtol=1e-5)
    with pytest.raises(ValueError, match="the feature 'job' has names; name a function that encodes it"):
        open_model(text, name="net", examples=make_set()).predict(ALL)


def test_an_exported_program_is_a_file(tmp_path: Path) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Sigmoid()).eval()
    rows = torch.export.Dim("rows", min=1, max=1 << 20)
    program = torch.export.export(net, (torch.zeros(4, 3),), dynamic_shapes=({0: rows},))
    torch.export.save(program, tmp_path / "net.pt2")
    backend = ProcessBackend(parse_model(str(tmp_path / "net.pt2")), Limits())
    examples = make_set(has_names=False)
    try:
        model = LiveModel(backend, examples)
        predictions = model.predict(np.array([0, 1]), {"x": [0.5, 0.5], "y": [1.0, 1.0], "is_new": [True, True]})
    finally:
        backend.close()
    with torch.no_grad():
        wanted = net(torch.tensor([[0.5, 1.0, 1.0]])).item()
    np.testing.assert_allclose(predictions.scores, [wanted, wanted], rtol=1e-5)
