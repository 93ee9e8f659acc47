"""Networks: what counts as one place in the limits of requests and of failed sign-ins."""

from __future__ import annotations

import ipaddress

# What a provider gives to one customer (RFC 6177): whoever has one address of it has all of them.
IPV6_PREFIX = 64


def network_of(address: str) -> str:
    """The address itself, or the network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), IPV6_PREFIX), strict=False))
