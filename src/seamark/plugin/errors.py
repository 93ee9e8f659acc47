"""Errors of requests: a sentence for the reader, a stable code for programs, and the HTTP status of each code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

ErrorCode = Literal[
    "bad_request",
    "unknown_parameter",
    "missing_parameter",
    "invalid_parameter",
    "invalid_body",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "timeout",
    "conflict",
    "too_large",
    "invalid_range",
    "undecodable",
    "too_many_requests",
    "internal",
    "not_supported",
    "unavailable",
]
STATUS_BY_CODE: Mapping[ErrorCode, int] = {
    "bad_request": 400,
    "unknown_parameter": 400,
    "missing_parameter": 400,
    "invalid_parameter": 400,
    "invalid_body": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "timeout": 408,
    "conflict": 409,
    "too_large": 413,
    "invalid_range": 416,
    "undecodable": 422,
    "too_many_requests": 429,
    "internal": 500,
    "not_supported": 501,
    "unavailable": 503,
}
assert set(STATUS_BY_CODE) == set(get_args(ErrorCode))
# The general code of each status, for errors that Starlette raises.
CODE_BY_STATUS: Mapping[int, ErrorCode] = {status: code for code, status in reversed(list(STATUS_BY_CODE.items()))}


class RequestError(Exception):
    """The request cannot be answered; the message is one sentence that the client shows.

    `details` are further fields of the JSON error, beside `error` and `code`.
    """

    def __init__(
        self, message: str, *, code: ErrorCode = "bad_request", details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.details = dict(details or {})

    @property
    def status(self) -> int:
        return STATUS_BY_CODE[self.code]


def not_found(message: str) -> RequestError:
    return RequestError(message, code="not_found")


def undecodable(error: Exception) -> RequestError:
    """For logged data that its decoder rejects."""
    return RequestError(f"what the run logged cannot be read: {error}", code="undecodable")
