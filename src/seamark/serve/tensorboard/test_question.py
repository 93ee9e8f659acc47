"""Forms in both shapes a browser sends, and bodies that are none."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message

from seamark.serve.tensorboard.question import Question, RefusalError, as_json, form_fields, route

MULTIPART = "multipart/form-data; boundary=xyz"


def multipart(*fields: tuple[str, str]) -> bytes:
    parts = [f'--xyz\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields]
    return ("".join(parts) + "--xyz--\r\n").encode()


def test_both_kinds_of_form_mean_the_same() -> None:
    fields = [("tag", "lösš <b>&\r\nx"), ("runs", "a"), ("runs", "b=c&d"), ("runs", "")]
    assert form_fields(multipart(*fields), MULTIPART) == fields
    encoded = b"tag=l%C3%B6s%C5%A1+%3Cb%3E%26%0D%0Ax&runs=a&runs=b%3Dc%26d&runs="
    assert form_fields(encoded, "application/x-www-form-urlencoded") == fields
    assert form_fields(b"", "") == []


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", MULTIPART),
        (b"--abc\r\n\r\nx", MULTIPART),
        (multipart(("a", "b")), "multipart/form-data"),
        (multipart(("a", "b")), "multipart/form-data; boundary=\xff"),
        (b"\xff\xfe", "application/x-www-form-urlencoded"),
        (b"no form at all", ""),
    ],
)
def test_what_is_no_form_is_refused(body: bytes, content_type: str) -> None:
    with pytest.raises(RefusalError, match="not a form"):
        form_fields(body, content_type)


def test_parameters() -> None:
    question = Question("GET", [("run", "a"), ("run", "b"), ("sample", "2"), ("bad", "-1"), ("odd", "²")])
    assert question.text("run") == "a"
    assert question.texts("run") == ["a", "b"]
    assert question.number("sample", 0) == 2
    assert question.number("none", 7) == 7
    with pytest.raises(RefusalError, match="'tag' is required"):
        question.text("tag")
    for name in ("bad", "odd", "run"):
        with pytest.raises(RefusalError, match=f"'{name}' is a whole number"):
            question.number(name, 0)


def test_a_field_whose_header_is_very_long_is_refused_at_once() -> None:
    header = "Content-Disposition: form-data; " + "; ".join(f'x{n}="\\""' for n in range(100_000))
    with pytest.raises(RefusalError, match="more than 2,000 characters"):
        form_fields(f"--xyz\r\n{header}\r\n\r\nx\r\n--xyz--\r\n".encode(), MULTIPART)
    with pytest.raises(RefusalError, match="not a form"):
        form_fields(b"", f"{MULTIPART}; " + "x=y; " * 10_000)


def test_a_request_that_is_taken_back_is_no_failure() -> None:
    asked: list[Question] = []
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    given = route("/x", lambda question: as_json(asked.append(question)), methods=["POST"])
    scope = {"type": "http", "method": "POST", "path": "/x", "headers": [], "query_string": b""}
    asyncio.run(given.app(scope, receive, send))
    assert asked == []
    assert sent[0]["status"] == 400
