"""Addresses of object stores, as --logdir and writers take them."""

from __future__ import annotations

from importlib.util import find_spec
from urllib.parse import urlsplit, urlunsplit

SCHEMES = ("s3", "gs", "az")


def is_bucket(text: str) -> bool:
    return text.partition("://")[0].lower() in SCHEMES


def parse_bucket(text: str) -> str:
    """The address without a slash at its end. Raises ValueError."""
    if find_spec("obstore") is None:
        raise ValueError(f"a bucket needs obstore: pip install 'seamark[buckets]'; got '{text}'")
    parts = urlsplit(text)
    if not parts.hostname:
        raise ValueError(f"no bucket in the address: want {parts.scheme}://bucket/prefix, got '{text}'")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # Not in the message either: what follows may be a secret.
        raise ValueError(
            f"the address of a bucket has no user, password or options; set them as environment variables "
            f"(AWS_ACCESS_KEY_ID and so on): '{parts.scheme}://{parts.hostname}{parts.path}'"
        )
    return urlunsplit((parts.scheme.lower(), parts.netloc, parts.path.rstrip("/"), "", ""))
