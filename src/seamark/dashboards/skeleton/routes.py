"""The routes of this dashboard: how many points each run has."""

from __future__ import annotations

from seamark.plugin import Context, Endpoint, ParsedRequest, RequestStruct, TagParameter


class CountsParameters(RequestStruct):
    tag: TagParameter


def endpoints(context: Context) -> list[Endpoint]:
    def counts(request: ParsedRequest[CountsParameters, None]) -> dict[str, int]:
        series = context.store.series(kind="scalars")
        return {info.run: info.count for info in series if info.tag == request.parameters.tag}

    return [
        Endpoint(
            path="/counts",
            summary="The number of points of one tag in every run that has it.",
            handler=counts,
        )
    ]
