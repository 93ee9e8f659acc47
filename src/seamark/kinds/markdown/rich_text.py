"""Markdown and HTML as the page shows them: with tables, strike-through, code with its language, and formulas.

The page must not send requests to other servers, and links must not lead into this one. So a picture from another
server becomes a link, and a link without a host becomes text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from seamark.format.surrogates import replace_surrogates
from seamark.kinds.markdown.markup import MarkupFilter, format_tag, parse_attributes
from seamark.kinds.markdown.maths import add_maths
from seamark.kinds.markdown.safe_html import SCHEMES, TAGS, new_converter, scheme_of

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from nh3 import Cleaner

CODE_CLASS = re.compile(r"language-[A-Za-z0-9_+#.-]{1,40}|math-(?:inline|display)")
# Pictures that a browser shows without a request. Not SVG, which may refer to other files.
INLINE_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.ASCII)
LINK_REL = "noopener noreferrer"
MARKDOWN_TAGS = TAGS | {"s", "del", "sub", "sup", "kbd"}
# Formatting that HTML may use besides. In Markdown these tags stay text, as in TensorBoard: "List<i>" is readable.
FORMATTING_TAGS = frozenset(
    {"b", "i", "u", "ins", "small", "mark", "q", "cite", "dfn", "abbr", "var", "samp", "span", "div"}
    | {"dl", "dt", "dd", "details", "summary", "figure", "figcaption", "caption", "tfoot"}
)
HTML_TAGS = MARKDOWN_TAGS | FORMATTING_TAGS
# Elements whose content is not text for readers.
HIDDEN_TAGS = frozenset(
    {"script", "style", "template", "title", "iframe", "object", "noscript", "textarea", "select", "svg", "math"}
)
DOCTYPE = re.compile(r"\s*+<!doctype[^<>]*+>", re.IGNORECASE)
# The time to find the end of a link grows with the number of open brackets; a text with more is shown unformatted.
MAX_BRACKETS = 10_000


def rich_html(text: str) -> str:
    """Safe HTML of Markdown."""
    if text.count("[") > MAX_BRACKETS:
        return f"<pre>{escape(text)}</pre>"
    return _cleaned(MarkdownFilter(), _converter().render(text.replace("\x00", "")).rstrip("\n")) if text else ""


def html_fragment(text: str) -> str:
    """Safe HTML of an HTML fragment or document, without Markdown."""
    return _cleaned(HtmlFilter(), DOCTYPE.sub("", text.replace("\x00", ""), count=1).strip())


def _cleaned(markup: MarkupFilter, html: str) -> str:
    return _cleaner().clean(markup.filter(replace_surrogates(html)))


class MarkdownFilter(MarkupFilter):
    """Makes links open in a new tab, and links of pictures on other servers."""

    tags = MARKDOWN_TAGS

    def start_tag(self, name: str, attributes: str) -> str:
        if name not in ("a", "img", "code"):
            return f"<{name}>"
        given = parse_attributes(attributes)
        if name == "a":
            return link(given.get("href", ""), given.get("title", ""))
        if name == "img":
            return picture(given.get("src", ""), given.get("alt", ""))
        return format_tag("code", {"class": given["class"]} if "class" in given else {})


class HtmlFilter(MarkdownFilter):
    """Removes unknown tags but keeps their text; removes hidden elements with their content."""

    tags = HTML_TAGS
    _hidden_in = ""

    def add_text(self, text: str) -> None:
        if not self._hidden_in:
            super().add_text(text)

    def add_tag(self, tag: re.Match[str]) -> None:
        name = tag[2].lower()
        if self._hidden_in:
            if tag[1] and name == self._hidden_in:
                self._hidden_in = ""
        elif name in HIDDEN_TAGS:
            self._hidden_in = "" if tag[1] or tag[3].endswith("/") else name
        elif name in self.tags:
            super().add_tag(tag)


def link(address: str, title: str) -> str:
    if not is_external(address):
        return "<a>"
    titles = {"title": title} if title else {}
    return format_tag("a", {"href": address, **titles, "target": "_blank", "rel": LINK_REL})


def picture(address: str, alt: str) -> str:
    if INLINE_PICTURE.fullmatch(address):
        return format_tag("img", {"src": address, "alt": alt})
    label = escape(f"picture: {alt or address}"[:200])
    return f"{link(address, 'Not loaded: the picture is on another server')}{label}</a>"


def is_external(address: str) -> bool:
    return scheme_of(address) in SCHEMES


def filter_attribute(element: str, name: str, value: str) -> str | None:
    match element, name:
        case "a", "href":
            is_allowed = is_external(value)
        case "img", "src":
            is_allowed = INLINE_PICTURE.fullmatch(value) is not None
        case "code", "class":
            is_allowed = CODE_CLASS.fullmatch(value) is not None
        case _:
            is_allowed = True
    return value if is_allowed else None


@lru_cache(maxsize=1)
def _cleaner() -> Cleaner:
    from nh3 import Cleaner

    return Cleaner(
        tags=set(HTML_TAGS),
        attributes={"a": {"href", "title"}, "img": {"src", "alt"}, "code": {"class"}},
        tag_attribute_values={"a": {"target": {"_blank"}, "rel": {LINK_REL}}},
        attribute_filter=filter_attribute,
        url_schemes={*SCHEMES, "data"},
        link_rel=None,
    )


@lru_cache(maxsize=1)
def _converter() -> MarkdownIt:
    converter = new_converter().enable(["table", "strikethrough"])
    add_maths(converter)
    return converter
