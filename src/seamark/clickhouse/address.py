"""Parses addresses of ClickHouse: clickhouse://[user[:password]@]host[:port][,host[:port]…]/database[?project=NAME]."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import parse_qs, unquote

from msgspec import Struct

PORTS = {"clickhouse": 8123, "clickhouses": 8443}
_ADDRESS = re.compile(
    r"(?P<scheme>clickhouses?)://(?:(?P<user>[^@/]*)@)?(?P<hosts>[^/?]+)/(?P<database>[^/?]+)/?(?:\?(?P<query>.*))?"
)
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?")
# Names that are part of statements for which ClickHouse has no parameters.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class AddressError(ValueError):
    """The address cannot be used; the message is a complete sentence and has no password."""


class Host(Struct, frozen=True):
    name: str
    port: int

    def __str__(self) -> str:
        return f"{self.name}:{self.port}"


class Address(Struct, frozen=True):
    """Where the database is. Every host is an entrance to the same cluster; the first that answers is used."""

    hosts: tuple[Host, ...]
    database: str
    project: str
    is_secure: bool
    user: str
    password: str

    def __str__(self) -> str:
        """Without user and password: for messages and pages."""
        scheme = "clickhouses" if self.is_secure else "clickhouse"
        project = f"?project={self.project}" if self.project else ""
        return f"{scheme}://{','.join(map(str, self.hosts))}/{self.database}{project}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"


def is_address(text: str) -> bool:
    return text.startswith(("clickhouse://", "clickhouses://"))


def parse_address(text: str, environment: Mapping[str, str] = os.environ) -> Address:
    """User and password come from the address, or from CLICKHOUSE_USER and CLICKHOUSE_PASSWORD."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise AddressError("want clickhouse://host:port/database, or clickhouses:// for TLS; the given address differs")
    user, _, password = (found["user"] or "").partition(":")
    options = parse_qs(found["query"] or "")
    unknown = sorted(set(options) - {"project"})
    if unknown:
        raise AddressError(f"a ClickHouse address has no option {unknown[0]!r}; want project=NAME or none")
    return Address(
        hosts=tuple(_parse_host(part, PORTS[found["scheme"]]) for part in found["hosts"].split(",")),
        database=checked_name(unquote(found["database"]), "database"),
        project=options.get("project", [""])[0],
        is_secure=found["scheme"] == "clickhouses",
        user=unquote(user) or environment.get("CLICKHOUSE_USER", ""),
        password=unquote(password) or environment.get("CLICKHOUSE_PASSWORD", ""),
    )


def checked_name(name: str, what: str) -> str:
    """Returns the name of a database or cluster. Raises AddressError if it is not a plain identifier."""
    if not _NAME.fullmatch(name):
        raise AddressError(f"the name of a {what} has only letters, digits and _, got {name[:80]!r}")
    return name


def _parse_host(text: str, default_port: int) -> Host:
    found = _HOST.fullmatch(text)
    port = int(found["port"] or default_port) if found else 0
    if found is None or not 0 < port < 65536:
        raise AddressError(f"want host or host:port, separated by commas; got {text[:80]!r}")
    return Host(found["name"].strip("[]"), port)
