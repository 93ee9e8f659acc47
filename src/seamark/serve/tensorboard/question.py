"""From an HTTP request to a question, from an answer or a refusal to an HTTP response."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesFeedParser
from email.policy import compat32
from functools import cached_property
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from seamark import plugin
from seamark.kinds import DecodeError
from seamark.serve.answers import json_bytes
from seamark.store import PayloadGoneError, UnknownSeriesError

# A form that names ten thousand runs with long names stays well below.
MAX_BODY_BYTES = 16 << 20
MAX_HEADER = 2_000

Pairs = list[tuple[str, str]]


class RefusalError(Exception):
    """The question cannot be answered; the message is a sentence for the one who asked."""

    def __init__(self, message: str, *, status_code: int = 400) -> None:
        super().__init__(message)
        self.status_code = status_code


def not_found(message: str) -> RefusalError:
    return RefusalError(message, status_code=404)


@dataclass(frozen=True)
class Question:
    """What was asked: the parameters of the address, and the body of a POST."""

    method: str
    pairs: Pairs
    body: bytes = b""
    content_type: str = ""
    root_path: str = ""  # of the routes below /data, as the browser writes it

    def optional(self, name: str) -> str | None:
        return next((value for key, value in self.pairs if key == name), None)

    def text(self, name: str) -> str:
        value = self.optional(name)
        if value is None:
            raise RefusalError(f"the parameter '{name}' is required")
        return value

    def texts(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]

    def number(self, name: str, default: int) -> int:
        """A whole number of 0 or more."""
        value = self.optional(name)
        if value is None:
            return default
        if not (value.isascii() and value.isdigit() and len(value) <= 9):
            raise RefusalError(f"the parameter '{name}' is a whole number of 0 or more, got '{value}'")
        return int(value)

    @cached_property
    def form(self) -> Pairs:
        """The fields of a form, in either of the two ways a browser sends one."""
        return form_fields(self.body, self.content_type)

    def form_texts(self, name: str) -> list[str]:
        return [value for key, value in self.form if key == name]


Answerer = Callable[[Question], Response]


def route(path: str, answerer: Answerer, *, methods: Iterable[str] = ("GET",)) -> Route:
    """A route whose answer is worked out in a thread: the store may have to read files."""

    async def endpoint(request: Request) -> Response:
        try:
            body = await read_body(request) if request.method == "POST" else b""
            question = Question(
                request.method,
                request.query_params.multi_items(),
                body,
                request.headers.get("content-type", ""),
                request.scope.get("root_path", ""),
            )
            return await run_in_threadpool(answered, answerer, question)
        except RefusalError as refusal:
            return as_text(str(refusal), status_code=refusal.status_code)
        except ClientDisconnect:
            # A page that was left takes its requests back; nobody reads this.
            return as_text("the request ended early", status_code=400)

    return Route(path, endpoint, methods=list(methods), name=path.strip("/"))


def answered(answerer: Answerer, question: Question) -> Response:
    """What the store cannot answer is the same everywhere: no such series, or an event file that changed meanwhile."""
    try:
        return answerer(question)
    except (UnknownSeriesError, PayloadGoneError) as error:
        raise not_found(str(error)) from error
    except OSError as error:
        raise not_found(f"a file cannot be read any more: {error.strerror or type(error).__name__}") from error
    except DecodeError as error:
        raise RefusalError(f"what the run logged cannot be read: {error}", status_code=422) from error


async def read_body(request: Request) -> bytes:
    try:
        return await plugin.read_body(request, max_bytes=MAX_BODY_BYTES)
    except plugin.BodyError as error:
        raise RefusalError(str(error), status_code=413) from None


def form_fields(body: bytes, content_type: str) -> Pairs:
    if content_type.startswith("multipart/form-data"):
        return multipart_fields(body, content_type)
    try:
        return parse_qsl(body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), errors="strict")
    except ValueError as error:
        raise RefusalError("the request is not a form") from error


def multipart_fields(body: bytes, content_type: str) -> Pairs:
    """Multipart forms are built like mail with attachments, and the standard library reads mail."""
    if not content_type.isascii() or "\n" in content_type or "\r" in content_type or len(content_type) > MAX_HEADER:
        raise RefusalError("the request is not a form")
    parser = BytesFeedParser(policy=compat32)
    parser.feed(b"Content-Type: " + content_type.encode("ascii") + b"\r\n\r\n")
    parser.feed(body)
    message = parser.close()
    if not message.is_multipart() or message.defects:
        raise RefusalError("the request is not a form")
    parts = message.get_payload()
    fields = []
    for part in parts if isinstance(parts, list) else []:
        if not isinstance(part, Message):
            continue
        # Taking a header apart takes time that grows with the square of its length.
        if len(part.get("content-disposition", "")) > MAX_HEADER:
            raise RefusalError(f"a field of the form has a name of more than {MAX_HEADER:,} characters")
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            fields.append((name, payload.decode("utf-8", "replace")))
    return fields


def as_json(content: object) -> Response:
    return answer(json_bytes(content), "application/json")


def as_text(text: str, media_type: str = "text/plain", *, status_code: int = 200) -> Response:
    # Surrogates cannot be sent; they come only from a question that held them.
    return answer(text.encode("utf-8", "replace"), f"{media_type}; charset=utf-8", status_code=status_code)


def answer(
    body: bytes, media_type: str, *, status_code: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(body, status_code, {"cache-control": "no-cache", **(headers or {}), "content-type": media_type})
