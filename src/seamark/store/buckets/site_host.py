"""Reads files of a published site by HTTP. The host may be anybody's: it gets no say in what else is read.

Redirects are followed within the host only, so that no answer leads to this machine, its network or its files. Every
answer has a largest size.
"""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from typing import IO, NamedTuple
from urllib.parse import urlsplit

from seamark.store.buckets.objects import BucketError

TIMEOUT_SECS = 30
USER_AGENT = "seamark"
DEFAULT_PORTS = {"http": 80, "https": 443}


class NotThereError(Exception):
    """The host has no such file."""


class Answer(NamedTuple):
    content: bytes
    is_part: bool  # of the range that was asked for; otherwise the whole file
    etag: str


class SameHostRedirects(urllib.request.HTTPRedirectHandler):
    """Follows a redirect to the same host and port, or from http to https there."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not is_same_host(req.full_url, newurl):
            raise BucketError(f"the site is elsewhere, give that address instead: '{without_query(newurl)}'")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_same_host(before: str, after: str) -> bool:
    old, new = urlsplit(before), urlsplit(after)
    if new.scheme not in DEFAULT_PORTS or old.hostname != new.hostname or new.username is not None:
        return False
    ports = [parts.port or DEFAULT_PORTS[parts.scheme] for parts in (old, new)]
    is_upgrade = (old.scheme, new.scheme) == ("http", "https") and ports == [80, 443]
    return is_upgrade or (old.scheme == new.scheme and ports[0] == ports[1])


def without_query(address: str) -> str:
    """Parameters may be secrets."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.hostname}{parts.path}"[:300]


class SiteHost:
    """Any thread may call any method."""

    def __init__(self, address: str) -> None:
        self.address = address
        # Only these: the default opener also reads file:// and ftp://.
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            SameHostRedirects(),
        ):
            self._opener.add_handler(handler)

    def get(
        self, name: str, *, max_bytes: int, part: tuple[int, int] | None = None, known_etag: str = ""
    ) -> Answer | None:
        """None if the file still has the known ETag. Raises NotThereError, or BucketError with a sentence."""
        request = urllib.request.Request(f"{self.address}/{name}", headers={"User-Agent": USER_AGENT})
        if part is not None:
            request.add_header("Range", f"bytes={part[0]}-{part[1] - 1}")
        if known_etag:
            request.add_header("If-None-Match", known_etag)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECS) as response:
                content = response.read(max_bytes + 1)
                if len(content) > max_bytes:
                    raise self._failure(f"'{name}' is larger than {max_bytes:,} bytes")
                return Answer(content, response.status == 206, response.headers.get("ETag", ""))
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 304:
                return None
            if error.code in (404, 410):
                raise NotThereError(name) from None
            raise self._failure(f"it answered {error.code}") from None
        except urllib.error.URLError as error:
            raise self._failure("it does not answer", error.reason) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._failure("it does not answer", error) from None

    def _failure(self, reason: str, cause: object = None) -> BucketError:
        detail = f": {type(cause).__name__}" if isinstance(cause, Exception) else ""
        return BucketError(f"the site cannot be read ({reason}{detail}): '{self.address}'")
