"""/api/markdown: Markdown of notes as HTML that is safe to show."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from seamark.kinds.markdown.rich_text import rich_html
from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestStruct, ResponseStruct

# A note is a page or two; the time to convert grows with the text.
MAX_CHARACTERS = 100_000


class MarkdownBody(RequestStruct):
    text: Annotated[str, Meta(max_length=MAX_CHARACTERS)]


class MarkdownResponse(ResponseStruct):
    html: str


def markdown_endpoints() -> list[Endpoint]:
    def convert(request: ParsedRequest[NoParameters, MarkdownBody]) -> MarkdownResponse:
        return MarkdownResponse(html=rich_html(request.body.text))

    return [
        Endpoint(
            path="/markdown",
            method="POST",
            summary="Markdown as safe HTML, for notes.",
            handler=convert,
        )
    ]
