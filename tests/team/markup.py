"""Which tags and attributes a browser would see in HTML."""

from __future__ import annotations

from html.parser import HTMLParser


class Found(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def tags_in(html: str) -> list[tuple[str, dict[str, str | None]]]:
    found = Found()
    found.feed(html)
    found.close()
    return found.tags


def is_harmless(html: str) -> bool:
    """Whether nothing in it runs, loads from elsewhere or styles the page."""
    for tag, attributes in tags_in(html):
        if tag in ("script", "style", "iframe", "object", "embed", "svg", "math", "form", "base", "link", "meta"):
            return False
        for name, value in attributes.items():
            address = (value or "").strip().lower()
            if name.startswith("on") or name in ("style", "srcset", "srcdoc") or address.startswith("javascript:"):
                return False
            if name == "src" and not address.startswith("data:image/"):
                return False
    return True
