"""One pass over HTML before nh3 sanitises it: unknown tags become text, and nesting is limited.

nh3 removes tags that are not allowed, but "List<int>" in a text should be readable, as in TensorBoard. The time of nh3
grows with the square of the nesting depth: 8,000 nested elements, 80 kB, take 5 seconds. This pass is linear.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape, unescape

VOID_TAGS = frozenset({"br", "hr", "img"})
# Deeper than people nest elements.
MAX_DEPTH = 100

# A tag does not reach over the next "<", and the quantifiers are possessive: each character is read once.
TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9]*+)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>""")
ATTRIBUTE = re.compile(r"""(?<![^\s/])([A-Za-z]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'=<>`]++))""")


class MarkupFilter:
    """Copies text and allowed tags, without attributes. Subclasses decide about attributes and other tags."""

    tags: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._out: list[str] = []
        self._open: Counter[str] = Counter()

    def filter(self, html: str) -> str:
        at, may_have_comments = 0, True
        while (start := html.find("<", at)) >= 0:
            self.add_text(html[at:start])
            if may_have_comments and html.startswith("<!--", start):
                end = html.find("-->", start + 4)
                if end >= 0:
                    at = end + 3
                    continue
                may_have_comments = False
            tag = TAG.match(html, start)
            if tag is None:
                self.add_text("&lt;")
                at = start + 1
            else:
                self.add_tag(tag)
                at = tag.end()
        self.add_text(html[at:])
        return "".join(self._out)

    def add_text(self, text: str) -> None:
        """`text` may contain character references, but no "<"."""
        self._out.append(text)

    def add_tag(self, tag: re.Match[str]) -> None:
        name = tag[2].lower()
        if name not in self.tags:
            self.add_text(tag[0].replace("<", "&lt;"))
        elif tag[1]:
            self._add_end(name)
        else:
            self._add_start(name, tag[3])

    def start_tag(self, name: str, attributes: str) -> str:
        return f"<{name}>"

    def _add_start(self, name: str, attributes: str) -> None:
        if self._open.total() >= MAX_DEPTH:
            return
        self._out.append(self.start_tag(name, attributes))
        # A paragraph ends where the next one starts.
        if name not in VOID_TAGS and not (name == "p" and self._open["p"]):
            self._open[name] += 1

    def _add_end(self, name: str) -> None:
        if self._open[name]:
            self._open[name] -= 1
            self._out.append(f"</{name}>")


def parse_attributes(attributes: str) -> dict[str, str]:
    """The attributes of a tag; the first of two with the same name counts, as in browsers."""
    return dict(reversed(list(_attributes(attributes))))


def format_tag(name: str, attributes: dict[str, str]) -> str:
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>"


def _attributes(attributes: str) -> Iterator[tuple[str, str]]:
    for found in ATTRIBUTE.finditer(attributes):
        yield found[1].lower(), unescape(found[2] or found[3] or found[4] or "")
