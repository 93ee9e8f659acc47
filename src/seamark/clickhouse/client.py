"""A thin client of ClickHouse over HTTP: statements with parameters, columns in and out."""

from __future__ import annotations

import base64
import http.client
import re
import secrets
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import urlencode

from seamark.clickhouse.address import Address, Host
from seamark.clickhouse.native import Column, decode_blocks, encode_block, structure
from seamark.clickhouse.parameters import BOUND_FROM, Value, bound_all, to_bytes, with_literals, with_sets
from seamark.store import StoreUnavailableError

TIMEOUT_SECS = 120.0
# A server of pages gives up earlier: nobody waits longer for a chart.
SERVE_TIMEOUT_SECS = 30.0
# A peer that is gone is noticed after idle + count * interval, though a query may take longer.
KEEPALIVE = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}
CONNECT_SECS = 5.0
# Lists of runs are part of statements; the default of 256 KiB suffices for ten thousand.
MAX_STATEMENT_BYTES = 64 << 20
# With external tables the statement is in the address; the default of `http_max_uri_size` was 16 KiB for long.
MAX_ADDRESS_CHARS = 15_000
# Of the replicas of a shard, statements and inserts go to the same one while it answers: another may lack the last
# points for a moment. One that lags behind by more seconds than these, as after an outage, is passed over.
_REPLICAS = {"load_balancing": "in_order", "max_replica_delay_for_distributed_queries": "5"}
# Errors of a cluster that may pass: no shard answers, timeouts, too many parts, memory, no space, read-only replicas.
_PASSING_CODES = frozenset({159, 160, 164, 198, 202, 209, 210, 225, 241, 242, 243, 252, 279, 319, 425})
_CODE = re.compile(r"Code: (\d+)")
_MAX_MESSAGE = 600


Tables = Mapping[str, Mapping[str, Column]]  # columns by the name of the table


class QueryError(RuntimeError):
    """The server rejected a statement."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class StatementTooLongError(ValueError):
    """A statement with external tables is part of the address, whose length servers limit."""


class Client(Protocol):
    """Where statements go. Any thread may call it."""

    @property
    def address(self) -> Address: ...

    @property
    def version(self) -> tuple[int, ...]: ...

    def execute(self, sql: str, *, host: Host | None = None) -> None:
        """Runs a statement without result, on the given host or any."""
        ...

    def select(self, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        """Returns the columns `names`, arrays or lists of bytes, of a SELECT with `{name:Type}` parameters."""
        ...

    def select_from(self, tables: Tables, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        """As `select`, with tables that exist for this statement only. May raise StatementTooLongError."""
        ...

    def insert(self, table: str, columns: Mapping[str, Column]) -> None: ...

    def close(self) -> None: ...


class HttpClient:
    """Keeps a connection per thread. A request that finds no server goes to the next host."""

    def __init__(self, address: Address, *, timeout_secs: float = TIMEOUT_SECS) -> None:
        self.address = address
        self._timeout_secs = timeout_secs
        self._local = threading.local()
        self._version: tuple[int, ...] | None = None
        self._tls = ssl.create_default_context() if address.is_secure else None
        credentials = base64.b64encode(to_bytes(f"{address.user}:{address.password}")).decode()
        self._headers = {"Authorization": f"Basic {credentials}"} if address.user or address.password else {}

    @property
    def version(self) -> tuple[int, ...]:
        if self._version is None:
            text = self._send(b"SELECT version()", {}, with_database=False).decode()
            self._version = tuple(int(part) for part in re.findall(r"\d+", text)[:3])
        return self._version

    def execute(self, sql: str, *, host: Host | None = None) -> None:
        self._send(to_bytes(sql), {}, host=host, with_database=False)

    def select(self, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        statement, query = self._bound(sql, parameters)
        return decode_blocks(self._send(to_bytes(statement), query), names)

    def select_from(self, tables: Tables, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        statement, query = self._bound(sql, parameters)
        query |= {"query": statement, "join_use_nulls": "0"}
        for name, columns in tables.items():
            query |= {f"{name}_format": "Native", f"{name}_structure": structure(columns)}
        if len(_encoded(query)) > MAX_ADDRESS_CHARS:
            raise StatementTooLongError
        body, content_type = encode_form({name: encode_block(columns) for name, columns in tables.items()})
        return decode_blocks(self._send(body, query, content_type=content_type), names)

    def _bound(self, sql: str, parameters: Mapping[str, Value]) -> tuple[str, dict[str, str]]:
        """Returns the statement and the options of the address."""
        query = {"max_query_size": str(MAX_STATEMENT_BYTES), "wait_end_of_query": "1", **_REPLICAS}
        if self.version >= BOUND_FROM:
            # In the address, but sent only to the server; lists of many runs are longer than an address may be.
            sql = with_sets(sql, parameters)
            bound = bound_all(sql, parameters)
            if sum(map(len, bound.values())) < 8192:
                query |= {f"param_{name}": text for name, text in bound.items()}
            else:
                sql = with_literals(sql, parameters)
        else:
            sql = with_literals(sql, parameters)
        return f"{sql} FORMAT Native", query

    def insert(self, table: str, columns: Mapping[str, Column]) -> None:
        statement = f"INSERT INTO {table} ({', '.join(columns)}) FORMAT Native"
        query = {"query": statement, "insert_distributed_sync": "1", **_REPLICAS}
        self._send(encode_block(columns), query)

    def close(self) -> None:
        for connection in self._connections().values():
            connection.close()

    def _connections(self) -> dict[Host, http.client.HTTPConnection]:
        if not hasattr(self._local, "connections"):
            self._local.connections = {}
        found: dict[Host, http.client.HTTPConnection] = self._local.connections
        return found

    def _send(
        self,
        body: bytes,
        query: Mapping[str, str],
        *,
        host: Host | None = None,
        with_database: bool = True,
        content_type: str = "",
    ) -> bytes:
        if with_database:
            query = {**query, "database": self.address.database}
        target = "/?" + _encoded(query)
        headers = {**self._headers, "Content-Type": content_type} if content_type else self._headers
        reasons = []
        for candidate in [host] if host else self.address.hosts:
            # A connection that the server closed meanwhile fails once; every statement may be repeated.
            for _ in range(2):
                try:
                    return self._request(candidate, target, body, headers)
                except (OSError, http.client.HTTPException) as error:
                    self._connections().pop(candidate).close()
                    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                    if isinstance(error, TimeoutError):
                        break  # a second try would take as long
            reasons.append(f"{candidate}: {reason or 'the connection ended'}")
        raise StoreUnavailableError(f"ClickHouse cannot be reached ({'; '.join(reasons)}): '{self.address}'")

    def _request(self, host: Host, target: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        connection = self._connections().get(host) or self._connect(host)
        if connection.sock is None:
            connection.timeout = CONNECT_SECS
            connection.connect()
            sock: Any = connection.sock
            sock.settimeout(self._timeout_secs)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in KEEPALIVE.items():
                if hasattr(socket, name):  # not on every system
                    sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.request("POST", target, body=body, headers=headers)
        response = connection.getresponse()
        data = response.read()
        if response.status != 200:
            raise self._error(response.status, data)
        return data

    def _connect(self, host: Host) -> http.client.HTTPConnection:
        made = (
            http.client.HTTPSConnection(host.name, host.port, context=self._tls)
            if self._tls is not None
            else http.client.HTTPConnection(host.name, host.port)
        )
        self._connections()[host] = made
        return made

    def _error(self, status: int, data: bytes) -> Exception:
        text = " ".join(data.decode("utf-8", "replace").split())[:_MAX_MESSAGE]
        found = _CODE.search(text)
        code = int(found[1]) if found else 0
        if status in (401, 403) or code in (192, 193, 194, 516):
            return StoreUnavailableError(f"ClickHouse rejects this user or password: '{self.address}'")
        if code in (60, 81):
            return StoreUnavailableError(
                f"the database has no tables of Seamark; create them with `seamark store init`: '{self.address}'"
            )
        if "errno: 28," in text or "No space left" in text:
            return StoreUnavailableError(f"the disk of a node is full; ClickHouse cannot insert: '{self.address}'")
        if code in _PASSING_CODES:
            return StoreUnavailableError(f"ClickHouse cannot answer now ({text}): '{self.address}'")
        return QueryError(f"ClickHouse rejects a statement ({text}): '{self.address}'", code)


def encode_form(parts: Mapping[str, bytes]) -> tuple[bytes, str]:
    """Returns the parts as multipart/form-data, and the content type."""
    boundary = secrets.token_hex(16)
    lines: list[bytes] = []
    for name, data in parts.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        lines += [head.encode(), data, b"\r\n"]
    return b"".join([*lines, f"--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"


def _encoded(query: Mapping[str, str]) -> str:
    return urlencode({name: to_bytes(value) for name, value in query.items()})
