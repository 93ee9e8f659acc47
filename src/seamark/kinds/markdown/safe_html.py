"""Markdown to safe HTML as in TensorBoard: the same elements, and unknown tags shown as text.

Log directories come from anywhere, so every piece of HTML from them passes through nh3.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from seamark.kinds.markdown.markup import MarkupFilter

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict
    from nh3 import Cleaner

ATTRIBUTES: dict[str, set[str]] = {"a": {"href", "title"}, "img": {"src", "title", "alt"}}
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
TABLE = frozenset({"table", "thead", "tbody", "tr", "th", "td"})
TAGS = HEADINGS | TABLE | {"p", "pre", "blockquote", "ul", "ol", "li", "hr", "code", "br", "strong", "em", "a", "img"}
SCHEMES = frozenset({"http", "https", "mailto"})

# Browsers skip these characters before and in the scheme of an address.
IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):")
TAB_COLUMNS = 4
EM_AROUND_STRONG = re.compile(r"<em><strong>([^<]*+)</strong></em>")


def markdown_to_html(text: str) -> str:
    """Safe HTML of Markdown with tables and fenced code. Tabs and nested emphasis are as in TensorBoard."""
    if not text:
        return ""
    html = _converter().render(text.replace("\x00", "").expandtabs(TAB_COLUMNS)).rstrip("\n")
    return safe_html(EM_AROUND_STRONG.sub(r"<strong><em>\1</em></strong>", html))


@lru_cache(maxsize=4096)
def description_html(text: str) -> str:
    """`markdown_to_html` for descriptions, which thousands of series share."""
    return markdown_to_html(text)


def safe_html(html: str) -> str:
    """The HTML without scripts, styles, event handlers and addresses of other schemes."""
    return _cleaner().clean(_TensorBoardFilter().filter(html))


class _TensorBoardFilter(MarkupFilter):
    tags = TAGS

    def start_tag(self, name: str, attributes: str) -> str:
        return f"<{name}{attributes}>" if name in ATTRIBUTES else f"<{name}>"


def scheme_of(address: str) -> str | None:
    """The scheme as a browser sees it, in lower case; None for a relative address."""
    found = SCHEME.match(IGNORED_IN_ADDRESS.sub("", address))
    return found[1].lower() if found else None


def filter_attribute(_element: str, name: str, value: str) -> str | None:
    is_address = name in ("href", "src")
    return value if not is_address or scheme_of(value) in (None, *SCHEMES) else None


@lru_cache(maxsize=1)
def _cleaner() -> Cleaner:
    from nh3 import Cleaner

    return Cleaner(
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        attribute_filter=filter_attribute,
        url_schemes=set(SCHEMES),
        link_rel=None,
    )


_setup_lock = threading.Lock()


def new_converter() -> MarkdownIt:
    """A converter of CommonMark that passes HTML through. It may be used by several threads."""
    from markdown_it import MarkdownIt

    converter = MarkdownIt("commonmark", {"html": True})
    with _setup_lock:
        # markdown-it fills its tables for addresses on first use; a second thread would see them incomplete.
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
