"""Markdown to HTML that is safe to put into a page.

What a run logged is never trusted. Its HTML is taken apart and written anew: only the elements and attributes listed
here are written as such, by this module; every other character of markup comes out as text.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from html import escape
from html.parser import HTMLParser
from typing import Any

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
# Browsers skip these when they look for the scheme of an address.
IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Deeper nesting than a person writes; browsers give up far later.
MAX_DEPTH = 100


def markdown_to_html(text: str) -> str:
    """Safe HTML of Markdown with tables and fenced code."""
    return safe_html(_converters.markdown().reset().convert(text.replace("\x00", ""))) if text else ""


@lru_cache(maxsize=4096)
def description_html(text: str) -> str:
    """The same for descriptions, which thousands of series share."""
    return markdown_to_html(text)


def safe_html(text: str) -> str:
    """The same HTML with nothing in it that could act: no scripts, styles, handlers or foreign schemes."""
    writer = _Rewriter()
    writer.feed(text)
    writer.close()
    return writer.result()


class _Rewriter(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ALLOWED or len(self._open) >= MAX_DEPTH:
            self._as_text()
            return
        if tag in BLOCKS and self._open[-1:] == ["p"]:
            self.handle_endtag("p")
        allowed = ATTRIBUTES.get(tag, frozenset())
        kept = [(name, value or "") for name, value in attrs if name in allowed and is_harmless(name, value or "")]
        written = "".join(f' {name}="{escape(value)}"' for name, value in dict(kept).items())
        self._out.append(f"<{tag}{written}>")
        if tag not in VOID:
            self._open.append(tag)
        # The parser would take what follows some elements as raw text up to their end; none of those is allowed.

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in ALLOWED and tag not in VOID and self._open[-1:] == [tag]:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Closes what is open inside as well; an end without a beginning is dropped."""
        if tag not in ALLOWED:
            self._out.append(escape(f"</{tag}>", quote=False))
        elif tag in self._open:
            while (last := self._open.pop()) != tag:
                self._out.append(f"</{last}>")
            self._out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._out.append(escape(data, quote=False))

    def result(self) -> str:
        return "".join(self._out) + "".join(f"</{tag}>" for tag in reversed(self._open))

    def _as_text(self) -> None:
        self._out.append(escape(self.get_starttag_text() or "", quote=False))


def is_harmless(name: str, value: str) -> bool:
    """Addresses keep only schemes that fetch or write mail; an address without a scheme is relative."""
    if name not in ADDRESSES:
        return True
    found = SCHEME.match(IGNORED_IN_ADDRESS.sub("", value))
    return found is None or found[1].lower() in SCHEMES


class _Converters(threading.local):
    """A converter keeps state while it works: each thread has its own."""

    _made: Any = None

    def markdown(self) -> Any:
        if self._made is None:
            from markdown import Markdown  # type: ignore[import-untyped]

            self._made = Markdown(extensions=["tables", "fenced_code"])
        return self._made


_converters = _Converters()
