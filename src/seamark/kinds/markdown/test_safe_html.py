"""Hostile HTML and Markdown come out without anything that a browser would run or request."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html.parser import HTMLParser
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark.kinds.markdown.safe_html import ATTRIBUTES, SCHEMES, TAGS, markdown_to_html, safe_html, scheme_of

PIECES = ["<script>", "</script>", "<img src=x onerror=alert(1)>", "<a href='javascript:x'>", "<p", ">", "<!--", "-->", '"', "'", "&lt;", "&#60;", "<svg/onload=a>", "<style>", "</p>", "<td>", "<![CDATA[", "<?php", "text", "\x00", "<a href=\"", "`", "\n\n", "<math><mi//xlink:href=\"data:x\">", "<textarea>", "<title>", "<xmp>", "<noscript>", "<plaintext>"]  # fmt: skip


class Inspector(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        for name, value in attrs:
            assert name in ATTRIBUTES.get(tag, ())
            if name in ("href", "src"):
                assert scheme_of(value or "") in (None, *SCHEMES)
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
def test_only_allowed_elements_come_out_and_each_is_closed(text: str) -> None:
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
        ("<p style='position:fixed' class=x>a</p>", "<p>a</p>"),
        ("<a href=https://a target=_top rel=opener ping=https://b>a</a>", '<a href="https://a">a</a>'),
        ("<a href='vbscript:x' title=t>a</a>", '<a title="t">a</a>'),
        ("<a href=' \x01javascript:x'>a</a>", "<a>a</a>"),
        ("<a href='javascript&colon;x'>a</a>", "<a>a</a>"),
        ("<a href='\u2028javascript:x'>a</a>", "<a>a</a>"),
        ("<img src=x:y onerror=z>", "<img>"),
        ("<svg><p><style><img src=x onerror=y>", '&lt;svg&gt;<p>&lt;style&gt;<img src="x"></p>'),
        ("<em>a<p>b</em>c</p>", "<em>a</em><p><em>b</em>c</p>"),
    ],
)
def test_html_is_sanitised(given: str, want: str) -> None:
    assert safe_html(given) == want


# Each of these once passed through a sanitiser and changed its meaning when a browser parsed the result again.
MUTATING = [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<math><annotation-xml encoding=text/html><style><img src=x onerror=alert(1)>",
    "<table><td><a href='&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'>a</table>",
    "<p><!--><img src=x onerror=alert(1)>--></p>",
    "<p><!--!><img src=x onerror=alert(1)>--!></p>",
    "<a href=`x`onerror=alert(1)>a</a>",
    "<img/src='x'/onerror=alert(1)>",
    "<img src='x' alt='`onerror=alert(1)'>",
]


@pytest.mark.parametrize("html", MUTATING)
@pytest.mark.parametrize("convert", [safe_html, markdown_to_html])
def test_the_result_is_safe_and_stays_the_same_when_parsed_again(html: str, convert: Callable[[str], str]) -> None:
    result = convert(html)
    assert_safe(result)
    assert safe_html(result) == result


def test_markdown() -> None:
    assert markdown_to_html("*a* <script>") == "<p><em>a</em> &lt;script&gt;</p>"
    assert markdown_to_html("[a](javascript:b)") == "<p>[a](javascript:b)</p>"
    assert "<td>1</td>" in markdown_to_html("|a|\n|-|\n|1|")
    assert markdown_to_html("") == ""


def test_nesting_is_limited() -> None:
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
        "<em>",
        "<em a=b>x",
        "<ul><li>",
        "<em></p>",
        "<a href=b><p>",
        "<table><tr><td>",
    ],
)
@pytest.mark.parametrize("convert", [safe_html, markdown_to_html])
@pytest.mark.timeout(120)  # code that is not Python is not counted; it must end
def test_hostile_text_takes_linear_work(piece: str, convert: Callable[[str], str]) -> None:
    """Four times the text executes about four times as many lines, not sixteen times."""
    convert(piece)  # loads what is loaded once
    short, long = (lines_executed(convert, piece * count) for count in (500, 2000))
    assert 0 < short <= long < 5 * short
    convert(piece * 10_000)


def lines_executed(convert: Callable[[str], str], text: str) -> int:
    """Counts calls, lines and returns of Python code."""
    count = 0

    def trace(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        convert(text)
    finally:
        sys.settrace(previous)
    return count
