"""Routes of tokens: one's own, and the service tokens of a project. Only a browser session makes and revokes them."""

from __future__ import annotations

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.team.access.principal import Principal, Role, principal_of
from seamark.team.access.rules import in_session, project_for, requested_project
from seamark.team.accounts.tokens import (
    NewToken,
    TokenItem,
    create_token,
    personal_tokens,
    revoke_personal,
    revoke_service,
    service_tokens,
)
from seamark.team.database import Transaction
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record

PROJECT_TOKENS = "/projects/{organisation}/{project}/tokens"


class TokenList(ResponseStruct):
    tokens: list[TokenItem]


class TokenRequest(RequestStruct):
    """`project` is organisation/name, and only for one's own tokens."""

    name: str
    scope: Role
    project: str | None = None
    expires_days: float | None = None


class CreatedToken(ResponseStruct):
    """`token` is shown this once."""

    id: str
    token: str
    item: TokenItem


class TokenId(RequestStruct):
    id: str


class Revoked(ResponseStruct):
    name: str


def token_endpoints(team: Team) -> list[Endpoint]:
    own, service = PersonalTokenRoutes(team), ServiceTokenRoutes(team)
    return [
        Endpoint(path="/me/tokens", summary="Your tokens", handler=own.list),
        Endpoint(
            path="/me/tokens",
            method="POST",
            summary="Creates a token of yours",
            handler=own.create,
        ),
        Endpoint(
            path="/me/tokens/revoke",
            method="POST",
            summary="Ends a token of yours",
            handler=own.revoke,
        ),
        Endpoint(path=PROJECT_TOKENS, summary="The service tokens of a project", handler=service.list),
        Endpoint(
            path=PROJECT_TOKENS,
            method="POST",
            summary="Creates a service token, which belongs to no user",
            handler=service.create,
        ),
        Endpoint(
            path=f"{PROJECT_TOKENS}/revoke",
            method="POST",
            summary="Ends a service token",
            handler=service.revoke,
        ),
    ]


class PersonalTokenRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> TokenList:
        user = in_session(principal_of(request.http))
        return TokenList(self._team.read(lambda transaction: personal_tokens(transaction, user.id)))

    def create(self, request: ParsedRequest[NoParameters, TokenRequest]) -> CreatedToken:
        principal, wanted = principal_of(request.http), request.body
        user = in_session(principal)

        def create(transaction: Transaction) -> CreatedToken:
            project_id = project_named(transaction, principal, wanted.project) if wanted.project is not None else None
            new = NewToken(
                name=wanted.name,
                scope=wanted.scope,
                user_id=user.id,
                project_id=project_id,
                created_by=user.id,
                expires_days=wanted.expires_days,
            )
            return create_and_record(transaction, self._team, principal, new)

        return self._team.write(create)

    def revoke(self, request: ParsedRequest[NoParameters, TokenId]) -> Revoked:
        principal, team = principal_of(request.http), self._team
        user = in_session(principal)

        def revoke(transaction: Transaction) -> str:
            name = revoke_personal(transaction, user.id, request.body.id, team.clock())
            record(transaction, principal, "token.revoke", target=name)
            return name

        name = team.write(revoke)
        team.identities.forget()
        return Revoked(name)


class ServiceTokenRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> TokenList:
        def find(transaction: Transaction) -> list[TokenItem]:
            project, _ = requested_project(transaction, request.http, "admin")
            return service_tokens(transaction, project.id)

        return TokenList(self._team.read(find))

    def create(self, request: ParsedRequest[NoParameters, TokenRequest]) -> CreatedToken:
        principal, wanted = principal_of(request.http), request.body
        if wanted.project is not None:
            raise RequestError("a service token is for the project in the address", code="invalid_parameter")

        def create(transaction: Transaction) -> CreatedToken:
            project, _ = requested_project(transaction, request.http, "admin")
            user = in_session(principal)
            new = NewToken(
                name=wanted.name,
                scope=wanted.scope,
                user_id=None,
                project_id=project.id,
                created_by=user.id,
                expires_days=wanted.expires_days,
            )
            return create_and_record(transaction, self._team, principal, new)

        return self._team.write(create)

    def revoke(self, request: ParsedRequest[NoParameters, TokenId]) -> Revoked:
        principal, team = principal_of(request.http), self._team

        def revoke(transaction: Transaction) -> str:
            project, _ = requested_project(transaction, request.http, "admin")
            in_session(principal)
            name = revoke_service(transaction, project.id, request.body.id, team.clock())
            record(transaction, principal, "token.revoke", project_id=project.id, target=name)
            return name

        name = team.write(revoke)
        team.identities.forget()
        return Revoked(name)


def project_named(transaction: Transaction, principal: Principal, path: str) -> str:
    organisation, _, name = path.partition("/")
    return project_for(transaction, principal, organisation, name, "viewer")[0].id


def create_and_record(transaction: Transaction, team: Team, principal: Principal, new: NewToken) -> CreatedToken:
    item, secret = create_token(transaction, new, team.clock())
    record(
        transaction,
        principal,
        "token.create",
        project_id=new.project_id,
        target=item.name,
        scope=item.scope,
        service=new.user_id is None,
    )
    return CreatedToken(item.id, secret, item)
