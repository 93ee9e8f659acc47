"""Describes the machine: interpreter, packages, host, GPUs and selected environment variables."""

from __future__ import annotations

import os
import platform
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from seamark.format.run_record import Gpu, Host, Python
from seamark.write.run.secrets import redact
from seamark.write.run.system import nvidia

# Only these: an environment is full of keys. Their values are redacted as well.
ENVIRONMENT = (
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_LAUNCH_BLOCKING", "NVIDIA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUBLAS_WORKSPACE_CONFIG", "NVIDIA_TF32_OVERRIDE",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "TORCH_CUDA_ARCH_LIST", "NCCL_DEBUG", "NCCL_P2P_DISABLE",
    "NCCL_IB_DISABLE", "NCCL_SOCKET_IFNAME", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK",
    "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE",
    "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS", "PYTHONHASHSEED",
    "XLA_FLAGS", "JAX_PLATFORMS", "JAX_ENABLE_X64", "TF_DETERMINISTIC_OPS", "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_XLA_FLAGS", "CONDA_DEFAULT_ENV", "VIRTUAL_ENV",
    "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST", "SLURM_JOB_NUM_NODES",
    "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE", "SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE", "SLURM_GPUS", "SLURM_GPUS_ON_NODE",
    "SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU", "SLURM_RESTART_COUNT", "SLURM_CLUSTER_NAME", "SLURMD_NODENAME",
    "PBS_JOBID", "PBS_JOBNAME", "PBS_ARRAY_INDEX", "LSB_JOBID", "JOB_ID", "SGE_TASK_ID",
)  # fmt: skip
MAX_VALUE_CHARACTERS = 1000


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    given = os.environ if variables is None else variables
    return {name: redact.text(given[name])[:MAX_VALUE_CHARACTERS] for name in sorted(ENVIRONMENT) if name in given}


def command() -> tuple[str, ...]:
    """The command line as it was typed, with `-m` and interpreter flags if they are known."""
    words = list(getattr(sys, "orig_argv", None) or [sys.executable, *sys.argv])
    return redact.command(words)


def python() -> Python:
    return Python(platform.python_version(), platform.python_implementation(), sys.executable or "")


def packages() -> dict[str, str]:
    """The versions of all installed packages by normalized name. Slow if there are many."""
    from importlib import metadata

    found: dict[str, str] = {}
    for distribution in metadata.distributions():
        with suppress(Exception):  # a broken installation of another package
            name, version = distribution.metadata["Name"], distribution.version
            if name and version:
                # The first one on the path is imported.
                found.setdefault(name.lower().replace("_", "-"), version)
    return dict(sorted(found.items()))


def host() -> Host:
    return Host(
        name=socket.gethostname(),
        os=f"{platform.system()} {platform.release()}",
        cpu=_cpu_name(),
        cpu_count=os.cpu_count() or 0,
        memory_bytes=_memory_bytes(),
    )


def gpus() -> tuple[Gpu, ...]:
    with nvidia.session() as devices:
        return tuple(Gpu(device.name, device.memory_bytes, device.driver) for device in devices)


def _cpu_name() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_bytes() -> int:
    with suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0
