"""Requests and responses of TensorBoard's routes: parameters, forms, and JSON text as a response."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.responses import Response

from seamark.plugin import ParsedRequest, RequestError, RequestStruct, parse_parameters

MAX_HEADER_BYTES = 2_000
# As TensorBoard sends it: browsers may store the response, but ask before they use it.
HEADERS = {"cache-control": "no-cache"}

Pairs = list[tuple[str, str]]
S = TypeVar("S", bound=msgspec.Struct)
WholeNumber = Annotated[int, Meta(ge=0, le=10**9)]


class TensorBoardParameters(RequestStruct, forbid_unknown_fields=False):
    """Base of the parameters: like TensorBoard, ignores unknown names."""


class SeriesParameters(TensorBoardParameters):
    run: str
    tag: str


def json_text(body: bytes) -> Response:
    """A response with JSON that is text already."""
    return Response(body, media_type="application/json", headers=HEADERS)


def text_response(text: str, media_type: str) -> Response:
    return Response(text.encode("utf-8", "replace"), media_type=media_type, headers=HEADERS)


def binary_response(body: bytes, media_type: str) -> Response:
    # Not as `media_type`: Starlette would add a charset to text.
    return Response(body, headers={**HEADERS, "content-type": media_type})


def parse_form(struct: type[S], request: ParsedRequest[Any, bytes]) -> S:
    """The fields of a form as a struct. Raises RequestError."""
    return parse_parameters(struct, form_fields(request.body, request.http.headers.get("content-type", "")))


def form_fields(body: bytes, content_type: str) -> Pairs:
    """The fields of a form in either of the two encodings that browsers use."""
    if content_type.startswith("multipart/form-data"):
        return multipart_fields(body, content_type)
    try:
        return parse_qsl(body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), errors="strict")
    except ValueError:
        raise not_a_form() from None


def multipart_fields(body: bytes, content_type: str) -> Pairs:
    if len(content_type) > MAX_HEADER_BYTES or not content_type.isascii():
        raise not_a_form()
    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    fields = MultipartFields()
    try:
        parser = MultipartParser(boundary, fields.callbacks())
        parser.write(body)
        parser.finalize()
    except FormParserError:
        raise not_a_form() from None
    if not fields.is_complete:
        raise not_a_form()
    return fields.pairs


class MultipartFields:
    """Collects the fields that a MultipartParser finds."""

    def __init__(self) -> None:
        self.pairs: Pairs = []
        self.is_complete = False
        self._header_name = bytearray()
        self._header_value = bytearray()
        self._name: str | None = None
        self._content = bytearray()

    def callbacks(self) -> Any:
        return {
            "on_part_begin": self._begin_part,
            "on_part_data": lambda data, start, end: self._content.extend(data[start:end]),
            "on_part_end": self._end_part,
            "on_header_begin": self._begin_header,
            "on_header_field": lambda data, start, end: self._extend_header(self._header_name, data[start:end]),
            "on_header_value": lambda data, start, end: self._extend_header(self._header_value, data[start:end]),
            "on_header_end": self._end_header,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        self._name = None
        self._content.clear()

    def _end_part(self) -> None:
        if self._name is not None:
            self.pairs.append((self._name, self._content.decode("utf-8", "replace")))

    def _begin_header(self) -> None:
        self._header_name.clear()
        self._header_value.clear()

    def _extend_header(self, header: bytearray, data: bytes) -> None:
        # Parsing a header takes time that grows with the square of its length.
        if len(header) + len(data) > MAX_HEADER_BYTES:
            raise RequestError(
                f"a field of the form has a header of more than {MAX_HEADER_BYTES:,} bytes", code="invalid_body"
            )
        header.extend(data)

    def _end_header(self) -> None:
        if self._header_name.lower() == b"content-disposition":
            self._name = field_name(bytes(self._header_value))

    def _end(self) -> None:
        self.is_complete = True


@lru_cache(maxsize=64)  # a form with a thousand runs repeats one name
def field_name(content_disposition: bytes) -> str | None:
    name = parse_options_header(content_disposition)[1].get(b"name")
    return None if name is None else name.decode("utf-8", "replace")


def not_a_form() -> RequestError:
    return RequestError("the request body is not a form", code="invalid_body")
