"""Asks the profiler server of a running JAX or TensorFlow program for a profile.

The program calls jax.profiler.start_server(port) or tf.profiler.experimental.server.start(port). The protocol is gRPC,
method tensorflow.ProfilerService/Profile.
"""

from __future__ import annotations

import re
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from seamark.format.messages import ProfileOptions, ProfileRequest, ProfileResponse
from seamark.profiles.form import ProfileError

METHOD = "/tensorflow.ProfilerService/Profile"
DEFAULT_DURATION_MS = 2000
MAX_DURATION_MS = 10 * 60 * 1000
MAX_EVENTS = 10_000_000
MAX_MESSAGE_BYTES = 2**31 - 1
# How long the server may take beyond the duration itself.
MARGIN_SECS = 60.0


def capture_remote(
    address: str, log_dir: Path, *, duration_ms: int = DEFAULT_DURATION_MS, python: bool = False
) -> Path:
    """Profiles the program for a time and writes `plugins/profile/<time>/<host>.xplane.pb`. Raises ProfileError."""
    host = check_address(address)
    if not 1 <= duration_ms <= MAX_DURATION_MS:
        raise ProfileError(f"the duration must be 1 to {MAX_DURATION_MS} ms: got {duration_ms}")
    space = xspace_of(request_profile(address, request(host, duration_ms, python=python), duration_ms))
    folder = log_dir / "plugins" / "profile" / time.strftime("%Y_%m_%d_%H_%M_%S")
    path = folder / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', host)}.xplane.pb"
    folder.mkdir(parents=True, exist_ok=True)
    # A reader that looks at the folder meanwhile must not see half of it.
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_bytes(space)
    return unfinished.replace(path)


def check_address(address: str) -> str:
    """Returns the host of HOST:PORT."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise ProfileError(f"the address must be HOST:PORT: got '{address}'")
    return host


def request_profile(address: str, message: bytes, duration_ms: int) -> bytes:
    try:
        grpc: Any = import_module("grpc")
    except ImportError:
        raise ProfileError("capturing needs the package grpcio; remedy: pip install seamark[capture]") from None
    limits = [("grpc.max_receive_message_length", MAX_MESSAGE_BYTES), ("grpc.enable_http_proxy", 0)]
    try:
        with grpc.insecure_channel(address, options=limits) as channel:
            call = channel.unary_unary(METHOD)  # bytes in, bytes out
            answer: bytes = call(message, timeout=duration_ms / 1000 + MARGIN_SECS, wait_for_ready=False)
            return answer
    except grpc.RpcError as error:
        raise ProfileError(f"the profiler server at {address} did not answer: {error.details()}") from error


def request(host: str, duration_ms: int, *, python: bool) -> bytes:
    options = ProfileOptions(
        version=1,
        include_dataset_ops=True,
        host_tracer_level=2,
        device_tracer_level=1,
        python_tracer_level=int(python),
        enable_hlo_proto=True,
        duration_ms=duration_ms,
    )
    message = ProfileRequest(
        duration_ms=duration_ms, max_events=MAX_EVENTS, opts=options, host_name=host, emit_xspace=True
    )
    return message.SerializeToString()


def xspace_of(answer: bytes) -> bytes:
    """The XSpace, or the tool data of an older server that contains one."""
    try:
        response = ProfileResponse.FromString(answer)
    except DecodeError:
        raise ProfileError("the answer of the profiler server cannot be decoded") from None
    if response.xspace:
        return response.xspace
    for tool in response.tool_data:
        if tool.name.endswith("xplane.pb"):
            return tool.data
    if response.empty_trace:
        raise ProfileError("the program did nothing that its profiler records in this time; try a longer --duration_ms")
    raise ProfileError("the profiler server sent no trace; it may be of a version that writes to its own disk only")
