"""What the page makes of logged Markdown: formulas, code, tables; nothing that runs, nothing that asks another server."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.kinds.rich_text import CLASS_FORM, HtmlWriter, RichWriter, html_fragment, rich_html
from seamark.kinds.test_safe_html import PIECES

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
                    assert CLASS_FORM.fullmatch(value or "")
                case _:
                    raise AssertionError(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, *MATHS]), max_size=30).map("".join))
def test_whatever_is_logged_only_harmless_elements_come_out(text: str) -> None:
    Inspector(RichWriter.allowed).feed(rich_html(text))
    Inspector(HtmlWriter.allowed).feed(html_fragment(text))


@pytest.mark.parametrize(
    ("html", "want"),
    [
        ("<b>x</b>", "<b>x</b>"),
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
        ("<img src=https://x/a.png alt=dot>", '<a href="https://x/a.png" title="Not loaded: it lies on another server" target="_blank" rel="noopener noreferrer">picture: dot</a>'),
    ],
)  # fmt: skip
def test_html_shows_its_formatting_and_nothing_that_acts(html: str, want: str) -> None:
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
def test_formulas_are_found_where_a_person_sees_them(markdown: str, want: str) -> None:
    assert rich_html(markdown) == want


def test_code_keeps_its_language_and_no_other_class() -> None:
    assert rich_html("```python\nx\n```") == '<pre><code class="language-python">x\n</code></pre>'
    assert rich_html('```x" onclick="y\nx\n```') == "<pre><code>x\n</code></pre>"
    assert "<code>x</code>" in rich_html('<code class="top-bar">x</code>')


def test_pictures_from_elsewhere_are_links_and_links_into_this_server_are_text() -> None:
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


def test_text_of_nothing_but_brackets_is_shown_as_it_is() -> None:
    assert rich_html("![" * 50_000) == f"<pre>{'![' * 50_000}</pre>"
    assert rich_html("[<" * 50_000).startswith("<pre>[&lt;[&lt;")
    assert rich_html("[a](http://b.example) " * 100).count("<a ") == 100
