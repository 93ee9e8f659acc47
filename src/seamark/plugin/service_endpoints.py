"""ServiceEndpoints: endpoints that pass what they got to a service, which the first request makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypedDict, TypeVar, Unpack

import msgspec
from starlette.responses import Response

from seamark.plugin.endpoint import Endpoint, ErrorCase
from seamark.plugin.pools import Pool

ServiceT = TypeVar("ServiceT")
StructT = TypeVar("StructT", bound=msgspec.Struct)


class EndpointOptions(TypedDict, total=False):
    """Fields of Endpoint, with its defaults."""

    response: Any
    media_type: str
    errors: Mapping[int, ErrorCase]
    max_body_bytes: int
    changes: bool
    pool: Pool


@dataclass(frozen=True)
class ServiceEndpoints(Generic[ServiceT]):
    """`errors` are those of every endpoint that does not name others."""

    service: Callable[[], ServiceT]
    errors: Mapping[int, ErrorCase] = field(default_factory=dict)

    def listing(self, path: str, summary: str, call: Callable[[ServiceT], Any], *, response: Any) -> Endpoint:
        """A GET without parameters."""
        return Endpoint(path=path, summary=summary, handler=lambda _: call(self.service()), response=response)

    def get(
        self,
        path: str,
        summary: str,
        call: Callable[[ServiceT, StructT], Any],
        parameters: type[StructT],
        **options: Unpack[EndpointOptions],
    ) -> Endpoint:
        options.setdefault("errors", self.errors)
        return Endpoint(
            path=path,
            summary=summary,
            handler=lambda request: call(self.service(), request.parameters),
            parameters=parameters,
            **options,
        )

    def post(
        self,
        path: str,
        summary: str,
        call: Callable[[ServiceT, StructT], Any],
        body: type[StructT],
        **options: Unpack[EndpointOptions],
    ) -> Endpoint:
        options.setdefault("errors", self.errors)
        return Endpoint(
            path=path,
            method="POST",
            summary=summary,
            handler=lambda request: call(self.service(), request.body),
            body=body,
            **options,
        )

    def upload(
        self,
        summary: str,
        call: Callable[[ServiceT, StructT, Path], Any],
        parameters: type[StructT],
        *,
        response: Any,
        max_body_bytes: int,
    ) -> Endpoint:
        """A file that is dropped on the page, as the body. It is removed after the call, unless that moved it."""
        return Endpoint(
            path="/upload",
            method="POST",
            changes=True,
            summary=summary,
            handler=lambda request: call(self.service(), request.parameters, request.body),
            parameters=parameters,
            body=Path,
            max_body_bytes=max_body_bytes,
            response=response,
            errors={422: ErrorCase("The file cannot be read."), 503: ErrorCase("Too many files are sent at once.")},
        )


def typed_bytes(content: tuple[bytes, str]) -> Response:
    """Bytes whose media type is known only with them."""
    data, media_type = content
    return Response(data, media_type=media_type)
