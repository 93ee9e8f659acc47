"""Routes of OpenID Connect: a browser's way to a provider and back, and the settings of providers."""

from __future__ import annotations

import base64
import hmac
import html
import urllib.parse
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from seamark.plugin import (
    NO_STORE,
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    error_response,
)
from seamark.serve.http.security import find_cookie
from seamark.team.access.guard import is_secure
from seamark.team.access.principal import principal_of
from seamark.team.access.rules import server_admin
from seamark.team.accounts.sessions import set_cookie
from seamark.team.addresses import public_address
from seamark.team.database import Transaction
from seamark.team.oidc.accounts import user_for
from seamark.team.oidc.flow import Attempt
from seamark.team.oidc.http import ProviderError
from seamark.team.oidc.settings import OidcProvider, Policy, read_providers, remove_provider, save_provider
from seamark.team.routes.session import open_session
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record

CALLBACK = "/team/api/oidc/callback"
COOKIE = "seamark-oidc"
ATTEMPT_SECS = 600
FAILED = (
    "<!doctype html><title>Seamark</title><h1>Signing in did not work</h1><p>{sentence}"
    '<p><a href="/sign-in">Back to the sign-in page</a>'
)


class StartRequest(RequestStruct):
    """`next` is the page to show afterwards; `invitation` the code of one that is accepted on the way."""

    name: str
    next: str = "/"
    invitation: str = ""


class CallbackRequest(msgspec.Struct):
    """What providers send back; they may add more."""

    state: str = ""
    code: str = ""
    error: str = ""
    error_description: str = ""
    iss: str = ""


class ProviderItem(ResponseStruct):
    """Without the client secret. `callback` is to be registered at the provider."""

    name: str
    issuer: str
    client_id: str
    has_client_secret: bool
    label: str
    scopes: str
    policy: Policy
    domains: list[str]
    trusts_email: bool
    callback: str


class ProviderList(ResponseStruct):
    providers: list[ProviderItem]


class ProviderChange(RequestStruct):
    """Adds or changes the provider of this name; what is left out stays. `remove` removes it."""

    name: str
    issuer: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    label: str | None = None
    scopes: str | None = None
    policy: Policy | None = None
    domains: list[str] | None = None
    trusts_email: bool | None = None
    remove: bool = False


def oidc_endpoints(team: Team) -> list[Endpoint]:
    routes, settings = OidcRoutes(team), OidcSettingsRoutes(team)
    return [
        Endpoint(
            path="/oidc/start",
            summary="Sends a browser to a provider to sign in",
            handler=routes.start,
            media_type="text/html",
        ),
        Endpoint(
            path="/oidc/callback",
            summary="Where providers send browsers back to",
            handler=routes.finish,
            media_type="text/html",
        ),
        Endpoint(
            path="/oidc",
            summary="The providers and their settings, for admins of the server",
            handler=settings.list,
        ),
        Endpoint(
            path="/oidc",
            method="PATCH",
            summary="Adds, changes or removes a provider",
            handler=settings.change,
        ),
    ]


class OidcRoutes(TeamRoutes):
    """A browser comes here by a link, so that errors are pages."""

    def start(self, request: ParsedRequest[StartRequest, None]) -> Response:
        try:
            return self._start(request)
        except (RequestError, ProviderError) as error:
            return failed(request.http, error)

    def finish(self, request: ParsedRequest[CallbackRequest, None]) -> Response:
        try:
            response = self._finish(request)
        except (RequestError, ProviderError) as error:
            response = failed(request.http, error)
        response.delete_cookie(cookie_name(request.http), path="/", secure=is_secure(request.http), httponly=True)
        return response

    def _start(self, request: ParsedRequest[StartRequest, None]) -> Response:
        team, wanted, http = self._team, request.parameters, request.http
        team.limits.check_sign_in(principal_of(http).address)
        provider = self._provider(wanted.name)
        callback = public_address(team.settings, http, CALLBACK)
        address, attempt = team.oidc.begin(
            provider, callback=callback, next_page=local_page(wanted.next), invitation=wanted.invitation[:100]
        )
        response = RedirectResponse(address, 303, headers=dict(NO_STORE))
        response.set_cookie(
            cookie_name(http),
            base64.urlsafe_b64encode(msgspec.json.encode(attempt)).decode(),
            max_age=ATTEMPT_SECS,
            path="/",
            secure=is_secure(http),
            httponly=True,
            samesite="lax",
        )
        return response

    def _finish(self, request: ParsedRequest[CallbackRequest, None]) -> Response:
        team, given, http = self._team, request.parameters, request.http
        principal = principal_of(http)
        team.limits.check_sign_in(principal.address)
        attempt = attempt_in(http)
        if not given.state or not hmac.compare_digest(given.state.encode(), attempt.state.encode()):
            raise RequestError("this sign-in was begun in another browser or window; begin again", code="forbidden")
        if given.error:
            reason = given.error_description or given.error
            raise ProviderError(f"the provider answered: {reason[:300]}")
        provider = self._provider(attempt.provider)
        if given.iss and given.iss != provider.issuer:  # RFC 9207
            raise ProviderError("the answer comes from another provider than the one that was asked")
        callback = public_address(team.settings, http, CALLBACK)
        identity = team.oidc.finish(provider, attempt, given.code, callback=callback)

        def sign_in(transaction: Transaction) -> str:
            user = user_for(transaction, principal, provider, identity, attempt.invitation)
            return open_session(transaction, team, principal, user, by=f"oidc {provider.name}")

        secret = team.write(sign_in)
        team.identities.forget()
        response = RedirectResponse(local_page(attempt.next), 303, headers=dict(NO_STORE))
        set_cookie(response, http, secret)
        return response

    def _provider(self, name: str) -> OidcProvider:
        found = self._team.read(read_providers).get(name)
        if found is None:
            raise RequestError(f"there is no provider '{name}'", code="not_found")
        return found


class OidcSettingsRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> ProviderList:
        server_admin(principal_of(request.http))
        return self._listed(request.http)

    def change(self, request: ParsedRequest[NoParameters, ProviderChange]) -> ProviderList:
        principal, wanted = principal_of(request.http), request.body
        server_admin(principal)

        def change(transaction: Transaction) -> None:
            if wanted.remove:
                remove_provider(transaction, wanted.name)
            else:
                save_provider(transaction, changed(read_providers(transaction).get(wanted.name), wanted))
            record(transaction, principal, "oidc.remove" if wanted.remove else "oidc.change", target=wanted.name)

        self._team.write(change)
        return self._listed(request.http)

    def _listed(self, http: Request) -> ProviderList:
        callback = public_address(self._team.settings, http, CALLBACK)
        providers = self._team.read(read_providers).values()
        return ProviderList([item(provider, callback) for provider in providers])


def changed(known: OidcProvider | None, wanted: ProviderChange) -> OidcProvider:
    """Raises RequestError."""
    given: dict[str, Any] = {
        field: tuple(value) if isinstance(value, list) else value
        for field, value in msgspec.structs.asdict(wanted).items()
        if value is not None and field != "remove"
    }
    if known is None:
        return OidcProvider(**{"issuer": "", "client_id": "", **given})
    if given.get("issuer", known.issuer) != known.issuer and wanted.client_secret is None:
        # Or whoever changes the issuer would get the secret of the other one sent to theirs.
        raise RequestError("a new issuer needs its client_secret as well", code="invalid_parameter")
    return msgspec.structs.replace(known, **given)


def item(provider: OidcProvider, callback: str) -> ProviderItem:
    return ProviderItem(
        provider.name,
        provider.issuer,
        provider.client_id,
        bool(provider.client_secret),
        provider.shown_label,
        provider.scopes,
        provider.policy,
        list(provider.domains),
        provider.trusts_email,
        callback,
    )


def cookie_name(http: Request) -> str:
    return f"__Host-{COOKIE}" if is_secure(http) else COOKIE


def attempt_in(http: Request) -> Attempt:
    """Raises RequestError."""
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(find_cookie(cookie_name(http), http.headers)), type=Attempt)
    except (ValueError, msgspec.MsgspecError):
        raise RequestError(
            "this sign-in has ended or was begun in another browser; begin again", code="forbidden"
        ) from None


def local_page(path: str) -> str:
    """A page of this server: nobody can send a browser elsewhere by a link to the sign-in."""
    is_local = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return urllib.parse.quote(path, safe="/?&=#%:,+~@!$'()*;[]") if is_local else "/"


def failed(http: Request, error: RequestError | ProviderError) -> Response:
    known = error if isinstance(error, RequestError) else RequestError(str(error), code="forbidden")
    if "text/html" not in http.headers.get("accept", ""):
        return error_response(known)
    return HTMLResponse(FAILED.format(sentence=html.escape(str(known))), known.status, headers=dict(NO_STORE))
