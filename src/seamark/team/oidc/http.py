"""Requests to providers: JSON of bounded size, without redirects."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any

from seamark.team.oidc.settings import is_safe_address

TIMEOUT_SECS = 10.0
MAX_BYTES = 1 << 20


class ProviderError(Exception):
    """The provider did not answer as it should; the message is for the user."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A provider's addresses are those that it published; a redirect may lead inside of the network."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def request_json(
    address: str, *, form: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """GET, or POST of a form. Raises ProviderError."""
    if not is_safe_address(address):
        raise ProviderError("the provider named an address that does not begin with https://")
    body = urllib.parse.urlencode(form).encode() if form is not None else None
    request = urllib.request.Request(address, body, {"accept": "application/json", **(headers or {})})
    try:
        with urllib.request.build_opener(NoRedirects).open(request, timeout=TIMEOUT_SECS) as response:
            content = response.read(MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise ProviderError(f"the provider answered {error.code}{reason_in(error)}") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise ProviderError(f"the provider cannot be reached: {reason}") from None
    if len(content) > MAX_BYTES:
        raise ProviderError("the provider sent more than a megabyte")
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise ProviderError("the provider sent something else than JSON") from None
    if not isinstance(found, dict):
        raise ProviderError("the provider sent JSON that is not an object")
    return found


def reason_in(error: urllib.error.HTTPError) -> str:
    """The code of an error of OAuth, such as invalid_client, which tells an admin what to correct."""
    try:
        code = json.loads(error.read(MAX_BYTES))["error"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
    return f" ({code[:100]})" if isinstance(code, str) and code.isprintable() else ""
