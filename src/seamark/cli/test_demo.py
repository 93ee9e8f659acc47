"""The demo trains for real and leaves runs that tell a story."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark import cli
from seamark.cli.two_moons import RECIPES, Training
from seamark.store import LogRoot, Store


def test_the_demo_logs_every_run_and_several_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--logdir", str(tmp_path), "--steps", "120", "--no_serve"]) == 0
    assert f"seamark --logdir '{tmp_path}'" in capsys.readouterr().out
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        assert {run.name for run in store.runs()} == {recipe.name for recipe in RECIPES}
        kinds = {kind for tags in store.tags().values() for kind in tags}
        assert {"scalars", "histograms", "images", "text", "hparams"} <= kinds
        assert store.problems() == []
        window = store.scalars([run.name for run in store.runs()], "train/loss")
        assert window.points.tolist() == [120] * len(RECIPES)


def trained(name: str, steps: int) -> Training:
    recipe = next(recipe for recipe in RECIPES if recipe.name == name)
    training = Training(recipe, total_steps=steps)
    for _ in range(steps):
        training.step()
    return training


def test_a_good_learning_rate_learns() -> None:
    assert trained("lr0.5/seed0", 800).evaluate().accuracy > 0.93


def test_one_run_diverges() -> None:
    assert trained("diverges", 400).has_diverged


def test_one_run_gets_worse_on_what_it_has_not_seen() -> None:
    early, late = trained("overfits", 60), trained("overfits", 2000)
    assert late.evaluate().loss > early.evaluate().loss * 1.2


def test_the_picture_of_a_diverged_run_is_a_picture_still() -> None:
    picture = trained("diverges", 400).picture(8)
    assert picture.shape == (8, 8, 3)
    assert np.isfinite(picture).all()
