"""Capturing from a profiler server: a real gRPC server that answers as JAX's does."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from seamark import cli
from seamark.format.messages import ProfileRequest, ProfileResponse, ProfileToolData
from seamark.profiles.captures.remote import METHOD, capture_remote
from seamark.profiles.form import ProfileError


class ProfilerServer:
    def __init__(self, answer: ProfileResponse) -> None:
        self.requests: list[ProfileRequest] = []
        self._answer = answer
        handler = grpc.unary_unary_rpc_method_handler(self._profile)
        service, method = METHOD.strip("/").split("/")
        self._server = grpc.server(ThreadPoolExecutor(1))
        self._server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, {method: handler})])
        self.address = f"localhost:{self._server.add_insecure_port('localhost:0')}"
        self._server.start()

    def _profile(self, message: bytes, _: object) -> bytes:
        self.requests.append(ProfileRequest.FromString(message))
        return self._answer.SerializeToString()

    def stop(self) -> None:
        self._server.stop(None).wait()


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[ProfilerServer]:
    found = ProfilerServer(request.param)
    yield found
    found.stop()


@pytest.mark.parametrize(
    "server",
    [
        ProfileResponse(xspace=b"space"),
        ProfileResponse(tool_data=[ProfileToolData(name="host.xplane.pb", data=b"space")]),
    ],
    indirect=True,
)
def test_a_profile_is_stored_where_all_tools_find_it(server: ProfilerServer, tmp_path: Path) -> None:
    command = ["profile", "capture", server.address, "--logdir", str(tmp_path), "--duration_ms", "250"]
    assert cli.main(command) == 0
    (path,) = (tmp_path / "plugins" / "profile").glob("*/localhost.xplane.pb")
    assert path.read_bytes() == b"space"
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    (request,) = server.requests
    # JAX reads the duration from the options, TensorFlow from the request.
    assert request.duration_ms == request.opts.duration_ms == 250
    assert request.emit_xspace and request.opts.host_tracer_level == 2


@pytest.mark.parametrize("server", [ProfileResponse(empty_trace=True)], indirect=True)
def test_an_empty_profile_is_an_error(server: ProfilerServer, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="did nothing"):
        capture_remote(server.address, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("address", "message"),
    [("localhost", "HOST:PORT"), ("localhost:0", "HOST:PORT"), ("localhost:1", "did not answer")],
)
def test_an_address_without_a_server_is_a_sentence(address: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=message):
        capture_remote(address, tmp_path)


def test_a_duration_out_of_bounds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="duration"):
        capture_remote("localhost:1", tmp_path, duration_ms=0)
