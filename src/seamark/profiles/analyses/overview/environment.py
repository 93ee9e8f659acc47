"""Environment: framework, devices, ranks and size of a trace, as far as the trace says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.device.tensor_cores import uses_tensor_cores
from seamark.profiles.analyses.slices.resources import find_device_ids
from seamark.profiles.profile import Profile
from seamark.profiles.results import EnvironmentEntry
from seamark.profiles.stored_tables import find_stored_tables

JAX_NAME = re.compile(r"PjitFunction|PjRt|ThunkExecutor|backend_compile")
TENSORFLOW_NAME = re.compile(r"EagerExecute|ExecutorState::|TFE_Py_|FunctionRun|tf_data|Iterator::")
PLANE_NAME = re.compile(r"\A/device:(\w+):\d+\Z")
CUT = re.compile(r"ends early|cut off|shorter|damaged|truncated|incomplete|not finish", re.IGNORECASE)
PRECISIONS = (
    ("fp8", re.compile(r"fp8|e4m3|e5m2", re.IGNORECASE)),
    ("bf16", re.compile(r"bf16|bfloat16|nvjet_(sm\d+_)?t[a-z]+_|_B[lj][jkl]{2}_B", re.IGNORECASE)),
    ("tf32", re.compile(r"tf32|cutlass_80_tensorop_s1688", re.IGNORECASE)),
)


def find_environment(profile: Profile) -> list[EnvironmentEntry]:
    return [EnvironmentEntry(name=name, value=value) for name, value in _entries(profile) if value]


def _entries(profile: Profile) -> Iterator[tuple[str, str]]:
    trace, metadata = profile.trace, profile.trace.metadata
    yield "Framework", _framework(profile)
    yield "Device", _devices(profile, metadata)
    yield "CUDA", _cuda(metadata)
    yield "Precision", _precision(profile)
    yield from _distribution(metadata)
    yield (
        "Host",
        _first_text(metadata, "hostname", "host_name", "hosts")
        or ", ".join(sorted({track.host for track in trace.tracks if track.host})),
    )
    yield "Recorded", _recorded(metadata)
    yield "Trace", _trace(profile)


def _framework(profile: Profile) -> str:
    metadata = profile.trace.metadata
    for name, keys in (
        ("PyTorch", ("pytorch_version", "torch_version")),
        ("JAX", ("jax_version",)),
        ("TensorFlow", ("tensorflow_version", "tf_version")),
    ):
        version = _first_text(metadata, *keys) or _plane_text(metadata, *keys)
        if version:
            return f"{name} {version}"
    if profile.get(find_stored_tables) is not None:
        return "TensorFlow"
    if profile.trace.argument_format == "json" and _is_torch(profile):
        return "PyTorch"
    if any(TENSORFLOW_NAME.match(entry.text) for entry in profile.trace.names):
        return "TensorFlow"
    return "JAX" if any(JAX_NAME.match(entry.text) for entry in profile.trace.names) else ""


def _is_torch(profile: Profile) -> bool:
    if "schemaVersion" in profile.trace.metadata or "distributedInfo" in profile.trace.metadata:
        return True
    return any(entry.category in ("cpu_op", "Operator") for entry in profile.trace.names)


def _devices(profile: Profile, metadata: Mapping[str, Any]) -> str:
    tables = profile.get(find_stored_tables)
    if tables is not None:
        return tables.device or "CPU only"
    used = profile.get(find_device_ids)
    properties = [each for each in metadata.get("deviceProperties") or [] if isinstance(each, dict)]
    chosen = [each for each in properties if each.get("id") in used]
    if not used:
        return "CPU only"
    if not chosen:
        planes = {track.process for track in profile.trace.tracks if track.is_device and track.device in used}
        return _counted(Counter(PLANE_NAME.sub(r"\1", plane) for plane in planes))
    text = _counted(Counter(_device_name(each) for each in chosen))
    return f"{text} of {len(properties)} in the host" if len(properties) > len(chosen) else text


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in sorted(names.items()))


def _device_name(properties: Mapping[str, Any]) -> str:
    size = properties.get("totalGlobalMem")
    memory = f", {size / 1e9:.1f} GB" if isinstance(size, int) and size > 0 else ""
    return str(properties.get("name", "device")) + memory


def _cuda(metadata: Mapping[str, Any]) -> str:
    text = []
    for name, key in (("runtime", "cuda_runtime_version"), ("driver", "cuda_driver_version")):
        version = metadata.get(key)
        if isinstance(version, int) and version > 0:
            text.append(f"{name} {version // 1000}.{version % 1000 // 10}")
    return ", ".join(text)


def _precision(profile: Profile) -> str:
    """What the names of kernels say."""
    names, activities = profile.trace.names, profile.get(find_activities)
    found = dict[str, None]()
    tensor_cores = False
    for entry, activity in zip(names, activities, strict=True):
        if activity not in (Activity.KERNEL_16, Activity.KERNEL_32):
            continue
        default = "fp16" if activity == Activity.KERNEL_16 else "fp32"
        found[next((name for name, pattern in PRECISIONS if pattern.search(entry.text)), default)] = None
        tensor_cores = tensor_cores or uses_tensor_cores(entry.text)
    return ", ".join(sorted(found)) + (" (tensor cores used)" if tensor_cores else "")


def _distribution(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    info = metadata.get("distributedInfo")
    if not isinstance(info, dict):
        return
    rank, world = info.get("rank"), info.get("world_size")
    if isinstance(rank, int):
        yield "Rank", f"{rank} of {world}" if isinstance(world, int) else str(rank)
    yield "Backend", str(info.get("backend") or "")


def _recorded(metadata: Mapping[str, Any]) -> str:
    """The options of the profiler that change what pages can show."""
    names = {"record_shapes": "shapes", "with_stack": "stacks", "profile_memory": "memory", "with_flops": "FLOPs"}
    return ", ".join(word for key, word in names.items() if metadata.get(key))


def _size(count: int) -> str:
    """In kB below a megabyte: a small trace is not of 0.0 MB."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def _trace(profile: Profile) -> str:
    """Its size, and whether it is complete."""
    trace = profile.trace
    if profile.get(find_stored_tables) is not None:
        return "none: only tables"
    parts = [f"{trace.slices:,} {'slice' if trace.slices == 1 else 'slices'}"]
    with suppress(OSError):
        parts.insert(0, _size(profile.source.stat().st_size))
    cut = next((problem for problem in trace.problems if CUT.search(problem)), "")
    return ", ".join([*parts, cut or "complete"])


def _plane_text(metadata: Mapping[str, Any], *keys: str) -> str:
    """From the statistics of the planes of an XSpace."""
    for plane in (metadata.get("planes") or {}).values():
        found = _first_text(plane.get("stats") or {}, *keys)
        if found:
            return found
    return ""


def _first_text(metadata: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, list):
            value = ", ".join(str(each) for each in value)
        if isinstance(value, str) and value:
            return value
    return ""
