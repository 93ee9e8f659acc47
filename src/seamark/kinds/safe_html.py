"""Markdown to HTML that is safe to put into a page.

What a run logged is never trusted. Its HTML is taken apart and written anew: only the elements and attributes listed
here are written as such, by this module; every other character of markup comes out as text. Both steps take time in
proportion to the text: the usual parsers take seconds for a few kilobytes that were made to stop them.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

ATTRIBUTES: dict[str, frozenset[str]] = {
    "a": frozenset({"href", "title"}),
    "img": frozenset({"src", "title", "alt"}),
}
VOID = frozenset({"br", "hr", "img"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
TABLE = frozenset({"table", "thead", "tbody", "tr", "th", "td"})
BLOCKS = HEADINGS | TABLE | {"p", "pre", "blockquote", "ul", "ol", "li", "hr"}
ALLOWED = BLOCKS | {"code", "br", "strong", "em", "a", "img"}
ADDRESSES = frozenset({"href", "src"})
SCHEMES = frozenset({"http", "https", "mailto"})

# No tag reaches over the next "<", and nothing that was matched is given back: each character is looked at once.
TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9]*+)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>""")
ATTRIBUTE = re.compile(r"""(?<![^\s/])([A-Za-z]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'=<>`]++))""")
# Browsers skip these when they look for the scheme of an address.
IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):")
TAB_COLUMNS = 4
EM_AROUND_STRONG = re.compile(r"<em><strong>([^<]*+)</strong></em>")
# Deeper nesting than a person writes; browsers give up far later.
MAX_DEPTH = 100


def markdown_to_html(text: str) -> str:
    """Safe HTML of Markdown with tables and fenced code. As in TensorBoard's, tabs are spaces and strong is outside."""
    if not text:
        return ""
    html = _converter().render(text.replace("\x00", "").expandtabs(TAB_COLUMNS)).rstrip("\n")
    return safe_html(EM_AROUND_STRONG.sub(r"<strong><em>\1</em></strong>", html))


@lru_cache(maxsize=4096)
def description_html(text: str) -> str:
    """The same for descriptions, which thousands of series share."""
    return markdown_to_html(text)


def safe_html(text: str) -> str:
    """The same HTML with nothing in it that could act: no scripts, styles, handlers or foreign schemes."""
    return write_anew(text, Writer())


def write_anew(text: str, writer: Writer) -> str:
    at, has_comments = 0, True
    while (start := text.find("<", at)) >= 0:
        writer.text(text[at:start])
        if has_comments and text.startswith("<!--", start):
            end = text.find("-->", start + 4)
            if end >= 0:
                at = end + 3
                continue
            has_comments = False
        tag = TAG.match(text, start)
        if tag is None:
            writer.text("<")
            at = start + 1
        else:
            writer.tag(tag)
            at = tag.end()
    writer.text(text[at:])
    return writer.result()


class Writer:
    """Takes text and tags in order and writes what is allowed of them. The page's own flavour overrides parts of it."""

    allowed: frozenset[str] = ALLOWED

    def __init__(self) -> None:
        self._out: list[str] = []
        self._open: list[str] = []

    def text(self, text: str) -> None:
        # What is escaped already stays as it is, what is not becomes so.
        self._out.append(escape(unescape(text), quote=False))

    def tag(self, found: re.Match[str]) -> None:
        name = found[2].lower()
        if name not in self.allowed:
            self.text(found[0])
        elif found[1]:
            self._end(name)
        else:
            self._begin(name, found[3])

    def opening(self, name: str, attributes: str) -> str:
        return f"<{name}{written(name, attributes)}>"

    def result(self) -> str:
        return "".join(self._out) + "".join(f"</{name}>" for name in reversed(self._open))

    def _begin(self, name: str, attributes: str) -> None:
        if len(self._open) >= MAX_DEPTH:
            return
        if name in BLOCKS and self._open[-1:] == ["p"]:
            self._end("p")
        self._out.append(self.opening(name, attributes))
        if name not in VOID:
            self._open.append(name)

    def _end(self, name: str) -> None:
        """Closes what is open inside as well; an end without a beginning is dropped."""
        if name in self._open:
            while (last := self._open.pop()) != name:
                self._out.append(f"</{last}>")
            self._out.append(f"</{name}>")


def written(element: str, attributes: str) -> str:
    """The attributes that an element may have; of one given twice the first counts, as in browsers."""
    allowed = ATTRIBUTES.get(element)
    if allowed is None:
        return ""
    kept: dict[str, str] = {}
    for name, value in given_in(attributes):
        if name in allowed and is_harmless(name, value):
            kept.setdefault(name, value)
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())


def given_in(attributes: str) -> Iterator[tuple[str, str]]:
    for found in ATTRIBUTE.finditer(attributes):
        yield found[1].lower(), unescape(found[2] or found[3] or found[4] or "")


def is_harmless(name: str, value: str) -> bool:
    """Addresses keep only schemes that fetch or write mail; an address without a scheme is relative."""
    if name not in ADDRESSES:
        return True
    found = SCHEME.match(IGNORED_IN_ADDRESS.sub("", value))
    return found is None or found[1].lower() in SCHEMES


_warming = threading.Lock()


def new_converter() -> MarkdownIt:
    """Of CommonMark with HTML in it, which `write_anew` makes safe. Ready for many threads."""
    from markdown_it import MarkdownIt

    converter = MarkdownIt("commonmark", {"html": True})
    with _warming:
        # The tables for addresses are filled when first used, and a second thread would find them half full.
        converter.normalizeLinkText(converter.normalizeLink("https://a/%20"))
    return converter


@lru_cache(maxsize=1)
def _converter() -> MarkdownIt:
    """Puts a nested list right behind its item's text, as TensorBoard's converter does."""
    converter = new_converter().enable("table")
    for name in ("bullet_list_open", "ordered_list_open"):
        converter.add_render_rule(name, _render_list)
    return converter


def _render_list(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return renderer.renderToken(tokens, index, options, env).lstrip("\n")
