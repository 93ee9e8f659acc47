"""/api/markdown: what people write about runs, as HTML that is safe to show."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from seamark.kinds.rich_text import rich_html
from seamark.serve.answers import BadRequestError, as_json
from seamark.serve.endpoint import TEXT, Asked, Endpoint, object_of
from seamark.serve.series_query import json_object, read_body

# A note of a run is a page or two; converting takes time that grows with the text.
MAX_CHARACTERS = 100_000


def markdown_endpoints() -> list[Endpoint]:
    async def convert(asked: Asked) -> Response:
        given = json_object(await read_body(asked.request))
        text = given.pop("text", None)
        if not isinstance(text, str) or given:
            raise BadRequestError('want {"text": "some Markdown"} and nothing else')
        if len(text) > MAX_CHARACTERS:
            raise BadRequestError(f"the text has {len(text):,} characters, {MAX_CHARACTERS:,} are the most")
        return as_json({"html": await run_in_threadpool(rich_html, text)})

    return [
        Endpoint(
            path="/markdown",
            method="POST",
            stream=convert,
            body=object_of({"text": TEXT}),
            schema=object_of({"html": TEXT}),
            summary="Markdown as safe HTML, for notes.",
        )
    ]
