"""run.config: many types of configuration, changes, and hyperparameters."""

from __future__ import annotations

import argparse
import copy
import math
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.write.run.config.config import Config
from seamark.write.run.test_support import begin, events, stored_record


@dataclass
class Options:
    lr: float = 0.1
    sizes: list[int] = field(default_factory=lambda: [1, 2])


@pytest.mark.parametrize(
    "config",
    [{"lr": 0.1, "sizes": [1, 2]}, argparse.Namespace(lr=0.1, sizes=[1, 2]), Options(), {"lr": np.float64(0.1), "sizes": (1, 2)}, {"lr": 0.1, "sizes": np.array([1, 2])}],
)  # fmt: skip
def test_a_configuration_comes_in_many_shapes(config: Any) -> None:
    run = begin(config=config)
    assert run.config.lr == run.config["lr"] == 0.1
    run.finish()
    assert stored_record(run).config == {"lr": 0.1, "sizes": [1, 2]}


def test_a_configuration_may_change_and_nest() -> None:
    run = begin(config={"optimizer": {"lr": 0.1}, "path": Path("x"), "kind": int, "deep": Options()})
    run.config.optimizer.lr = 0.2
    run.config["batch"] = 32
    run.config.update({"optimizer": {"lr": 0.3, "name": "adam"}})
    run.config.setdefaults({"batch": 1, "extra": None})
    run.finish()
    kept = stored_record(run).config
    assert kept == {
        "optimizer": {"lr": 0.3, "name": "adam"}, "path": "x", "kind": "builtins.int", "deep": {"lr": 0.1, "sizes": [1, 2]}, "batch": 32, "extra": None,
    }  # fmt: skip
    with pytest.raises(AttributeError, match="has no 'lrr'"):
        _ = run.config.lrr
    with pytest.raises(TypeError, match="needs names"):
        begin(config=3)


@pytest.mark.parametrize("copy_of", [copy.copy, copy.deepcopy, lambda config: pickle.loads(pickle.dumps(config))])
def test_a_copy_of_a_configuration_is_not_connected_to_the_run(copy_of: Callable[[Config], Config]) -> None:
    run = begin(config={"optimizer": {"lr": 0.1}})
    copied = copy_of(run.config)
    copied.optimizer.lr = 0.5
    assert (copied.optimizer.lr, run.config.optimizer.lr) == (0.5, 0.1)
    run.finish()


def test_hostile_configurations_do_no_harm() -> None:
    loop: dict[str, Any] = {}
    loop["self"] = loop
    run = begin(
        config={"\udcff": "\udcff", "big": "x" * 10**6, "nan": math.nan, "<script>": "🙂", 3: object(), "none": None}
    )
    run.config["loop"] = [[loop["self"] is loop]]
    run.log({"a": 1})
    run.finish()
    kept = stored_record(run)
    assert kept.status == "finished" and kept.config["nan"] == "NaN" and len(kept.config["big"]) == 2000


def test_tensorboard_shows_the_configuration_as_hyperparameters() -> None:
    from tensorboard.plugins.hparams import metadata

    run = begin(config={"lr": 0.1, "opt": {"name": "adam"}, "on": True, "sizes": [1, 2], "token": "hunter2"}, group="g")
    run.config.late = 3
    run.log({"loss": 1.0})
    run.finish()
    content = {
        tag: value.plugin_data.content
        for tag, value in events(run).summary_metadata.items()
        if tag.startswith("_hparams_")
    }
    start = metadata.parse_session_start_info_plugin_data(content["_hparams_/session_start_info"])
    shown = {name: value.WhichOneof("kind") for name, value in start.hparams.items()}
    assert shown == {
        "lr": "number_value",
        "opt.name": "string_value",
        "on": "bool_value",
        "sizes": "string_value",
        "token": "string_value",
        "late": "number_value",
    }
    assert start.hparams["token"].string_value == "[hidden]" and start.group_name == "g"
    end = metadata.parse_session_end_info_plugin_data(content["_hparams_/session_end_info"])
    assert end.status == 1
