"""Addresses of published sites, as --logdir takes them."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

SCHEMES = ("http", "https")
PAGE = "index.html"


def is_site(text: str) -> bool:
    return text.partition("://")[0].lower() in SCHEMES


def parse_site(text: str) -> str:
    """The address of the site's folder without a slash at its end. Raises ValueError."""
    parts = urlsplit(text)
    if not parts.hostname:
        raise ValueError(f"no host in the address of the site: want https://host/path, got '{text}'")
    if "@" in parts.netloc:
        # Not in the message either: what stands there may be a secret.
        raise ValueError(f"the address of a site has no user or password: 'https://{parts.hostname}{parts.path}'")
    # What follows ? and # belongs to the page, as a link that somebody copied has it.
    path = parts.path.removesuffix(PAGE).rstrip("/")
    return urlunsplit((parts.scheme.lower(), parts.netloc, path, "", ""))
