"""Forms in both encodings that browsers use, and bodies that are not forms."""

from __future__ import annotations

import pytest

from seamark.plugin import RequestError
from seamark.serve.tensorboard.request import form_fields

MULTIPART = "multipart/form-data; boundary=xyz"


def multipart(*fields: tuple[str, str]) -> bytes:
    parts = [f'--xyz\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields]
    return ("".join(parts) + "--xyz--\r\n").encode()


def test_both_encodings_of_a_form_give_the_same_fields() -> None:
    fields = [("tag", "lösš <b>&\r\nx"), ("runs", "a"), ("runs", "b=c&d"), ("runs", "")]
    assert form_fields(multipart(*fields), MULTIPART) == fields
    encoded = b"tag=l%C3%B6s%C5%A1+%3Cb%3E%26%0D%0Ax&runs=a&runs=b%3Dc%26d&runs="
    assert form_fields(encoded, "application/x-www-form-urlencoded") == fields
    assert form_fields(b"", "") == []


def test_names_with_quotes_and_letters_beyond_ascii() -> None:
    body = '--xyz\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="ä\\"b"\r\n\r\nx\r\n--xyz--\r\n'
    assert form_fields(body.encode("latin-1"), MULTIPART)[0][1] == "x"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", MULTIPART),
        (b"--abc\r\n\r\nx", MULTIPART),
        (multipart(("a", "b"))[:-10], MULTIPART),
        (multipart(("a", "b")), "multipart/form-data"),
        (multipart(("a", "b")), "multipart/form-data; boundary=\xff"),
        (b"\xff\xfe", "application/x-www-form-urlencoded"),
        (b"no form at all", ""),
    ],
)
def test_a_body_that_is_not_a_form_is_rejected(body: bytes, content_type: str) -> None:
    with pytest.raises(RequestError, match="not a form") as caught:
        form_fields(body, content_type)
    assert caught.value.code == "invalid_body"


def test_very_long_headers_are_rejected_at_once() -> None:
    header = "Content-Disposition: form-data; " + "; ".join(f'x{n}="\\""' for n in range(100_000))
    with pytest.raises(RequestError, match=r"more than 2,000 bytes|not a form"):
        form_fields(f"--xyz\r\n{header}\r\n\r\nx\r\n--xyz--\r\n".encode(), MULTIPART)
    with pytest.raises(RequestError, match="not a form"):
        form_fields(b"", f"{MULTIPART}; " + "x=y; " * 10_000)
