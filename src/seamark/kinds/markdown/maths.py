"""Formulas in Markdown: `$x$`, `$$x$$`, `\\(x\\)` and `\\[x\\]`, as rules for markdown-it.

A formula becomes `<code class="math-inline">` or `<code class="math-display">` with the TeX as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# Longer than any formula: the search for a closing dollar stops after as many characters.
MAX_FORMULA_CHARS = 4000
DELIMITERS = (
    ("$$", "$$", "math-display"),
    ("$", "$", "math-inline"),
    ("\\[", "\\]", "math-display"),
    ("\\(", "\\)", "math-inline"),
)


def add_maths(converter: MarkdownIt) -> None:
    converter.inline.ruler.before("escape", "math", inline_maths)
    converter.block.ruler.before("fence", "math", block_maths, {"alt": ["paragraph", "blockquote", "list"]})
    converter.add_render_rule("math", _render_formula)


def inline_maths(state: StateInline, silent: bool) -> bool:
    """As on GitHub, a single dollar opens a formula before a character and closes it after one."""
    source, at = state.src, state.pos
    found = next((pair for pair in DELIMITERS if source.startswith(pair[0], at)), None)
    if found is None:
        return False
    opening, closing, css_class = found
    start = at + len(opening)
    end = source.find(closing, start, min(state.posMax, start + MAX_FORMULA_CHARS))
    if end <= start or not source[start:end].strip():
        return False
    if opening == "$" and not is_between_dollars(source, start, end):
        return False
    if not silent:
        push_formula(state, source[start:end], css_class)
    state.pos = end + len(closing)
    return True


def is_between_dollars(source: str, start: int, end: int) -> bool:
    """Whether dollars mark a formula, unlike in "from $5 to $6"."""
    return not (
        source[start].isspace()
        or source[end - 1].isspace()
        or source[end - 1] == "\\"
        or source[end + 1 : end + 2].isdigit()
        or source[start - 2 : start - 1].isalnum()
        or "`" in source[start:end]
    )


def push_formula(state: StateInline, tex: str, css_class: str) -> None:
    token = state.push("math", "code", 0)
    token.content = tex
    token.meta = {"class": css_class}


def block_maths(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """From $$ at the start of a line to $$ at the end of a line; the text between is not Markdown."""
    begin = state.bMarks[start_line] + state.tShift[start_line]
    if not state.src.startswith("$$", begin):
        return False
    end = state.src.find("$$", begin + 2, min(state.eMarks[end_line - 1], begin + MAX_FORMULA_CHARS))
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


def _render_formula(_: object, tokens: Sequence[Token], index: int, _options: object, _env: object) -> str:
    token = tokens[index]
    html = f'<code class="{token.meta["class"]}">{escape(token.content.strip())}</code>'
    return f"<p>{html}</p>\n" if token.block else html
