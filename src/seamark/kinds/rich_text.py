"""Markdown as the page shows it: GitHub's tables and strike-through, code with its language, maths between dollars.

The HTML is safe by the same writer as TensorBoard's routes use. It differs in what leads out of the page: a picture
from elsewhere is a link, not a request, and a link without a host is text, since it would lead into this server.
Formulas come as <code class="math-inline"> with the TeX as text; the page typesets them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from seamark.kinds.safe_html import (
    ALLOWED,
    IGNORED_IN_ADDRESS,
    SCHEME,
    SCHEMES,
    Writer,
    given_in,
    new_converter,
    write_anew,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

CLASS_FORM = re.compile(r"language-[A-Za-z0-9_+#.-]{1,40}|math-(?:inline|display)")
# Pictures that a browser draws without asking anybody. SVG is not among them: it may name others.
PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.ASCII)
# Longer than any formula; a lone opening dollar is given up after so many characters.
MAX_FORMULA = 4000


# Looking for the end of a link takes the longer the more brackets are open: beyond so many the text is shown as it is.
MAX_BRACKETS = 10_000


def rich_html(text: str) -> str:
    """Safe HTML of Markdown, for the page."""
    if text.count("[") > MAX_BRACKETS:
        return f"<pre>{escape(text)}</pre>"
    return write_anew(_converter().render(text.replace("\x00", "")).rstrip("\n"), RichWriter()) if text else ""


class RichWriter(Writer):
    allowed = ALLOWED | {"s", "del", "sub", "sup", "kbd"}

    def opening(self, name: str, attributes: str) -> str:
        if name not in ("a", "img", "code"):
            return f"<{name}>"
        given = dict(reversed(list(given_in(attributes))))  # of one given twice the first counts
        if name == "a":
            return link(given.get("href", ""), given.get("title", ""))
        if name == "img":
            return picture(given.get("src", ""), given.get("alt", ""))
        kind = given.get("class", "")
        return f'<code class="{kind}">' if CLASS_FORM.fullmatch(kind) else "<code>"


# Formatting without attributes: no landmarks, forms, frames or foreign content. In Markdown these stay text, as in
# TensorBoard: a text that speaks of List<i> is to be read as it is.
FORMATTING = frozenset(
    {"b", "i", "u", "ins", "small", "mark", "q", "cite", "dfn", "abbr", "var", "samp", "span", "div"}
)
FORMATTING |= {"dl", "dt", "dd", "details", "summary", "figure", "figcaption", "caption", "tfoot"}
# What is inside these is not for readers.
HIDDEN = frozenset({"script", "style", "template", "title", "iframe", "object", "noscript", "textarea", "select"})
HIDDEN |= {"svg", "math"}
DOCTYPE = re.compile(r"\s*+<!doctype[^<>]*+>", re.IGNORECASE)


def html_fragment(text: str) -> str:
    """Safe HTML of HTML, a fragment or a document: what may be shown of it, without Markdown."""
    return write_anew(DOCTYPE.sub("", text.replace("\x00", ""), count=1).strip(), HtmlWriter())


class HtmlWriter(RichWriter):
    """Where all is HTML, an element that is not allowed is left out and its text stays; of hidden ones both go."""

    allowed = RichWriter.allowed | FORMATTING
    _hidden_in = ""

    def text(self, text: str) -> None:
        if not self._hidden_in:
            super().text(text)

    def tag(self, found: re.Match[str]) -> None:
        name = found[2].lower()
        if self._hidden_in:
            if found[1] and name == self._hidden_in:
                self._hidden_in = ""
        elif name in HIDDEN:
            self._hidden_in = "" if found[1] or found[3].endswith("/") else name
        elif name in self.allowed:
            super().tag(found)


def link(address: str, title: str) -> str:
    if not is_elsewhere(address):
        return "<a>"
    told = f' title="{escape(title)}"' if title else ""
    return f'<a href="{escape(address)}"{told} target="_blank" rel="noopener noreferrer">'


def picture(address: str, words: str) -> str:
    if PICTURE.fullmatch(address):
        return f'<img src="{escape(address)}" alt="{escape(words)}">'
    shown = escape(f"picture: {words or address}"[:200])
    return f"{link(address, 'Not loaded: it lies on another server')}{shown}</a>"


def is_elsewhere(address: str) -> bool:
    found = SCHEME.match(IGNORED_IN_ADDRESS.sub("", address))
    return found is not None and found[1].lower() in SCHEMES


def inline_maths(state: StateInline, silent: bool) -> bool:
    r"""$x$, $$x$$, \(x\) and \[x\]. As on GitHub a single dollar opens before a character and closes after one."""
    source, at = state.src, state.pos
    found = next((pair for pair in PAIRS if source.startswith(pair[0], at)), None)
    if found is None:
        return False
    opening, closing, kind = found
    start = at + len(opening)
    end = source.find(closing, start, min(state.posMax, start + MAX_FORMULA))
    if end <= start or not source[start:end].strip():
        return False
    if opening == "$" and not is_between_dollars(source, start, end):
        return False
    if not silent:
        push_formula(state, source[start:end], kind)
    state.pos = end + len(closing)
    return True


PAIRS = (
    ("$$", "$$", "math-display"),
    ("$", "$", "math-inline"),
    ("\\[", "\\]", "math-display"),
    ("\\(", "\\)", "math-inline"),
)


def is_between_dollars(source: str, start: int, end: int) -> bool:
    """So that "from $5 to $6" stays prose."""
    return not (
        source[start].isspace()
        or source[end - 1].isspace()
        or source[end - 1] == "\\"
        or source[end + 1 : end + 2].isdigit()
        or source[start - 2 : start - 1].isalnum()
        or "`" in source[start:end]
    )


def push_formula(state: StateInline, tex: str, kind: str) -> None:
    token = state.push("math", "code", 0)
    token.content = tex
    token.meta = {"class": kind}


def block_maths(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """$$ at the start of a line up to $$ at the end of one: inside it, nothing else is Markdown."""
    begin = state.bMarks[start_line] + state.tShift[start_line]
    if not state.src.startswith("$$", begin):
        return False
    end = state.src.find("$$", begin + 2, min(state.eMarks[end_line - 1], begin + MAX_FORMULA))
    if end < 0:
        return False
    last = next(line for line in range(start_line, end_line) if state.eMarks[line] >= end)
    if state.src[end + 2 : state.eMarks[last]].strip() or not state.src[begin + 2 : end].strip():
        return False
    if not silent:
        token = state.push("math", "code", 0)
        token.block = True
        token.content = state.src[begin + 2 : end]
        token.meta = {"class": "math-display"}
        token.map = [start_line, last + 1]
        state.line = last + 1
    return True


@lru_cache(maxsize=1)
def _converter() -> MarkdownIt:
    converter = new_converter().enable(["table", "strikethrough"])
    converter.inline.ruler.before("escape", "math", inline_maths)
    converter.block.ruler.before("fence", "math", block_maths, {"alt": ["paragraph", "blockquote", "list"]})
    converter.add_render_rule("math", _render_formula)
    return converter


def _render_formula(_: object, tokens: Sequence[Token], index: int, _options: object, _env: object) -> str:
    token = tokens[index]
    html = f'<code class="{token.meta["class"]}">{escape(token.content.strip())}</code>'
    return f"<p>{html}</p>\n" if token.block else html
