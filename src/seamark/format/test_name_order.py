"""Names sort by their numbers, decimals too; the page has the same order (web/src/base/tags.test.ts)."""

from __future__ import annotations

import random
import time

import pytest

from seamark.format.name_order import name_key


@pytest.mark.parametrize(
    "names",
    [
        ["lr0.02", "lr0.1", "lr0.15", "lr0.5", "lr1", "lr1.5", "lr10"],
        ["lr0.001_seed0", "lr0.001_seed0/loss_train", "lr0.001_seed1", "lr0.01_seed0", "lr0.01_seed0/b", "lr0.1_seed0"],
        ["lr2.5e-4", "lr3e-4", "lr1e-3", "lr0.002", "lr1"],
        ["a/x", "a_b", "a.b", "a1", "a1/x", "a1_b", "a2", "b"],
        ["layers.0.9.weight", "layers.0.10.weight", "v1.9", "v1.10", "Version 1.2.3", "version 1.2.10"],
        ["é0.02", "é0.02/x", "é0.1", "é0.1_x", "é0.15", "é1"],
        ["run 007", "run 8", "run 0123456789012345678"],
    ],
    ids=lambda names: names[0],
)
def test_numbers_count_as_numbers_and_a_run_stays_beside_its_own_folder(names: list[str]) -> None:
    shuffled = random.Random(7).sample(names, len(names))
    assert sorted(shuffled, key=name_key) == names


@pytest.mark.parametrize("name", ["1" * 200_000, "1." * 100_000, "1.1e-" * 40_000, "1.1" + "1" * 200_000 + "."])
def test_a_hostile_name_takes_no_time(name: str) -> None:
    began = time.process_time()
    name_key(name)
    assert time.process_time() - began < 5
