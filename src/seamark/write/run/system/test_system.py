"""System metrics."""

from __future__ import annotations

import logging
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run import run_recorder
from seamark.write.run.system import system_metrics
from seamark.write.run.test_support import begin, stored_record
from seamark.write.test_support import logged_warnings


def test_system_metrics_are_levels_and_rates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for modules in ({}, {"psutil": None}):
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        metrics = system_metrics.SystemMetrics(tmp_path)
        sum(range(100_000))
        sample = metrics.sample()
        metrics.close()
        assert metrics.is_complete == (not modules)
        wanted = {
            "cpu/use_percent",
            "process/cpu_percent",
            "memory/used_percent",
            "process/memory_gb",
            "disk/used_percent",
            "disk/free_gb",
        }
        assert wanted - sample.keys() <= {"cpu/use_percent"}, "two looks within one tick of the kernel have no rate"
        assert all(math.isfinite(value) and value >= 0 for value in sample.values())
        assert 0 < sample["memory/used_percent"] < 100


def test_a_missing_package_is_reported_once_for_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    monkeypatch.setattr(run_recorder, "PROCESS_WARNINGS", WarnOnce(logging.getLogger("seamark"), "here"))
    with logged_warnings("psutil") as warnings:
        for name in ("a", "b"):
            begin(name=name, system_metrics_secs=60).finish()
    assert len(warnings) == 1


def test_gpus_are_read_with_nvidia_ml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands in for the driver: the real package with the answers a machine with one GPU gives."""
    pynvml = pytest.importorskip("pynvml")
    from types import SimpleNamespace

    answers: dict[str, Any] = {
        "nvmlInit": lambda: None, "nvmlShutdown": lambda: None, "nvmlDeviceGetCount": lambda: 1, "nvmlDeviceGetHandleByIndex": lambda index: index,
        "nvmlDeviceGetName": lambda handle: b"Tesla X", "nvmlSystemGetDriverVersion": lambda: "550.1",
        "nvmlDeviceGetMemoryInfo": lambda handle: SimpleNamespace(total=80_000_000_000, used=20_000_000_000),
        "nvmlDeviceGetUtilizationRates": lambda handle: SimpleNamespace(gpu=97), "nvmlDeviceGetTemperature": lambda handle, kind: 61,
    }  # fmt: skip

    def not_supported(handle: Any) -> None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)

    for name, answer in {**answers, "nvmlDeviceGetPowerUsage": not_supported}.items():
        monkeypatch.setattr(pynvml, name, answer)
    metrics = system_metrics.SystemMetrics(tmp_path)
    sample = {name: value for name, value in metrics.sample().items() if name.startswith("gpu/")}
    assert sample == {
        "gpu/0/use_percent": 97,
        "gpu/0/memory_gb": 20,
        "gpu/0/memory_percent": 25,
        "gpu/0/temperature_celsius": 61,
    }
    run = begin()
    run.finish()
    assert [(gpu.name, gpu.memory_bytes, gpu.driver) for gpu in stored_record(run).gpus] == [
        ("Tesla X", 80_000_000_000, "550.1")
    ]
