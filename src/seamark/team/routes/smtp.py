"""Routes of the mail server that notifications are sent through."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.team.access.principal import principal_of
from seamark.team.access.rules import server_admin
from seamark.team.database import Transaction
from seamark.team.notify.email import SmtpSettings, is_address, read_smtp, write_smtp
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record


class SmtpBody(RequestStruct, kw_only=True):
    """A password that is left out stays as it is."""

    host: str
    port: Annotated[int, Meta(ge=1, le=65_535)] = 587
    user: str = ""
    password: str | None = None
    sender: str
    security: Annotated[str, Meta(pattern="^(starttls|tls|none)$")] = "starttls"


class SmtpResponse(ResponseStruct):
    host: str
    port: int
    user: str
    has_password: bool
    sender: str
    security: str


def smtp_endpoints(team: Team) -> list[Endpoint]:
    routes = SmtpRoutes(team)
    return [
        Endpoint(path="/smtp", summary="The mail server", handler=routes.read),
        Endpoint(
            path="/smtp",
            method="PUT",
            summary="Sets the mail server",
            handler=routes.save,
        ),
    ]


class SmtpRoutes(TeamRoutes):
    """For admins of the server."""

    def read(self, request: ParsedRequest[NoParameters, None]) -> SmtpResponse:
        server_admin(principal_of(request.http))
        return shown_smtp(self._team.read(read_smtp))

    def save(self, request: ParsedRequest[NoParameters, SmtpBody]) -> SmtpResponse:
        principal, body = principal_of(request.http), request.body
        server_admin(principal)
        if body.sender and not is_address(body.sender):
            raise RequestError(f"this is not a mail address: '{body.sender[:200]}'", code="invalid_parameter")

        def write(transaction: Transaction) -> SmtpSettings:
            before = read_smtp(transaction)
            given = {
                **msgspec.structs.asdict(body),
                "password": before.password if body.password is None else body.password,
            }
            settings = msgspec.convert(given, SmtpSettings)
            write_smtp(transaction, settings)
            record(transaction, principal, "smtp.change", target=settings.host)
            return settings

        return shown_smtp(self._team.write(write))


def shown_smtp(settings: SmtpSettings) -> SmtpResponse:
    return SmtpResponse(
        settings.host, settings.port, settings.user, bool(settings.password), settings.sender, settings.security
    )
