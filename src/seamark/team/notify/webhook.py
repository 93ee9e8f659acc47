"""Sends a message to a webhook, as Slack, Mattermost and many others take it.

People of a project choose the address, so it must not lead into the network of the server: the address that the name
resolves to is checked, and the connection goes to exactly that address.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
from urllib.parse import SplitResult, urlsplit

from seamark.version import __version__

TIMEOUT_SECS = 10.0
MAX_URL_LENGTH = 2000
MAX_ANSWER_BYTES = 4096
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052


class DeliveryError(Exception):
    """The message could not be sent; the message of this error is a sentence."""


def send_webhook(url: str, text: str, *, allow_private: bool) -> None:
    """Redirects are not followed. Raises DeliveryError."""
    parts = parse(url)
    address = resolve(parts, allow_private=allow_private)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"content-type": "application/json", "host": parts.netloc, "user-agent": f"Seamark/{__version__}"}
    connection = PinnedConnection(parts, address)
    try:
        connection.request("POST", path, json.dumps({"text": text}).encode(), headers)
        response = connection.getresponse()
        response.read(MAX_ANSWER_BYTES)
    except (OSError, http.client.HTTPException) as error:
        raise DeliveryError(f"the webhook does not answer ({error or type(error).__name__})") from None
    finally:
        connection.close()
    if not 200 <= response.status < 300:
        raise DeliveryError(f"the webhook answered with status {response.status}")


def parse(url: str) -> SplitResult:
    """Raises DeliveryError for what is no address of a webhook."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        is_plain = url.isascii() and url.isprintable() and " " not in url and "@" not in parts.netloc
    except ValueError:
        is_address = is_plain = False
    if not (is_address and is_plain and len(url) <= MAX_URL_LENGTH):
        raise DeliveryError("want the address of a webhook as in https://hooks.example.org/…")
    return parts


def resolve(parts: SplitResult, *, allow_private: bool) -> str:
    """The address to connect to. Raises DeliveryError."""
    try:
        found = socket.getaddrinfo(parts.hostname, port_of(parts), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise DeliveryError(f"the name of the webhook cannot be resolved: '{parts.hostname}'") from None
    address = str(found[0][4][0])
    if not (allow_private or is_public(address)):
        raise DeliveryError(
            f"webhooks must not lead into a private network, and '{parts.hostname}' does; "
            "an admin of the server may set allow_private_webhooks in team.json"
        )
    return address


def is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        # An IPv4 address may hide in an IPv6 one.
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if found in NAT64:
            inner = ipaddress.IPv4Address(found.packed[-4:])
        if inner is not None and not inner.is_global:
            return False
    return found.is_global and not found.is_multicast


def port_of(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


class PinnedConnection(http.client.HTTPConnection):
    """Connects to an address that was checked, but asks for the certificate of the name."""

    def __init__(self, parts: SplitResult, address: str) -> None:
        super().__init__(parts.hostname or "", port_of(parts), timeout=TIMEOUT_SECS)
        self._is_secure = parts.scheme == "https"
        self._address = address

    def connect(self) -> None:
        connected = socket.create_connection((self._address, self.port), TIMEOUT_SECS)
        if not self._is_secure:
            self.sock = connected
            return
        try:
            self.sock = ssl.create_default_context().wrap_socket(connected, server_hostname=self.host)
        except BaseException:
            connected.close()
            raise
