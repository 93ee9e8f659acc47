"""Markdown for the page has formulas, code and tables, and sends no request to another server."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.kinds.markdown.rich_text import CODE_CLASS, HTML_TAGS, MARKDOWN_TAGS, html_fragment, rich_html
from seamark.kinds.markdown.test_safe_html import MUTATING, PIECES

MATHS = [
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "a",
    " ",
    "5",
    "\n",
    "\n\n",
    "- ",
    "```python\n",
    "|a|b|\n|-|-|\n",
    "~~",
]


class Inspector(HTMLParser):
    """Every element and attribute is one that the page may get."""

    def __init__(self, allowed: frozenset[str]) -> None:
        super().__init__()
        self.allowed = allowed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.allowed
        for name, value in attrs:
            match tag, name:
                case ("a", "href"):
                    assert (value or "").strip().lower().startswith(("http:", "https:", "mailto:"))
                case ("a", "title") | ("img", "alt"):
                    pass
                case ("a", "target" | "rel"):
                    assert value in ("_blank", "noopener noreferrer")
                case ("img", "src"):
                    assert (value or "").startswith("data:image/")
                    assert "svg" not in (value or "")
                case ("code", "class"):
                    assert CODE_CLASS.fullmatch(value or "")
                case _:
                    raise AssertionError(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, *MUTATING, *MATHS]), max_size=30).map("".join))
def test_only_allowed_elements_and_attributes_come_out(text: str) -> None:
    Inspector(MARKDOWN_TAGS).feed(rich_html(text))
    Inspector(HTML_TAGS).feed(html_fragment(text))


@pytest.mark.parametrize(
    ("html", "want"),
    [
        ("<b>x</b>", "<b>x</b>"),
        ("<a href=https://x target=_top rel=opener>l</a>", '<a href="https://x" target="_blank" rel="noopener noreferrer">l</a>'),
        ("<a href=//x>l</a><a href=/api/state>m</a>", "<a>l</a><a>m</a>"),
        ("<math><mi xlink:href='javascript:x'>in</mi></math>out", "out"),
        ("<div style='background:url(https://x)' id=app class=top>a</div>", "<div>a</div>"),
        ("<img src='data:image/svg+xml;base64,PHN2Zz4='>", "<a>picture: data:image/svg+xml;base64,PHN2Zz4=</a>"),
        ("<p style='color: red' onclick=alert(1)>a\n\n    b *c*</p>", "<p>a\n\n    b *c*</p>"),
        ("a<script>alert('<b>')</script>b<style>p { color: red }</style>c", "abc"),
        ("a<script>alert(1)", "a"),
        ("<script/>a", "a"),
        ("<svg onload=alert(1)><a href='https://x'>in</a></svg>out", "out"),
        ("<iframe src='https://x'></iframe><object data=x>old</object>y", "y"),
        ("<a href='javascript:alert(1)'>l</a>", "<a>l</a>"),
        ("<form action='/api/state'><input value=x><button>go</button></form>", "go"),
        ("<nav><article>text</article></nav>", "text"),
        ("a &lt;script&gt; 1 < 2", "a &lt;script&gt; 1 &lt; 2"),
        (
            "<!DOCTYPE html>\n<html><head><title>t</title><meta charset=utf-8></head><body><h1>Hi</h1></body></html>",
            "<h1>Hi</h1>",
        ),
        ("<img src=https://x/a.png alt=dot>", '<a href="https://x/a.png" title="Not loaded: the picture is on another server" target="_blank" rel="noopener noreferrer">picture: dot</a>'),
    ],
)  # fmt: skip
def test_html_keeps_its_formatting_only(html: str, want: str) -> None:
    assert html_fragment(html) == want


def test_markup_in_markdown_stays_text() -> None:
    assert rich_html("a List<i> <script>x</script>") == "<p>a List&lt;i&gt; &lt;script&gt;x&lt;/script&gt;</p>"


@pytest.mark.parametrize(
    ("markdown", "want"),
    [
        ("$x^2$", '<p><code class="math-inline">x^2</code></p>'),
        ("so $$a<b$$!", '<p>so <code class="math-display">a&lt;b</code>!</p>'),
        ("\\(a\\) and \\[b\\]", '<p><code class="math-inline">a</code> and <code class="math-display">b</code></p>'),
        ("$$\na\n- b\n$$\nafter", '<p><code class="math-display">a\n- b</code></p>\n<p>after</p>'),
        ("from $5 to $6", "<p>from $5 to $6</p>"),
        ("US$5 or $a", "<p>US$5 or $a</p>"),
        ("`$x$`", "<p><code>$x$</code></p>"),
        ("\\$x$ and $ y $", "<p>$x$ and $ y $</p>"),
        ("$", "<p>$</p>"),
        ("$$", "<p>$$</p>"),
    ],
)
def test_formulas_are_recognised(markdown: str, want: str) -> None:
    assert rich_html(markdown) == want


def test_code_keeps_its_language_and_no_other_class() -> None:
    assert rich_html("```python\nx\n```") == '<pre><code class="language-python">x\n</code></pre>'
    assert rich_html('```x" onclick="y\nx\n```') == "<pre><code>x\n</code></pre>"
    assert "<code>x</code>" in rich_html('<code class="top-bar">x</code>')


def test_external_pictures_become_links_and_local_links_become_text() -> None:
    html = rich_html("![chart](https://example.org/a.png) ![x](api/state) [home](/) [site](https://example.org)")
    assert "<img" not in html
    assert 'href="https://example.org/a.png"' in html
    assert "<a>picture: x</a>" in html
    assert "<a>home</a>" in html
    assert '<a href="https://example.org" target="_blank" rel="noopener noreferrer">site</a>' in html
    drawn = rich_html("![dot](data:image/png;base64,iVBORw0KGgo=)")
    assert drawn == '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="dot"></p>'


def test_tables_and_strike_through() -> None:
    assert "<td>1</td>" in rich_html("|a|\n|-|\n|1|")
    assert rich_html("~~old~~") == "<p><s>old</s></p>"


def test_text_with_too_many_brackets_is_shown_unformatted() -> None:
    assert rich_html("![" * 50_000) == f"<pre>{'![' * 50_000}</pre>"
    assert rich_html("[<" * 50_000).startswith("<pre>[&lt;[&lt;")
    assert rich_html("[a](http://b.example) " * 100).count("<a ") == 100


def test_a_lone_surrogate_is_replaced() -> None:
    assert rich_html("a\ud800b") == "<p>a?b</p>"
