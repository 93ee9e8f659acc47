"""Finds the rank of this process in a distributed training: by default only the chief writes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

# Set by torchrun, SLURM's srun, Open MPI's mpirun, and the mpirun of MPICH and Intel.
_VARIABLES = (
    ("RANK", "WORLD_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
)
ALL_RANKS_VARIABLE = "SEAMARK_ALL_RANKS"


class Rank(NamedTuple):
    number: int
    size: int  # the number of processes; 0 if unknown
    is_chief: bool
    source: str  # the library or variable it was read from


ALONE = Rank(0, 1, True, "")


def detect(environment: Mapping[str, str] = os.environ) -> Rank:
    """Uses the libraries that are imported already, then the environment. Imports nothing."""
    return _from_torch() or _from_jax() or _from_variables(environment) or _from_tf_config(environment) or ALONE


def all_ranks_wanted(environment: Mapping[str, str] = os.environ) -> bool:
    return environment.get(ALL_RANKS_VARIABLE, "").lower() in ("1", "true", "yes", "on")


def suffix_of(rank: Rank, suffix: str) -> str:
    """The suffix of a rank's file name."""
    return f".rank{rank.number}{suffix}" if rank.source else suffix


def writer_of(rank: Rank, version: str) -> str:
    """The writer's name in the first event of a rank's file."""
    name = f"seamark {version}"
    return f"{name}, rank {rank.number} of {rank.size or '?'} ({rank.source})" if rank.source else name


def _from_torch() -> Rank | None:
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return _rank(distributed.get_rank(), distributed.get_world_size(), "torch.distributed")


def _from_jax() -> Rank | None:
    """Reads the state of jax.distributed: jax.process_index() would claim the accelerators."""
    module = sys.modules.get("jax._src.distributed")
    state = getattr(module, "global_state", None)
    if getattr(state, "client", None) is None:
        return None
    number, count = getattr(state, "process_id", None), getattr(state, "num_processes", None)
    return None if number is None else _rank(int(number), int(count or 0), "jax.distributed")


def _from_variables(environment: Mapping[str, str]) -> Rank | None:
    for number, count in _VARIABLES:
        try:
            return _rank(int(environment[number]), int(environment.get(count, "0")), number)
        except (KeyError, ValueError):
            continue
    return None


def _from_tf_config(environment: Mapping[str, str]) -> Rank | None:
    try:
        config = json.loads(environment["TF_CONFIG"])
        task, index = str(config["task"]["type"]), int(config["task"]["index"])
        cluster = {name: len(hosts) for name, hosts in config.get("cluster", {}).items()}
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
    chiefs = cluster.get("chief", 0) + cluster.get("master", 0)
    # Without a chief, the first worker is the chief. An evaluator is not a replica and writes as well.
    is_chief = task in ("chief", "master", "evaluator") or (task == "worker" and index == 0 and chiefs == 0)
    number = index if task in ("chief", "master") else index + chiefs
    return Rank(number, sum(cluster.values()), is_chief, "TF_CONFIG")


def _rank(number: int, count: int, source: str) -> Rank:
    return Rank(number, count, number <= 0, source)
