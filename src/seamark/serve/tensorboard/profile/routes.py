"""Routes of the profile plugin: runs, tools, hosts, config, version, and the data of a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta
from starlette.responses import Response

from seamark import __version__
from seamark.plugin import Endpoint, ParsedRequest, RequestError, not_found
from seamark.profiles.form import ProfileError
from seamark.profiles.profile import Profile
from seamark.serve.tensorboard.profile.profile_runs import ALL_HOSTS, ProfileRuns
from seamark.serve.tensorboard.profile.tables import framework_op_stats, kernel_stats, overview_page
from seamark.serve.tensorboard.profile.trace_viewer import viewer_trace
from seamark.serve.tensorboard.request import TensorBoardParameters, json_text, text_response

# The viewer that asks for windows has an "@" in its name.
TRACE_VIEWERS = ("trace_viewer@", "trace_viewer")
TABLES: Mapping[str, Callable[[Profile], Any]] = {
    "overview_page": overview_page,
    "framework_op_stats": framework_op_stats,
    "kernel_stats": kernel_stats,
}
TOOLS = [TRACE_VIEWERS[0], *TABLES]
DEFAULT_RESOLUTION = 8000  # pixels; also for 0
Milliseconds = Annotated[float, Meta(ge=-1e9, le=1e9)]


class RunParameters(TensorBoardParameters):
    run: str


class HostsParameters(RunParameters):
    tag: str = ""


class DataParameters(RunParameters, kw_only=True):
    tag: str
    host: str = ""
    hosts: str = ""
    start_time_ms: Milliseconds | None = None
    end_time_ms: Milliseconds | None = None
    resolution: Annotated[int, Meta(ge=0, le=1_000_000)] = DEFAULT_RESOLUTION


def profile_endpoints(profiles: ProfileRuns) -> list[Endpoint]:
    def runs(_: ParsedRequest[TensorBoardParameters, None]) -> list[str]:
        return profiles.names()

    def tools(_: ParsedRequest[TensorBoardParameters, None]) -> dict[str, list[str]]:
        """As the plugin answered before it had run_tools."""
        return dict.fromkeys(profiles.names(), TOOLS)

    def run_tools(request: ParsedRequest[RunParameters, None]) -> list[str]:
        profiles.hosts(request.parameters.run)
        return TOOLS

    def hosts(request: ParsedRequest[HostsParameters, None]) -> list[dict[str, str]]:
        """With several hosts, tables are those of all of them."""
        names = profiles.hosts(request.parameters.run)
        if len(names) > 1 and request.parameters.tag == "overview_page":
            names = [ALL_HOSTS]
        return [{"hostname": name} for name in sorted(names)]

    def config(_: ParsedRequest[TensorBoardParameters, None]) -> dict[str, object]:
        return {"hideCaptureProfileButton": True, "srcPathPrefix": "", "enableTabNameLabel": False}

    def version(_: ParsedRequest[TensorBoardParameters, None]) -> Response:
        return text_response(__version__, "text/plain")

    def module_list(_: ParsedRequest[RunParameters, None]) -> Response:
        """Graphs of compiled modules are not supported."""
        return text_response("", "text/plain")

    def data(request: ParsedRequest[DataParameters, None]) -> Any:
        parameters = request.parameters
        if parameters.tag not in (*TRACE_VIEWERS, *TABLES):
            raise not_found(f"the tool '{parameters.tag}' is not supported, want one of {', '.join(TOOLS)}")
        profile = profiles.open(parameters.run, parameters.host or parameters.hosts.partition(",")[0])
        if parameters.tag in TABLES:
            return TABLES[parameters.tag](profile)
        return json_text(trace_of(profile, parameters))

    def endpoint(name: str, summary: str, handler: Any, parameters: type[TensorBoardParameters]) -> Endpoint:
        return Endpoint(path=f"/plugin/profile/{name}", summary=summary, handler=handler)

    return [
        endpoint("runs", "The profiles, as <run>/<capture>.", runs, TensorBoardParameters),
        endpoint("tools", "The tools of each profile.", tools, TensorBoardParameters),
        endpoint("run_tools", "The tools of a profile.", run_tools, RunParameters),
        endpoint("hosts", "The hosts of a profile.", hosts, HostsParameters),
        endpoint("config", "What the plugin's page offers.", config, TensorBoardParameters),
        endpoint("version", "The version of this server.", version, TensorBoardParameters),
        endpoint("module_list", "The compiled modules of a profile: none.", module_list, RunParameters),
        endpoint("data", "The data of a tool: events of the trace viewer, or tables.", data, DataParameters),
    ]


def trace_of(profile: Profile, parameters: DataParameters) -> bytes:
    try:
        return viewer_trace(
            profile,
            start_ms=parameters.start_time_ms,
            end_ms=parameters.end_time_ms,
            resolution=parameters.resolution or DEFAULT_RESOLUTION,
        )
    except ProfileError as error:
        raise RequestError(str(error), code="undecodable") from error
