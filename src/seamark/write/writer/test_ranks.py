"""Ranks of a distributed training."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import seamark
from seamark.format.messages import Event
from seamark.write.writer import ranks
from seamark.write.writer.ranks import ALONE, Rank

VARIABLES = ["RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "TF_CONFIG"]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*VARIABLES, ranks.ALL_RANKS_VARIABLE]:
        monkeypatch.delenv(name, raising=False)


def tf_config(kind: str, index: int, **cluster: int) -> dict[str, str]:
    hosts = {name: ["host:1"] * count for name, count in cluster.items()}
    return {"TF_CONFIG": json.dumps({"cluster": hosts, "task": {"type": kind, "index": index}})}


@pytest.mark.parametrize(
    "environment, want",
    [
        ({}, ALONE),
        ({"RANK": "3", "WORLD_SIZE": "8"}, Rank(3, 8, False, "RANK")),
        ({"RANK": "0", "WORLD_SIZE": "8", "SLURM_PROCID": "5"}, Rank(0, 8, True, "RANK")),
        ({"SLURM_PROCID": "5", "SLURM_NTASKS": "6"}, Rank(5, 6, False, "SLURM_PROCID")),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, Rank(1, 2, False, "OMPI_COMM_WORLD_RANK")),
        ({"PMI_RANK": "2"}, Rank(2, 0, False, "PMI_RANK")),
        ({"RANK": "first"}, ALONE),
        (tf_config("worker", 0, worker=2), Rank(0, 2, True, "TF_CONFIG")),
        (tf_config("worker", 1, worker=2), Rank(1, 2, False, "TF_CONFIG")),
        (tf_config("worker", 0, chief=1, worker=2), Rank(1, 3, False, "TF_CONFIG")),
        (tf_config("chief", 0, chief=1, worker=2), Rank(0, 3, True, "TF_CONFIG")),
        (tf_config("ps", 0, chief=1, ps=1), Rank(1, 2, False, "TF_CONFIG")),
        (tf_config("evaluator", 0, chief=1), Rank(1, 1, True, "TF_CONFIG")),
        ({"TF_CONFIG": "not json"}, ALONE),
        ({"TF_CONFIG": "[1]"}, ALONE),
    ],
)
def test_the_rank_is_read_from_the_environment(environment: dict[str, str], want: Rank) -> None:
    assert ranks.detect(environment) == want


def test_torch_takes_precedence_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    states = SimpleNamespace(is_initialized=lambda: True, is_available=lambda: True)
    states.get_rank, states.get_world_size = lambda: 2, lambda: 4
    monkeypatch.setitem(sys.modules, "torch.distributed", states)
    assert ranks.detect({"RANK": "0"}) == Rank(2, 4, False, "torch.distributed")
    states.is_initialized = lambda: False
    assert ranks.detect({"RANK": "0"}).source == "RANK"


def test_the_rank_is_read_from_jax_distributed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = SimpleNamespace(client=object(), process_id=1, num_processes=2)
    monkeypatch.setitem(sys.modules, "jax._src.distributed", SimpleNamespace(global_state=state))
    assert ranks.detect({}) == Rank(1, 2, False, "jax.distributed")
    state.client = None  # jax.distributed.initialize was not called
    assert ranks.detect({}) == ALONE


def use(writer: Any) -> None:
    writer.add_scalar("s", 1.0, 1)
    writer.add_scalars("m", {"a": 1.0}, 1)
    writer.add_histogram("h", [1.0, 2.0], 1)
    writer.add_image("i", [[0.5]], dataformats="HW")
    writer.add_hparams({"a": 1}, {"b": 2})
    writer.add_text("t", "x")
    writer.add_embedding([[1.0, 2.0]])
    writer.add_custom_scalars({})
    writer.flush()
    writer.close()


def test_other_ranks_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    writer = seamark.SummaryWriter(tmp_path / "run")
    use(writer)
    assert (writer.log_dir, writer.dropped) == (str(tmp_path / "run"), 0)
    assert list(tmp_path.iterdir()) == []
    assert not seamark.summary.create_file_writer(tmp_path / "run").writes
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("enabled_by", ["argument", "environment"])
def test_all_ranks_write_their_own_files(enabled_by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if enabled_by == "environment":
        monkeypatch.setenv("SEAMARK_ALL_RANKS", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        with seamark.SummaryWriter(tmp_path, all_ranks=enabled_by == "argument", filename_suffix=".x") as writer:
            writer.add_scalar("s", 1.0, 1)
    first, second = sorted(tmp_path.iterdir(), key=lambda path: path.name[-3:] + path.name[-7:])
    assert {first.name[-8:], second.name[-8:]} == {".rank0.x", ".rank1.x"}
    (chief,) = tmp_path.glob("*.rank0.x")
    data = chief.read_bytes()
    opening = Event.FromString(data[12 : 12 + int.from_bytes(data[:8], "little")])
    assert opening.source_metadata.writer == f"seamark {seamark.__version__}, rank 0 of 2 (RANK)"


def test_a_chief_among_many_has_no_rank_in_its_file_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "0")
    seamark.SummaryWriter(tmp_path).close()
    (path,) = tmp_path.iterdir()
    assert "rank" not in path.name
