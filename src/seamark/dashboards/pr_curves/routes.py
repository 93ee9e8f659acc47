"""Routes of PR curves: the steps of a tag with the areas under its curves, and the curves at one step of each run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError
from seamark.plugin import Context, Endpoint, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.plugin.parameters import Index, TagParameter
from seamark.store import PayloadGoneError, RunStore, UnknownSeriesError

if TYPE_CHECKING:
    from seamark.kinds.pr_curve import PrCurve

KIND = "pr_curves"
# More than a line of a few hundred pixels can show.
MAX_AREAS = 300
COUNTS = ("true_positives", "false_positives", "true_negatives", "false_negatives")
Numbers = list[float | None]  # None for non-finite numbers


class StepsParameters(RequestStruct):
    tag: TagParameter
    run: Annotated[tuple[RunName, ...], Meta(description="The runs; repeat it for several.")] = ()


class StepsOfRun(ResponseStruct):
    """`areas` has [position, average precision, area] for each step that they were computed for."""

    index: list[int]
    steps: list[int]
    walls: list[float]
    areas: list[Numbers]
    computed: int


class CurvesParameters(RequestStruct):
    tag: TagParameter
    run: Annotated[tuple[RunName, ...], Meta(description="The runs; repeat it for several.")] = ()
    index: Annotated[tuple[Index, ...], Meta(description="The payload of each run, in the order of the runs.")] = ()


class Curve(ResponseStruct, kw_only=True):
    """One curve. `end` is the number of thresholds at which precision is defined."""

    thresholds: Numbers
    true_positives: Numbers
    false_positives: Numbers
    true_negatives: Numbers
    false_negatives: Numbers
    precision: Numbers
    recall: Numbers
    f1: Numbers
    end: int
    average_precision: float | None
    area: float | None


class CurveError(ResponseStruct):
    """Why there is no curve."""

    error: str


def endpoints(context: Context) -> list[Endpoint]:
    def steps(request: ParsedRequest[StepsParameters, None]) -> dict[RunName, StepsOfRun]:
        parameters = request.parameters
        found = {run: steps_of_run(context.store, run, parameters.tag) for run in parameters.run}
        return {run: steps for run, steps in found.items() if steps is not None}

    def curves(
        request: ParsedRequest[CurvesParameters, None],
    ) -> Annotated[dict[RunName, Curve | CurveError], dict[str, Any]]:
        parameters = request.parameters
        if len(parameters.run) != len(parameters.index):
            message = f"want an index for each of {len(parameters.run)} runs, got {len(parameters.index)}"
            raise RequestError(message, code="invalid_parameter")
        pairs = zip(parameters.run, parameters.index, strict=True)
        return {run: describe_curve(context.store, run, parameters.tag, index) for run, index in pairs}

    return [
        Endpoint(
            path="/steps",
            summary="Every step of a tag, and the areas under its curves at up to 300 of them.",
            handler=steps,
        ),
        Endpoint(
            path="/curves",
            summary="The curves at one step of each run.",
            handler=curves,
        ),
    ]


def steps_of_run(store: RunStore, run: RunName, tag: Tag) -> StepsOfRun | None:
    """None if the run does not have the tag."""
    try:
        listed = store.payloads(run, tag, KIND)
    except UnknownSeriesError:
        return None
    stride = max(1, math.ceil(len(listed) / MAX_AREAS))
    positions = [at for at in range(len(listed)) if at % stride == 0 or at == len(listed) - 1]
    areas: list[Numbers] = []
    for position in positions:
        curve = read_curve(store, run, tag, int(listed.index[position]))
        if not isinstance(curve, CurveError):
            areas.append([position, *areas_of(curve)])
    return StepsOfRun(listed.index.tolist(), listed.steps.tolist(), listed.walls.tolist(), areas, len(positions))


def read_curve(store: RunStore, run: RunName, tag: Tag, index: int) -> PrCurve | CurveError:
    from seamark.kinds import pr_curve  # loads protobuf

    try:
        return pr_curve.decode(store.payload(run, tag, KIND, index))
    except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
        return CurveError(str(error))


def areas_of(curve: PrCurve) -> Numbers:
    """Average precision and area."""
    from seamark.kinds.pr_curve import area_under, average_precision

    return [finite_or_none(average_precision(curve)), finite_or_none(area_under(curve))]


def describe_curve(store: RunStore, run: RunName, tag: Tag, index: int) -> Curve | CurveError:
    from seamark.kinds.pr_curve import defined_end, f1_scores

    curve = read_curve(store, run, tag, index)
    if isinstance(curve, CurveError):
        return curve
    average, area = areas_of(curve)
    names = ("thresholds", *COUNTS, "precision", "recall")
    columns = {name: [finite_or_none(value) for value in getattr(curve, name).tolist()] for name in names}
    f1 = [finite_or_none(value) for value in f1_scores(curve).tolist()]
    return Curve(**columns, f1=f1, end=defined_end(curve), average_precision=average, area=area)


def finite_or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
