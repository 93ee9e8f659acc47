"""Routes of Histograms: the rules behind its health hints."""

from __future__ import annotations

from dataclasses import asdict

from seamark.plugin import Context, Endpoint, NoParameters, ParsedRequest, ResponseStruct


class HealthRule(ResponseStruct):
    """As docs/health.md lists them."""

    name: str
    title: str
    rule: str
    advice: str


def endpoints(_: Context) -> list[Endpoint]:
    def rules(_: ParsedRequest[NoParameters, None]) -> list[HealthRule]:
        from seamark.kinds.statistics.health import RULES  # loads protobuf

        return [HealthRule(**asdict(rule)) for rule in RULES]

    return [Endpoint(path="/rules", summary="The rules behind health hints.", handler=rules)]
