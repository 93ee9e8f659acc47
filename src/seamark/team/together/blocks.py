"""The text of a report: Markdown with blocks for charts, tables and images of chosen runs.

A block is a fenced code block whose language is its kind; its content is YAML:

    ```chart
    runs: [baseline, wide]     # names, or one regular expression
    tags: [loss, val/loss]
    axis: step                 # or relative, wall
    smoothing: 0.6             # TensorBoard's weight, 0 to 1
    ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
import yaml
from markdown_it import MarkdownIt
from msgspec import Meta

MAX_BLOCKS = 100
MAX_NAMES = 200


class ChartBlock(msgspec.Struct, frozen=True, tag="chart", tag_field="kind", forbid_unknown_fields=True):
    runs: list[str] | str
    tags: Annotated[list[str], Meta(min_length=1, max_length=MAX_NAMES)]
    axis: Literal["step", "relative", "wall"] = "step"
    smoothing: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    title: str = ""


class TableBlock(msgspec.Struct, frozen=True, tag="table", tag_field="kind", forbid_unknown_fields=True):
    runs: list[str] | str
    columns: Annotated[list[str], Meta(max_length=MAX_NAMES)] = msgspec.field(default_factory=list)
    title: str = ""


class ImagesBlock(msgspec.Struct, frozen=True, tag="images", tag_field="kind", forbid_unknown_fields=True):
    """`step` None: the last one."""

    runs: list[str] | str
    tags: Annotated[list[str], Meta(min_length=1, max_length=MAX_NAMES)]
    step: int | None = None
    title: str = ""


class TextBlock(msgspec.Struct, frozen=True, tag="text", tag_field="kind"):
    markdown: str


class BrokenBlock(msgspec.Struct, frozen=True, tag="broken", tag_field="kind"):
    """A block that cannot be read: what it says, and why."""

    source: str
    problem: str


Block = ChartBlock | TableBlock | ImagesBlock | TextBlock | BrokenBlock
KINDS: dict[str, type[ChartBlock] | type[TableBlock] | type[ImagesBlock]] = {
    "chart": ChartBlock,
    "table": TableBlock,
    "images": ImagesBlock,
}


def parse_report(body: str) -> list[Block]:
    """The blocks in order. Nothing is raised: a block that cannot be read says so where it stands."""
    return list(_blocks(body))


def _blocks(body: str) -> Iterator[Block]:
    lines = body.splitlines(keepends=True)
    position = 0
    for number, (start, stop, kind, content) in enumerate(_fences(body)):
        text = "".join(lines[position:start])
        if text.strip():
            yield TextBlock(text)
        position = stop
        if number >= MAX_BLOCKS:
            yield BrokenBlock(content, f"a report has at most {MAX_BLOCKS} charts, tables and images")
        else:
            yield parse_block(kind, content)
    text = "".join(lines[position:])
    if text.strip():
        yield TextBlock(text)


def _fences(body: str) -> Iterator[tuple[int, int, str, str]]:
    """First line, line behind the last, kind and content of each block. Only outside of lists and quotes."""
    for token in MarkdownIt("commonmark").parse(body):
        if token.type == "fence" and token.level == 0 and token.info.strip() in KINDS and token.map:
            yield token.map[0], token.map[1], token.info.strip(), token.content


def parse_block(kind: str, content: str) -> Block:
    try:
        given = yaml.safe_load(content)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return BrokenBlock(content, f"this is not YAML ({str(error).splitlines()[0]})")
    if not isinstance(given, dict):
        return BrokenBlock(content, "want fields as in runs: [a, b]")
    # One tag may stand without brackets.
    for name in ("tags", "columns"):
        if isinstance(given.get(name), str):
            given[name] = [given[name]]
    try:
        return msgspec.convert({**given, "kind": kind}, KINDS[kind])
    except (msgspec.ValidationError, TypeError) as error:
        return BrokenBlock(content, str(error))
