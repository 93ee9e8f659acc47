"""Routes of Profile: captures, overview, findings, trace and tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from seamark.dashboards.profile import wire
from seamark.plugin import Context, Endpoint, ErrorCase, NoParameters, ParsedRequest, RequestError
from seamark.plugin.columns import MEDIA_TYPE
from seamark.profiles import results
from seamark.profiles.form import ProfileError

if TYPE_CHECKING:
    from seamark.dashboards.profile.service import ProfileService

ERRORS = {
    404: ErrorCase("There is no such profile, step or slice."),
    413: ErrorCase("The area has too many slices to export."),
    422: ErrorCase("The profile cannot be read."),
}
JSON, CSV = "application/json", "text/csv"


def endpoints(context: Context) -> list[Endpoint]:
    @cache
    def service() -> ProfileService:
        from seamark.dashboards.profile.service import ProfileService  # not before it is needed: it loads much

        return ProfileService(context)

    def call(method: str, media_type: str) -> Callable[[ParsedRequest[Any, None]], Any]:
        def handler(request: ParsedRequest[Any, None]) -> Any:
            try:
                result = getattr(service(), method)(request.parameters)
            except ProfileError as error:  # the file changed since it was read
                raise RequestError(f"the profile cannot be read: {error}", code="undecodable") from error
            return result if not media_type else Response(result, media_type=media_type)

        return handler

    def captures(_: ParsedRequest[NoParameters, None]) -> wire.CapturesResponse:
        return service().captures()

    def rules(_: ParsedRequest[NoParameters, None]) -> results.Rules:
        return service().rules()

    def get(name: str, summary: str, parameters: type[wire.ProfileParameters], response: Any) -> Endpoint:
        return Endpoint(
            path=f"/{name}",
            summary=summary,
            handler=call(name, ""),
            parameters=parameters,
            response=response,
            errors=ERRORS,
        )

    def get_bytes(name: str, summary: str, parameters: type[wire.ProfileParameters], media_type: str) -> Endpoint:
        return Endpoint(
            path=f"/{name}",
            summary=summary,
            handler=call(name, media_type),
            parameters=parameters,
            media_type=media_type,
            errors=ERRORS,
        )

    return [
        Endpoint(
            path="/captures",
            summary="The profiles of all log directories.",
            handler=captures,
            response=wire.CapturesResponse,
        ),
        get("state", "How far a trace is read; starts to read it.", wire.ProfileParameters, wire.StateResponse),
        get("info", "The tracks, counters and steps of a trace.", wire.ProfileParameters, wire.InfoResponse),
        get(
            "overview",
            "The steps with their breakdown, utilization and environment.",
            wire.ProfileParameters,
            results.Overview,
        ),
        get("step", "The busy intervals of each resource in one step.", wire.StepParameters, results.StepStrip),
        get(
            "findings",
            "What takes time, with the estimated gain and the slices that prove it.",
            wire.FindingsParameters,
            results.Findings,
        ),
        Endpoint(path="/rules", summary="What the rules of findings look for.", handler=rules, response=results.Rules),
        get_bytes(
            "window",
            "The slices between two times, as blocks where they are narrower than a pixel.",
            wire.WindowParameters,
            MEDIA_TYPE,
        ),
        get("names", "The texts of names.", wire.NamesParameters, wire.NamesResponse),
        get_bytes("counter", "A counter between two times, downsampled.", wire.CounterParameters, MEDIA_TYPE),
        get(
            "slice",
            "One slice with its arguments, stack and linked slices.",
            wire.SliceParameters,
            results.SliceDetails,
        ),
        get_bytes("flows", "The arrows from and to a slice.", wire.FlowParameters, MEDIA_TYPE),
        get_bytes("search", "The slices whose name contains a text.", wire.SearchParameters, MEDIA_TYPE),
        get("near", "The slice before, after, above or below another.", wire.NearParameters, wire.NearResponse),
        get("area", "Sums of the slices in an area, by name, activity or track.", wire.AreaParameters, results.Area),
        get("flame", "The slices of an area as a tree of names.", wire.FlameParameters, results.StackTree),
        get_bytes("export", "The slices of an area as a Chrome trace.", wire.ExportParameters, JSON),
        get(
            "operators",
            "Self and total time of operators on host and device.",
            wire.OperatorParameters,
            results.Operators,
        ),
        get("call_tree", "Operators and functions as a tree of calls.", wire.ProfileParameters, results.StackTree),
        get("kernels", "Kernels with calls, times and launch parameters.", wire.ProfileParameters, results.Kernels),
        get(
            "memory", "Memory over time, the peak's parts and leak candidates.", wire.ProfileParameters, results.Memory
        ),
        get(
            "input",
            "The stages of the input pipeline and the waiting time of each step.",
            wire.ProfileParameters,
            results.InputPipeline,
        ),
        get("modules", "Time by module or name scope.", wire.ProfileParameters, results.Modules),
        get(
            "distributed",
            "Compute, communication, overlap and waiting of each rank.",
            wire.ProfileParameters,
            results.Distributed,
        ),
        get("compile", "Events of compilers.", wire.ProfileParameters, results.Compile),
        get(
            "roofline",
            "FLOPs and bytes of operations against the device's limits.",
            wire.ProfileParameters,
            results.Roofline,
        ),
        get("compare", "Two profiles side by side.", wire.CompareParameters, results.Comparison),
        get_bytes("table", "A table as CSV.", wire.TableParameters, CSV),
        get_bytes("compared_table", "Rows of a comparison as CSV.", wire.ComparedTableParameters, CSV),
    ]
