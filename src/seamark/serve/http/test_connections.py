"""Connections without a request are closed, others are not."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

from seamark.serve.http.connections import HEADER_TIMEOUT_SECS, SHORT_TIMEOUT_SECS, IdleConnections

DONE, WORKING = SimpleNamespace(response_complete=True), SimpleNamespace(response_complete=False)


@dataclass(eq=False)
class Transport:
    is_closed: bool = False

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed


@dataclass(eq=False)
class Connection:
    cycle: SimpleNamespace | None = None
    transport: Transport = field(default_factory=Transport)


def test_an_incomplete_request_is_closed_after_the_timeout() -> None:
    waiting, done, working = Connection(), Connection(DONE), Connection(WORKING)
    idle = IdleConnections(max_connections=10)
    for now in (0.0, HEADER_TIMEOUT_SECS - 0.1):
        idle.close_idle([waiting, done, working], now)
        assert not waiting.transport.is_closed
    idle.close_idle([waiting, done, working], HEADER_TIMEOUT_SECS)
    assert [one.transport.is_closed for one in (waiting, done, working)] == [True, True, False]


def test_a_request_restarts_the_timeout() -> None:
    one = Connection()
    idle = IdleConnections(max_connections=10)
    idle.close_idle([one], 0.0)
    one.cycle = WORKING
    idle.close_idle([one], 5.0)
    one.cycle = DONE
    idle.close_idle([one], HEADER_TIMEOUT_SECS)
    assert not one.transport.is_closed


def test_the_timeout_is_short_with_many_connections() -> None:
    crowd = [Connection() for _ in range(11)]
    idle = IdleConnections(max_connections=10)
    idle.close_idle(crowd, 0.0)
    idle.close_idle(crowd, SHORT_TIMEOUT_SECS)
    assert all(one.transport.is_closed for one in crowd)


def test_half_a_body_is_closed_with_many_connections_only() -> None:
    half = SimpleNamespace(response_complete=False, response_started=False, more_body=True)
    answered = SimpleNamespace(response_complete=False, response_started=True, more_body=True)
    for max_connections, want in ((10, [False, False, False]), (2, [True, False, False])):
        connections = [Connection(half), Connection(answered), Connection(WORKING)]
        idle = IdleConnections(max_connections=max_connections)
        idle.close_idle(connections, 0.0)
        idle.close_idle(connections, HEADER_TIMEOUT_SECS)
        assert [one.transport.is_closed for one in connections] == want


def test_new_connections_take_the_place_of_the_one_that_is_idle_longest() -> None:
    working, old, young, newest = Connection(WORKING), Connection(), Connection(), Connection()
    idle = IdleConnections(max_connections=2)
    idle.close_idle([old], 0.0)
    idle.close_idle([old, young], 0.5)
    everybody = [young, working, old]
    idle.make_room(everybody, old)
    assert not any(one.transport.is_closed for one in everybody)
    everybody.append(newest)
    idle.make_room(everybody, newest)
    idle.make_room(everybody, newest)  # closed connections are listed until the loop has closed them
    assert [one for one in everybody if one.transport.is_closed] == [old]


def test_a_new_connection_is_dropped_if_all_others_are_answered() -> None:
    everybody = [*(Connection(WORKING) for _ in range(3)), Connection()]
    IdleConnections(max_connections=2).make_room(everybody, everybody[-1])
    assert [one for one in everybody if one.transport.is_closed] == everybody[-1:]
