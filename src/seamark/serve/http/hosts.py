"""Which Host headers the server accepts: the defence against pages that rebind a DNS name to this machine."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable

ANY_HOST = "*"
# Nobody can register a name below these: only the operator of a network defines them, as a cluster does for services.
PRIVATE_SUFFIXES = (".local", ".internal", ".home.arpa", ".svc")
HOST_PATTERN = re.compile(r"(\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z._-]+))(:\d{1,5})?")

HostCheck = Callable[[str], bool]


def host_check(host: str, *, has_token: bool, allowed: Iterable[str] = ()) -> HostCheck:
    """The check for a server that listens on `host`. It takes a Host header.

    On the loopback interface: loopback names. On the network without a token: IP addresses and private names. With a
    token: any name, since a page that rebinds a name has no cookie for it. `allowed` adds names; "*" allows any, for
    servers that browsers reach only through a proxy.
    """
    names = {name.lower().rstrip(".") for name in allowed}
    bracketed = f"[{host.strip('[]')}]" if ":" in host else host
    if ANY_HOST in names:
        return lambda header: parse_hostname(header) != ""
    if is_loopback_name(bracketed):
        return lambda header: is_loopback_name(header) or parse_hostname(header) in names
    if has_token:
        return lambda header: parse_hostname(header) != ""
    # Not getfqdn(), which may wait for a name server.
    names |= {host.lower(), socket.gethostname().lower()}
    return lambda header: is_address(header) or is_private_name(header) or parse_hostname(header) in names


def parse_hostname(host: str) -> str:
    """The name in a Host header, without port and brackets; "" if it is not name, name:port or [v6]:port."""
    match = HOST_PATTERN.fullmatch(host)
    return (match["six"] or match["name"]).lower().rstrip(".") if match else ""


def is_loopback_name(host: str) -> bool:
    """localhost, or an address of the loopback interface."""
    name = parse_hostname(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """An IP address, which no page can rebind."""
    try:
        ipaddress.ip_address(parse_hostname(host))
    except ValueError:
        return False
    return True


def is_private_name(host: str) -> bool:
    """One word, or below a private suffix: no page on the internet has such a name."""
    name = parse_hostname(host)
    return name != "" and ("." not in name or name.endswith(PRIVATE_SUFFIXES))
