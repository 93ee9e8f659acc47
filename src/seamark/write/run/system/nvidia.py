"""Reads NVIDIA GPUs with the package nvidia-ml-py. Without it, or without a driver, there are no GPUs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

MODULE = "pynvml"


class Device:
    """One GPU."""

    def __init__(self, nvml: Any, index: int) -> None:
        self._nvml = nvml
        self._handle = nvml.nvmlDeviceGetHandleByIndex(index)
        self.index = index
        self.name = _text(nvml.nvmlDeviceGetName(self._handle))
        self.driver = _text(nvml.nvmlSystemGetDriverVersion())
        self.memory_bytes = int(nvml.nvmlDeviceGetMemoryInfo(self._handle).total)

    def metrics(self) -> dict[str, float]:
        """Values by name. Each is read separately: many devices support only some of them."""
        nvml, handle, found = self._nvml, self._handle, {}
        with suppress(nvml.NVMLError):
            found["use_percent"] = float(nvml.nvmlDeviceGetUtilizationRates(handle).gpu)
        with suppress(nvml.NVMLError):
            memory = nvml.nvmlDeviceGetMemoryInfo(handle)
            found["memory_gb"] = memory.used / 1e9
            found["memory_percent"] = 100.0 * memory.used / memory.total if memory.total else 0.0
        with suppress(nvml.NVMLError):
            found["temperature_celsius"] = float(nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU))
        with suppress(nvml.NVMLError):
            found["power_watts"] = nvml.nvmlDeviceGetPowerUsage(handle) / 1000.0
        return found


@contextmanager
def session() -> Iterator[list[Device]]:
    """The devices of this machine, while the context is open."""
    nvml = _start()
    if nvml is None:
        yield []
        return
    try:
        yield _devices(nvml)
    finally:
        with suppress(Exception):
            nvml.nvmlShutdown()


def _start() -> Any:
    try:
        nvml = importlib.import_module(MODULE)
        nvml.nvmlInit()
    except Exception:  # no package, no driver, no device, no permission: no GPUs
        return None
    return nvml


def _devices(nvml: Any) -> list[Device]:
    found = []
    with suppress(Exception):
        for index in range(nvml.nvmlDeviceGetCount()):
            with suppress(nvml.NVMLError):
                found.append(Device(nvml, index))
    return found


def _text(value: str | bytes) -> str:
    # Older versions of the package return bytes.
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
