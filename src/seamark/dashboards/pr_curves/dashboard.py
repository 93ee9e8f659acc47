"""PR curves: what a threshold costs, over all runs and steps.

/steps  every step of a tag, with the areas under its curves (of a long series an even selection of them)
/curves the curves themselves, at one step of each run
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError
from seamark.plugin import Context, Dashboard, as_json, parse_index
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

if TYPE_CHECKING:
    from seamark.kinds.pr_curve import PrCurve

KIND = "pr_curves"
# Areas worth computing for a line of a few hundred pixels.
MOST_AREAS = 300
COUNTS = ("true_positives", "false_positives", "true_negatives", "false_negatives")


def routes(context: Context) -> Sequence[Route]:
    def steps(request: Request) -> Response:
        tag, runs = Tag(request.query_params.get("tag", "")), request.query_params.getlist("run")
        return as_json(
            {run: found for run in runs if (found := steps_of(context.store, RunName(run), tag)) is not None}
        )

    def curves(request: Request) -> Response:
        """`run` and `index` go in pairs: index i is for run i."""
        tag, runs = Tag(request.query_params.get("tag", "")), request.query_params.getlist("run")
        indices = request.query_params.getlist("index")
        numbers = [number for index in indices if (number := parse_index(index)) is not None]
        if not len(runs) == len(indices) == len(numbers):
            got = str(indices)[:200]
            return as_json({"error": f"want an index for each of {len(runs)} runs, got {got}"}, status_code=400)
        pairs = zip(runs, numbers, strict=True)
        return as_json({run: told_curve(context.store, RunName(run), tag, index) for run, index in pairs})

    return [Route("/steps", steps), Route("/curves", curves)]


def steps_of(store: Store, run: RunName, tag: Tag) -> dict[str, Any] | None:
    """`areas` has a row of position, AP and area for each step it was computed for. None without such a series."""
    try:
        listed = store.payloads(run, tag, KIND)
    except UnknownSeriesError:
        return None
    stride = max(1, math.ceil(len(listed) / MOST_AREAS))
    wanted = [at for at in range(len(listed)) if at % stride == 0 or at == len(listed) - 1]
    areas = []
    for at in wanted:
        curve = curve_of(store, run, tag, int(listed.index[at]))
        if not isinstance(curve, str):
            areas.append([at, *areas_of(curve)])
    return {
        "index": listed.index.tolist(),
        "steps": listed.steps.tolist(),
        "walls": listed.walls.tolist(),
        "areas": areas,
        "computed": len(wanted),
    }


def curve_of(store: Store, run: RunName, tag: Tag, index: int) -> PrCurve | str:
    """The curve, or the sentence that says why there is none."""
    from seamark.kinds import pr_curve  # loads protobuf

    try:
        return pr_curve.decode(store.payload(run, tag, KIND, index))
    except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
        return str(error)


def areas_of(curve: PrCurve) -> list[float | None]:
    from seamark.kinds.pr_curve import area_under, average_precision

    return [number(average_precision(curve)), number(area_under(curve))]


def told_curve(store: Store, run: RunName, tag: Tag, index: int) -> dict[str, Any]:
    from seamark.kinds.pr_curve import defined_end, f1_scores

    curve = curve_of(store, run, tag, index)
    if isinstance(curve, str):
        return {"error": curve}
    average, area = areas_of(curve)
    columns = {name: getattr(curve, name) for name in ("thresholds", *COUNTS, "precision", "recall")}
    numbers = {name: [number(value) for value in column.tolist()] for name, column in columns.items()}
    f1 = [number(value) for value in f1_scores(curve).tolist()]
    return {**numbers, "f1": f1, "end": defined_end(curve), "average_precision": average, "area": area}


def number(value: float) -> float | None:
    return value if math.isfinite(value) else None


dashboard = Dashboard(name="pr_curves", title="PR curves", order=110, kinds=(KIND,), routes=routes)
