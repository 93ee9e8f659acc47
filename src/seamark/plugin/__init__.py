"""The public interface for dashboards: Dashboard, and the request and response layer that every route uses."""

from __future__ import annotations

from msgspec import Meta

from seamark.format.types import RunName, Tag
from seamark.plugin.dashboard import Context, Dashboard, Found, ModelOptions, find_dashboards
from seamark.plugin.endpoint import Endpoint, ErrorCase, as_routes
from seamark.plugin.errors import ErrorCode, RequestError, not_found, undecodable
from seamark.plugin.parameters import RunParameter, TagParameter
from seamark.plugin.pools import Pool, WorkerPools
from seamark.plugin.request import (
    NoParameters,
    ParsedRequest,
    RequestStruct,
    ResponseStruct,
    parse_body,
    parse_parameters,
    read_body,
)
from seamark.plugin.response import (
    IMMUTABLE,
    NO_STORE,
    REVALIDATE,
    ErrorResponse,
    error_response,
    etag_json_response,
    etag_response,
    has_etag,
    json_bytes,
    json_response,
    json_safe,
    make_etag,
)

__all__ = [
    "IMMUTABLE",
    "NO_STORE",
    "REVALIDATE",
    "Context",
    "Dashboard",
    "Endpoint",
    "ErrorCase",
    "ErrorCode",
    "ErrorResponse",
    "Found",
    "Meta",
    "ModelOptions",
    "NoParameters",
    "ParsedRequest",
    "Pool",
    "RequestError",
    "RequestStruct",
    "ResponseStruct",
    "RunName",
    "RunParameter",
    "Tag",
    "TagParameter",
    "WorkerPools",
    "as_routes",
    "error_response",
    "etag_json_response",
    "etag_response",
    "find_dashboards",
    "has_etag",
    "json_bytes",
    "json_response",
    "json_safe",
    "make_etag",
    "not_found",
    "parse_body",
    "parse_parameters",
    "read_body",
    "undecodable",
]
