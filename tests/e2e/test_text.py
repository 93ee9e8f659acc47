"""Texts as a person reads them: Markdown, formulas and code, tables, steps, differences, a search, and hostile input."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, expect

from seamark import Html, SummaryWriter, Text, _core
from seamark.kinds import text
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, pick, press
from tests.e2e.links import link_of

BEGAN = 1_700_000_000.0
MARKDOWN = """# Plan

| model | loss |
|---|---|
| small | **0.5** |

```python
def step(x): return "y"  # why
```

Euler: $e^{i\\pi} + 1 = 0$ and

$$\\sum_{k=1}^n k = \\frac{n(n+1)}{2}$$
"""
PAYLOADS = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<svg onload='window.hacked = 1'><animate onbegin='window.hacked = 1'/></svg>",
    "[click](javascript:window.hacked=1)",
    "[click](<java\nscript:window.hacked=1>)",
    "<a href='data:text/html,<script>window.hacked=1</script>'>x</a>",
    "![pixel](http://evil.example/pixel.png)",
    "<img src='http://evil.example/pixel.png'>",
    "<img src='api/state?from=text'>",
    "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)",
    "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>",
    "<style>@import 'http://evil.example/a.css'; body { display: none }</style>",
    "<p style='background: url(http://evil.example/a.png); position: fixed; inset: 0'>x</p>",
    "<link rel=stylesheet href=http://evil.example/a.css><meta http-equiv=refresh content='0;url=http://evil.example'>",
    "<form action=http://evil.example><input autofocus onfocus='window.hacked=1'></form>",
    "<math><mtext><table><mglyph><style><img src=x onerror='window.hacked=1'></style></mglyph></table></mtext></math>",
    "<noscript><p title='</noscript><img src=x onerror=window.hacked=1>'></noscript>",
    "$\\href{javascript:window.hacked=1}{x}$ $\\includegraphics{http://evil.example/a.png}$ $\\htmlStyle{color:red}{x}$",
    "$<img src=x onerror='window.hacked = 1'>$ $$\\text{</code><script>window.hacked=1</script>}$$",
    '```"><img src=x onerror=window.hacked=1>\nx\n```',
    "```html\n<img src=x onerror='window.hacked = 1'><script>window.hacked=1</script>\n```",
    "<details open ontoggle='window.hacked=1'><summary>x</summary></details>",
    "<video src=http://evil.example/v.mp4 onerror='window.hacked=1' autoplay></video>",
]


def log(folder: Path, tag: str, values: Sequence[text.Nested], *, every: int = 10) -> None:
    with EventFile(folder) as file:
        for place, value in enumerate(values):
            record = event_record(text.encode(tag, value), step=place * every, wall_time=BEGAN + place)
            file.append(record)


def card(page: Page, tag: str, run: str) -> Locator:
    return page.get_by_role("article", name=f"{tag}, {run}", exact=True)


def tool(page: Page, tag: str, run: str, name: str) -> Locator:
    card(page, tag, run).hover()
    return card(page, tag, run).get_by_role("button", name=name, exact=True)


def test_markdown_with_a_table_code_and_formulas_by_every_writer(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    from tensorboardX import SummaryWriter as TensorboardX
    from torch.utils.tensorboard import SummaryWriter as Torch

    for name, writer_class in (("torch", Torch), ("tensorboardx", TensorboardX)):
        with writer_class(str(logdir / name)) as writer:
            writer.add_text("plan", MARKDOWN, 3)
    log(logdir / "ours", "scheme", [MARKDOWN])
    page = open_page(address + "#text")
    for tag, run in (("plan", "torch"), ("plan", "tensorboardx"), ("scheme", "ours")):
        one = card(page, tag, run)
        expect(one.get_by_role("heading", name="Plan", level=1)).to_be_visible()
        expect(one.locator("td strong")).to_have_text("0.5")
        expect(one.locator("pre .hljs-keyword").first).to_have_text("def")
        expect(one.locator(".katex").first).to_be_attached()
        expect(one.locator(".katex-display .mfrac")).to_be_attached()
        # Typeset, not written out: the annotation holds the TeX, what is seen does not.
        assert "\\pi" not in one.locator(".katex-html").first.inner_text()
    expect(card(page, "plan", "torch")).to_contain_text("step 3")


def test_tensorflows_old_texts_and_tables_of_strings(address: str, open_page: OpenPage, logdir: Path) -> None:
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.plugins.text import metadata
    from tensorboard.plugins.text import summary_v2 as modern
    from tensorboard.util import tensor_util

    # As tf.summary.text of TensorFlow 1 left it: a scalar string, the name in the metadata, a suffix on the tag.
    old = summary_pb2.Summary()
    old.value.add(
        tag="old/text_summary",
        metadata=metadata.create_summary_metadata("old", ""),
        tensor=tensor_util.make_tensor_proto(b"from **TF1**"),
    )
    table = modern.text_pb("table", np.array([["name", "value"], ["lr", "**0.1**"]]))
    row = modern.text_pb("row", np.array(["first", "second"]))
    events = [event_pb2.Event(step=1, wall_time=BEGAN, summary=found) for found in (old, table, row)]
    with EventFile(logdir / "tf") as file:
        for event in events:
            file.append(_core.frame(event.SerializeToString()))
    page = open_page(address + "#text")
    expect(card(page, "old", "tf").locator("strong")).to_have_text("TF1")
    expect(card(page, "table", "tf").locator("tr").nth(1).locator("td")).to_have_text(["lr", "0.1"])
    expect(card(page, "table", "tf").locator("td strong")).to_have_text("0.1")
    expect(card(page, "row", "tf").locator("tr")).to_have_count(2)
    tool(page, "table", "tf", "As logged").click()
    expect(card(page, "table", "tf").locator("td").last).to_have_text("**0.1**")


def test_the_slider_reaches_every_step_and_the_link_keeps_it(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", "notes", [f"entry *{place}*" for place in range(5)])
    page = open_page(address + "#text")
    one = card(page, "notes", "a")
    expect(one.locator("em")).to_have_text("4")
    press(one.get_by_role("slider"), *["ArrowLeft"] * 3)
    expect(one.locator("em")).to_have_text("1")
    expect(one).to_contain_text("step 10")
    page.wait_for_url(re.compile("step"))
    again = open_page(link_of(page))
    expect(card(again, "notes", "a").locator("em")).to_have_text("1")
    tool(again, "notes", "a", "As logged").click()
    expect(card(again, "notes", "a").locator("pre")).to_have_text("entry *1*")


def test_a_new_text_appears_by_itself(address: str, open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "live") as file:
        file.append(event_record(text.encode("notes", "first"), step=0, wall_time=BEGAN))
        file.flush()
        page = open_page(address + "#text")
        expect(card(page, "notes", "live")).to_contain_text("first")
        file.append(event_record(text.encode("notes", "second"), step=7, wall_time=BEGAN + 1))
        file.flush()
        expect(card(page, "notes", "live")).to_contain_text("second")
        expect(card(page, "notes", "live")).to_contain_text("step 7")


def test_differences_between_steps_and_between_runs(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", "config", ["model: small\nlr: 0.1\nseed: 1", "model: small\nlr: 0.2\nseed: 1"])
    log(logdir / "b", "config", ["model: large\nlr: 0.2\nseed: 1"])
    page = open_page(address + "#text")
    tool(page, "config", "a", "Compare").click()
    one = card(page, "config", "a")
    expect(one.locator(".removed code")).to_have_text("lr: 0.1")
    expect(one.locator(".added code")).to_have_text("lr: 0.2")
    expect(one.locator(".added mark")).to_have_text("2")
    pick(one, "Run to compare with", "b")
    expect(one.locator(".removed mark")).to_have_text("large")
    expect(one.locator(".added mark")).to_have_text("small")
    page.wait_for_url(re.compile("run"))
    again = open_page(link_of(page))
    expect(card(again, "config", "a").locator(".removed mark")).to_have_text("large")


def test_search_finds_texts_of_all_runs_and_opens_them(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", "notes", ["calm", "the gradient exploded here", "calm again"])
    log(logdir / "b", "table", [[["k", "v"], ["why", "Gradient clipping <b>off</b>"]]])
    page = open_page(address + "#text")
    page.get_by_label("Search all texts").fill("gradient")
    results = page.get_by_role("region", name="Search results")
    expect(results.get_by_role("status")).to_have_text("2 of 4 texts")
    expect(results.locator("mark")).to_have_text(["gradient", "Gradient"])
    expect(results.locator("li").nth(1)).to_contain_text("clipping <b>off</b>")
    results.get_by_role("button", name="exploded").click()
    expect(page.get_by_role("article")).to_contain_text("the gradient exploded here")
    expect(page.get_by_role("article")).to_contain_text("step 10")
    page.keyboard.press("Escape")
    expect(results).to_be_visible()
    page.get_by_label("Search all texts").fill("nowhere to be found")
    expect(results.get_by_role("status")).to_have_text("0 of 4 texts")


def test_tags_are_filtered_and_sections_fold(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", "train/notes", ["x"])
    log(logdir / "b", "eval/notes", ["y"])
    page = open_page(address + "#text")
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_role("button", name="train/").click()
    expect(page.get_by_role("article")).to_have_count(1)
    page.get_by_label("Filter tags by regular expression").fill("^train")
    page.get_by_role("button", name="train/").click()
    expect(card(page, "train/notes", "a")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(1)


def test_hostile_texts_do_nothing(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "<img src=x onerror=alert(1)>", "evil", PAYLOADS)
    with EventFile(logdir / "rows") as file:
        file.append(event_record(text.encode("all", "\n\n".join(PAYLOADS)), step=0, wall_time=BEGAN))
        file.append(event_record(text.encode("cells", [[cell] for cell in PAYLOADS]), step=0, wall_time=BEGAN))
    page = open_page(address)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.get_by_role("link", name="Text").or_(page.get_by_role("tab", name="Text")).click()
    expect(card(page, "all", "rows").locator(".rich")).to_contain_text("window.hacked")
    expect(card(page, "cells", "rows").locator("td")).to_have_count(len(PAYLOADS))
    evil = card(page, "evil", "<img src=x onerror=alert(1)>")
    expect(evil.locator(".rich")).to_be_visible()
    press(evil.get_by_role("slider"), *["ArrowLeft"] * len(PAYLOADS[1:]))
    expect(evil).to_contain_text("step 0")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hacked") is None
    assert urls
    assert [one for one in urls if not one.startswith(address) or "from=text" in one or one.endswith("/x")] == []
    forbidden = "script, iframe, svg:not(.katex svg):not(button svg):not(a svg):not(.field svg), style, link, form, video, details, [onerror], [onload]"
    assert page.locator(".rich").locator(forbidden).count() == 0
    assert page.locator(".rich a[href]:not([href^=http])").count() == 0
    assert page.locator(".rich img").count() == 0


def test_a_long_text_says_how_long_and_can_be_had_whole(address: str, open_page: OpenPage, logdir: Path) -> None:
    whole = "".join(f"line {number}\n" for number in range(300_000))
    log(logdir / "a", "log", [whole])
    page = open_page(address + "#text")
    one = card(page, "log", "a")
    expect(one).to_contain_text("the beginning is shown")
    expect(one).to_contain_text("line 1")
    link = one.get_by_role("link", name="Download all of it").get_attribute("href")
    with urllib.request.urlopen(f"{address.split('#')[0]}{link}") as answer:
        assert answer.read().decode() == whole


def test_without_texts_the_page_says_how_to_log_one(address: str, open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "a") as file:
        file.add_scalar("loss", 1.0, 0)
    page = open_page(address + "#text")
    expect(page.get_by_role("main")).to_contain_text("No texts yet")
    expect(page.get_by_role("main")).to_contain_text("writer.add_text")


def test_what_cannot_be_read_is_said_in_its_card(address: str, open_page: OpenPage, logdir: Path) -> None:
    broken = text.encode("bad", "x")
    broken.tensor.dtype = 1
    with EventFile(logdir / "a") as file:
        file.append(event_record(broken, step=0, wall_time=BEGAN))
        file.append(event_record(text.encode("good", "fine"), step=0, wall_time=BEGAN))
    page = open_page(address + "#text", may_complain=True)  # the browser itself tells of the refused request
    expect(card(page, "bad", "a").get_by_role("alert")).to_contain_text("want DT_STRING")
    expect(card(page, "good", "a")).to_contain_text("fine")


HTML = """<h3>Confusion</h3><p onclick="window.hit = 1">A <b>bold</b> word</p>
<table><tr><td>1</td></tr></table>
<script>window.hit = 1</script><img src=x onerror="window.hit = 1"><svg onload="window.hit = 1"></svg>
<iframe srcdoc="<script>parent.hit = 1</script>"></iframe><a href="javascript:window.hit = 1">link</a>
<style>* { display: none }</style>"""


def test_html_is_shown_as_html_and_never_runs(address: str, open_page: OpenPage, logdir: Path) -> None:
    with SummaryWriter(logdir / "a") as writer:
        Html(HTML).write(writer, "report", 0)
        Text("plain <b>bold</b>").write(writer, "words", 0)
    page = open_page(address + "#text")
    report = page.get_by_role("article").filter(has_text="report")
    expect(report.locator(".rich b")).to_have_text("bold")
    expect(report.locator(".rich td")).to_have_text("1")
    expect(report.locator(".rich")).not_to_contain_text("window.hit")
    assert report.locator(".rich").locator("script, img, svg, iframe, style, [onclick], a[href]").count() == 0
    report.get_by_text("link").click()
    assert page.evaluate("window.hit") is None
    expect(page.get_by_role("article").filter(has_text="words")).to_contain_text("plain <b>bold</b>")
    report.get_by_role("button", name="As logged").click()
    expect(report).to_contain_text("<h3>Confusion</h3>")


def test_a_card_is_as_high_as_its_text_up_to_a_limit(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", "short", ["one line"])
    log(logdir / "a", "long", ["\n\n".join(f"paragraph {place}" for place in range(200))])
    page = open_page(address + "#text")
    expect(card(page, "long", "a")).to_contain_text("paragraph 199")
    expect(card(page, "short", "a")).to_contain_text("one line")
    page.wait_for_function(
        """() => {
          const heightOf = (name) => document.querySelector(`article[aria-label="${name}"]`).offsetHeight;
          return heightOf("short, a") < 140 && 300 < heightOf("long, a") && heightOf("long, a") < 560;
        }"""
    )
    content = card(page, "long", "a").get_by_role("region", name="long, a, text")
    assert content.evaluate("element => element.scrollHeight > element.clientHeight")


def test_sections_of_one_card_share_a_row_until_one_is_collapsed(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    log(logdir / "a", "first/notes", ["one"])
    log(logdir / "a", "second/notes", ["two"])
    page = open_page(address + "#text")
    left = page.get_by_role("region", name="first/", exact=True)
    right = page.get_by_role("region", name="second/", exact=True)
    expect(card(page, "second/notes", "a")).to_contain_text("two")
    regions = [left.element_handle(), right.element_handle()]
    tops = "regions.map((region) => region.getBoundingClientRect().y)"
    page.wait_for_function(f"regions => {{ const [a, b] = {tops}; return a === b; }}", arg=regions)
    left.get_by_role("button", name="first/").click()
    expect(card(page, "first/notes", "a")).to_have_count(0)
    regions = [left.element_handle(), right.element_handle()]
    page.wait_for_function(f"regions => {{ const [a, b] = {tops}; return a < b; }}", arg=regions)
