"""The authorization code flow with PKCE: where to send a browser, and what its return proves.

OpenID Connect Core 1.0, sections 3.1.2 and 3.1.3; RFC 7636.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import jwt
import msgspec

from seamark.team.oidc.http import ProviderError, request_json
from seamark.team.oidc.settings import OidcProvider

# Only signatures that need the provider's private key.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
LEEWAY_SECS = 60
REUSE_SECS = 3600.0
# How often an unknown key makes us ask for the keys again.
KEYS_AGAIN_SECS = 30.0


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """What only the browser that began knows; it is in a cookie until the browser comes back."""

    provider: str
    state: str
    nonce: str
    verifier: str
    next: str = "/"
    invitation: str = ""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What the provider says about somebody. `email` is "" unless the provider vouches for it."""

    issuer: str
    subject: str
    email: str
    name: str


class Discovered(msgspec.Struct, frozen=True):
    """What a provider publishes."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str
    auth_methods: tuple[str, ...]


class OidcClient:
    """Any thread may call any method. Raises ProviderError where a provider is asked."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._discovered: dict[str, tuple[float, Discovered]] = {}
        self._keys: dict[str, tuple[float, dict[str | None, Any]]] = {}

    def begin(self, provider: OidcProvider, *, callback: str, next_page: str, invitation: str) -> tuple[str, Attempt]:
        """The address to send the browser to, and what to remember in it."""
        attempt = Attempt(
            provider=provider.name,
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            next=next_page,
            invitation=invitation,
        )
        endpoint = self._discover(provider).authorization_endpoint
        query = urlencode(
            {
                "response_type": "code",
                "client_id": provider.client_id,
                "redirect_uri": callback,
                "scope": provider.scopes,
                "state": attempt.state,
                "nonce": attempt.nonce,
                "code_challenge": challenge(attempt.verifier),
                "code_challenge_method": "S256",
            }
        )
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{query}", attempt

    def finish(self, provider: OidcProvider, attempt: Attempt, code: str, *, callback: str) -> Identity:
        """Exchanges the code for an ID token and checks it."""
        found = self._discover(provider)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": callback,
            "client_id": provider.client_id,
            "code_verifier": attempt.verifier,
        }
        tokens = request_json(found.token_endpoint, **authenticated(provider, found, form))
        token = tokens.get("id_token")
        if not isinstance(token, str):
            raise ProviderError("the provider sent no ID token; is openid among the scopes?")
        claims = self._checked_claims(provider, found, token, attempt.nonce)
        if "email" not in claims and found.userinfo_endpoint and isinstance(tokens.get("access_token"), str):
            claims = {**self._user_info(found, tokens["access_token"], str(claims["sub"])), **claims}
        return identity_from(provider, claims)

    def _discover(self, provider: OidcProvider) -> Discovered:
        now = self._monotonic()
        with self._lock:
            at, found = self._discovered.get(provider.issuer, (float("-inf"), None))
        if found is not None and at > now - REUSE_SECS:
            return found
        document = request_json(provider.issuer.rstrip("/") + "/.well-known/openid-configuration")
        if document.get("issuer") != provider.issuer:
            raise ProviderError(
                f"the provider says that it is {document.get('issuer')!r}, want the issuer exactly as configured: "
                f"{provider.issuer!r}"
            )
        try:
            discovered = Discovered(
                authorization_endpoint=str(document["authorization_endpoint"]),
                token_endpoint=str(document["token_endpoint"]),
                jwks_uri=str(document["jwks_uri"]),
                userinfo_endpoint=str(document.get("userinfo_endpoint") or ""),
                auth_methods=tuple(document.get("token_endpoint_auth_methods_supported") or ("client_secret_basic",)),
            )
        except (KeyError, TypeError):
            raise ProviderError("the provider does not publish all of its addresses") from None
        with self._lock:
            self._discovered[provider.issuer] = (now, discovered)
        return discovered

    def _checked_claims(self, provider: OidcProvider, found: Discovered, token: str, nonce: str) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
            key = self._key(found.jwks_uri, header.get("kid"))
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                audience=provider.client_id,
                issuer=provider.issuer,
                leeway=LEEWAY_SECS,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise ProviderError(f"the ID token of the provider is not valid: {error}") from None
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ProviderError("the ID token of the provider is not valid: it is not for this sign-in (nonce)")
        if claims.get("azp", provider.client_id) != provider.client_id:
            raise ProviderError("the ID token of the provider is not valid: it is for another application (azp)")
        return claims

    def _key(self, address: str, key_id: str | None) -> Any:
        """Asks for the keys again if the provider has a new one."""
        now = self._monotonic()
        with self._lock:
            at, keys = self._keys.get(address, (float("-inf"), {}))
        is_stale = at < now - REUSE_SECS or (find_key(keys, key_id) is None and at < now - KEYS_AGAIN_SECS)
        if is_stale:
            keys = keys_in(request_json(address))
            with self._lock:
                self._keys[address] = (now, keys)
        key = find_key(keys, key_id)
        if key is None:
            raise ProviderError("the ID token of the provider is not valid: it is signed with an unknown key")
        return key

    def _user_info(self, found: Discovered, access_token: str, subject: str) -> dict[str, Any]:
        info = request_json(found.userinfo_endpoint, headers={"authorization": f"Bearer {access_token}"})
        if info.get("sub") != subject:
            raise ProviderError("the provider's user information is about somebody else")
        return {name: info[name] for name in ("email", "email_verified", "name") if name in info}


def keys_in(document: dict[str, Any]) -> dict[str | None, Any]:
    """By their ids; without those of a kind that PyJWT does not know."""
    found: dict[str | None, Any] = {}
    for entry in document.get("keys") or []:
        try:
            if entry.get("use", "sig") == "sig":
                found[entry.get("kid")] = jwt.PyJWK.from_dict(entry)
        except (jwt.PyJWTError, AttributeError, TypeError, ValueError):
            continue
    return found


def find_key(keys: dict[str | None, Any], key_id: str | None) -> Any:
    """A token without a key id may be signed by the only key."""
    return next(iter(keys.values())) if key_id is None and len(keys) == 1 else keys.get(key_id)


def authenticated(provider: OidcProvider, found: Discovered, form: dict[str, str]) -> dict[str, Any]:
    """The form and headers of a request to the token endpoint."""
    if not provider.client_secret:
        return {"form": form}
    if "client_secret_basic" not in found.auth_methods and "client_secret_post" in found.auth_methods:
        return {"form": {**form, "client_secret": provider.client_secret}}
    pair = f"{quote(provider.client_id, safe='')}:{quote(provider.client_secret, safe='')}"
    return {"form": form, "headers": {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}}


def challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def identity_from(provider: OidcProvider, claims: dict[str, Any]) -> Identity:
    email = str(claims.get("email") or "").strip().lower()
    is_verified = claims.get("email_verified") in (True, "true") or provider.trusts_email
    name = str(claims.get("name") or email.split("@")[0] or claims["sub"])
    return Identity(
        issuer=provider.issuer, subject=str(claims["sub"]), email=email if is_verified else "", name=name[:100]
    )
