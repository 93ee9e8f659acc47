"""What a run logged may be anything; what comes out acts on nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark.kinds.safe_html import ALLOWED, ATTRIBUTES, is_harmless, markdown_to_html, safe_html

PIECES = ["<script>", "</script>", "<img src=x onerror=alert(1)>", "<a href='javascript:x'>", "<p", ">", "<!--", "-->", '"', "'", "&lt;", "&#60;", "<svg/onload=a>", "<style>", "</p>", "<td>", "<![CDATA[", "<?php", "text", "\x00", "<a href=\"", "`", "\n\n", "<math><mi//xlink:href=\"data:x\">", "<textarea>", "<title>", "<xmp>", "<noscript>", "<plaintext>"]  # fmt: skip


class Inspector(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        for name, value in attrs:
            assert name in ATTRIBUTES.get(tag, ())
            assert is_harmless(name, value or "")
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def assert_safe(html: str) -> None:
    inspector = Inspector()
    inspector.feed(html)
    inspector.close()
    assert inspector.open == []


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=12).map("".join))
def test_only_what_is_listed_comes_out_and_what_is_opened_is_closed(text: str) -> None:
    assert_safe(safe_html(text))
    assert_safe(markdown_to_html(text))


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<h1 onclick=x id=y>a</h1>", "<h1>a</h1>"),
        ("<img src='a.png' onerror=x alt='\"'>", '<img src="a.png" alt="&quot;">'),
        ("<a href='JaVaScRiPt:x'>a</a>", "<a>a</a>"),
        ("<a href='java\tscript:x'>a</a>", "<a>a</a>"),
        ("<a href='&#106;avascript:x'>a</a>", "<a>a</a>"),
        ("<a href='data:text/html,x'>a</a>", "<a>a</a>"),
        ("<a href='https://a.example/?b&c'>a</a>", '<a href="https://a.example/?b&amp;c">a</a>'),
        ("<a href='#here'>a</a>", '<a href="#here">a</a>'),
        ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
        ("<em>open", "<em>open</em>"),
        ("</td></table>closed", "closed"),
        ("<b>x</b><!-- gone -->", "&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_html_is_written_anew(given: str, want: str) -> None:
    assert safe_html(given) == want


def test_markdown() -> None:
    assert markdown_to_html("*a* <script>") == "<p><em>a</em> &lt;script&gt;</p>"
    assert markdown_to_html("[a](javascript:b)") == "<p>[a](javascript:b)</p>"
    assert "<td>1</td>" in markdown_to_html("|a|\n|-|\n|1|")
    assert markdown_to_html("") == ""


def test_deep_nesting_is_cut_off() -> None:
    html = safe_html("<em>" * 10_000)
    assert_safe(html)
    assert html.count("<em>") == 100


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        "<!--",
        "<![CDATA[",
        "<",
        "</",
        "<a href='",
        '<a href="',
        "<a b=",
        "<?",
        "&",
        "[a](",
        "[",
        "![",
        "[a](<b",
        "`a``",
        "> ",
        "aaaa",
    ],
)
@pytest.mark.parametrize("convert", [safe_html, markdown_to_html])
def test_text_made_to_stop_a_parser_does_not(piece: str, convert: Callable[[str], str]) -> None:
    """Four times the text takes about four times as long, not sixteen times: it ends long before the limit."""
    begun = time.perf_counter()
    convert(piece * 10_000)
    assert time.perf_counter() - begun < 10.0
