"""Samples the load of the machine: CPU, memory, disk, network, GPUs. Uses psutil, or /proc without it."""

from __future__ import annotations

import importlib
import os
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamark.write.run.system import nvidia

WITHOUT_PSUTIL = "psutil is not installed, so fewer system metrics are recorded; pip install 'seamark[runs]' adds them"


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters at one time; the difference of two gives a rate."""

    at: float
    cpu_busy_secs: float = 0.0
    cpu_all_secs: float = 0.0
    process_cpu_secs: float = 0.0
    disk_read_bytes: float = 0.0
    disk_written_bytes: float = 0.0
    net_received_bytes: float = 0.0
    net_sent_bytes: float = 0.0


class SystemMetrics:
    """Used by one thread. Never raises: metrics that cannot be read are left out."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._psutil = _module("psutil")
        self.is_complete = self._psutil is not None
        self._stack = ExitStack()
        self._devices = self._stack.enter_context(nvidia.session())
        self._before = self._counters()

    def sample(self) -> dict[str, float]:
        """Values since the last call, by tag without the prefix `system/`."""
        now = self._counters()
        values = {**_rates(self._before, now), **self._levels(), **self._gpus()}
        self._before = now
        return values

    def close(self) -> None:
        self._stack.close()

    def _counters(self) -> Counters:
        now, process = self._clock(), time.process_time()
        found: dict[str, float] = {}
        for source in (self._cpu, self._disk, self._network):
            with suppress(Exception):
                found.update(source())
        return Counters(now, process_cpu_secs=process, **found)

    def _cpu(self) -> Mapping[str, float]:
        if self._psutil is not None:
            times = self._psutil.cpu_times()._asdict()
            # Linux includes guest time in user time.
            parts = {name: value for name, value in times.items() if not name.startswith("guest")}
        else:
            words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
            names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
            parts = dict(zip(names, (int(word) / os.sysconf("SC_CLK_TCK") for word in words), strict=False))
        everything = sum(parts.values())
        return {"cpu_all_secs": everything, "cpu_busy_secs": everything - parts["idle"] - parts.get("iowait", 0.0)}

    def _disk(self) -> Mapping[str, float]:
        if self._psutil is None:
            return {}
        counters = self._psutil.disk_io_counters()
        return {"disk_read_bytes": counters.read_bytes, "disk_written_bytes": counters.write_bytes}

    def _network(self) -> Mapping[str, float]:
        if self._psutil is not None:
            counters = self._psutil.net_io_counters()
            return {"net_received_bytes": counters.bytes_recv, "net_sent_bytes": counters.bytes_sent}
        lines = [line.partition(":") for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
        rows = [rest.split() for name, _, rest in lines if name.strip() != "lo"]
        return {
            "net_received_bytes": sum(float(row[0]) for row in rows),
            "net_sent_bytes": sum(float(row[8]) for row in rows),
        }

    def _levels(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for source in (self._memory, self._process_memory, self._disk_space):
            with suppress(Exception):
                found.update(source())
        return found

    def _memory(self) -> Mapping[str, float]:
        if self._psutil is not None:
            memory = self._psutil.virtual_memory()
            total, available = memory.total, memory.available
        else:
            rows = (line.split() for line in Path("/proc/meminfo").read_text().splitlines())
            sizes = {row[0]: float(row[1]) * 1024 for row in rows if len(row) > 1}
            total, available = sizes["MemTotal:"], sizes["MemAvailable:"]
        return {"memory/used_percent": 100.0 * (total - available) / total, "memory/used_gb": (total - available) / 1e9}

    def _process_memory(self) -> Mapping[str, float]:
        if self._psutil is not None:
            used = self._psutil.Process().memory_info().rss
        else:
            used = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return {"process/memory_gb": used / 1e9}

    def _disk_space(self) -> Mapping[str, float]:
        usage = shutil.disk_usage(self._folder)
        return {"disk/used_percent": 100.0 * usage.used / usage.total, "disk/free_gb": usage.free / 1e9}

    def _gpus(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for device in self._devices:
            with suppress(Exception):
                found.update({f"gpu/{device.index}/{name}": value for name, value in device.metrics().items()})
        return found


def _rates(before: Counters, now: Counters) -> dict[str, float]:
    secs = now.at - before.at
    if secs <= 0:
        return {}
    rates = {"process/cpu_percent": 100.0 * (now.process_cpu_secs - before.process_cpu_secs) / secs}
    cpu_secs = now.cpu_all_secs - before.cpu_all_secs
    if cpu_secs > 0:
        rates["cpu/use_percent"] = 100.0 * (now.cpu_busy_secs - before.cpu_busy_secs) / cpu_secs
    for counter in ("disk_read", "disk_written", "net_received", "net_sent"):
        earlier, later = getattr(before, f"{counter}_bytes"), getattr(now, f"{counter}_bytes")
        if later and later >= earlier:
            rates[f"{counter.replace('_', '/')}_mb_per_sec"] = (later - earlier) / 1e6 / secs
    return rates


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except Exception:  # not installed, or not for this platform
        return None
