"""Reports: versions, blocks, what is shown live, and the exported file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.compare.test_support import log_run
from seamark.kinds import image
from seamark.kinds.summary import event_record
from seamark.team.together.blocks import BrokenBlock, ChartBlock, ImagesBlock, TableBlock, TextBlock, parse_report
from seamark.team.together.chart_svg import ticks
from seamark.write.append.event_file import EventFile
from tests.team.markup import is_harmless, tags_in
from tests.team.run_files import wait_for
from tools.in_process_team import InProcessTeam

REPORTS = "/team/api/projects/lab/vision/reports"
BODY = """# What we found

```chart
runs: [base, wide]
tags: [loss, missing]
smoothing: 0.5
```

Between the *blocks*.

```table
runs: ^(base|wide)$
columns: [lr, loss.min]
```

```images
runs: [base]
tags: sample
```
"""


@pytest.fixture
def runs(team: InProcessTeam) -> InProcessTeam:
    logs = team.team.folder.logs_dir(team.project.id)
    log_run(logs / "base", {"lr": 0.1}, loss=[3.0, 2.0, float("nan"), 1.0])
    log_run(logs / "wide", {"lr": 0.3}, loss=[5.0, 4.0])
    with EventFile(logs / "base", wall_time=1_700_000_100.0) as file:
        file.append(event_record(image.encode("sample", np.zeros((4, 4, 3))), step=3, wall_time=1.0))
    wait_for(lambda: "sample" in team.person("viewer").get("/p/lab/vision/api/tags").text)
    return team


def create(team: InProcessTeam, body: str = BODY, title: str = "First results", who: str = "writer") -> dict[str, Any]:
    response = team.person(who).post(REPORTS, {"title": title, "body": body})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_every_save_is_a_version(team: InProcessTeam) -> None:
    report = create(team, "one")
    address = f"{REPORTS}/{report['id']}"
    saved = team.person("admin").put(address, {"version": 1, "title": "Second", "body": "two"}).json()
    assert (saved["version"], saved["title"], saved["author"]) == (2, "Second", "Admin")
    late = team.person("writer").put(address, {"version": 1, "title": "Mine", "body": "three"})
    assert late.status_code == 409
    assert "Admin changed the report meanwhile" in late.json()["error"]
    assert (late.json()["version"], late.json()["body"]) == (2, "two")
    viewer = team.person("viewer")
    assert [each["version"] for each in viewer.get(f"{address}/versions").json()["versions"]] == [2, 1]
    assert viewer.get(address, params={"version": "1"}).json()["body"] == "one"
    assert viewer.get(address, params={"version": "9"}).status_code == 404
    (listed,) = viewer.get(REPORTS).json()["reports"]
    assert (listed["title"], listed["version"]) == ("Second", 2)


def test_writers_write_and_members_read(team: InProcessTeam) -> None:
    report = create(team)
    address = f"{REPORTS}/{report['id']}"
    assert team.person("viewer").post(REPORTS, {"title": "x"}).status_code == 403
    assert team.person("viewer").put(address, {"version": 1, "title": "x", "body": ""}).status_code == 403
    assert not team.person("viewer").get(address).json()["may_edit"]
    for route in ("", "/versions", "/export"):
        assert team.person("outsider").get(address + route).status_code == 404
        assert team.visitor().get(address + route).status_code == 401
    assert team.person("viewer").post(f"{address}/delete").status_code == 403
    assert team.person("admin").post(f"{address}/delete").status_code == 200
    assert team.person("viewer").get(address).status_code == 404
    left = team.team.read(lambda transaction: transaction.rows("SELECT * FROM report_versions"))
    assert left == []


def test_a_report_shows_its_blocks_with_their_runs(runs: InProcessTeam) -> None:
    parts = create(runs)["parts"]
    assert [part["block"]["kind"] if part["block"] else "text" for part in parts] == [
        "text",
        "chart",
        "text",
        "table",
        "images",
    ]
    assert parts[0]["html"] == "<h1>What we found</h1>"
    assert parts[1]["runs"] == parts[3]["runs"] == ["base", "wide"]
    assert parts[1]["block"]["smoothing"] == 0.5
    assert parts[4]["block"]["tags"] == ["sample"]


def test_blocks_are_read_from_markdown() -> None:
    blocks = parse_report(BODY)
    kinds = [type(block) for block in blocks]
    assert kinds == [TextBlock, ChartBlock, TextBlock, TableBlock, ImagesBlock]
    assert blocks[1] == ChartBlock(["base", "wide"], ["loss", "missing"], smoothing=0.5)
    assert parse_report("") == []
    # A block of another language, or inside a list, is text as usual.
    assert [type(block) for block in parse_report("```python\nx\n```\n\n- a\n\n  ```chart\n  runs: a\n  ```\n")] == [
        TextBlock
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("runs: [a", "not YAML"),
        ("- a", "want fields"),
        ("runs: [a]", "tags"),
        ("runs: [a]\ntags: [x]\naxis: sideways", "axis"),
        ("runs: [a]\ntags: [x]\ncolour: red", "colour"),
        ("runs: [a]\ntags: [x]\nsmoothing: 1.5", "smoothing"),
        ("runs: !!python/object/apply:os.system ['true']\ntags: [x]", "not YAML"),
        ("{runs: [a], tags: [x], ? [1]: 2}", ""),
    ],
)
def test_a_block_that_cannot_be_read_says_why(content: str, reason: str) -> None:
    (block,) = parse_report(f"```chart\n{content}\n```\n")
    assert isinstance(block, BrokenBlock)
    assert reason in block.problem


def test_runs_that_are_missing_are_named(runs: InProcessTeam) -> None:
    (part,) = create(runs, "```chart\nruns: [gone]\ntags: [loss]\n```\n")["parts"]
    assert part["block"]["problem"] == "the project has none of these runs"
    (part,) = create(runs, "```chart\nruns: '('\ntags: [loss]\n```\n")["parts"]
    assert "regular expression" in part["block"]["problem"]


def export(team: InProcessTeam, report: dict[str, Any]) -> str:
    response = team.person("viewer").get(f"{REPORTS}/{report['id']}/export")
    assert response.status_code == 200
    assert response.headers["content-disposition"] == 'attachment; filename="first-results.html"'
    found: str = response.text
    return found


def test_the_exported_file_needs_no_server(runs: InProcessTeam, tmp_path: Path) -> None:
    text = export(runs, create(runs))
    tags = [tag for tag, _ in tags_in(text)]
    assert "script" not in tags
    assert tags.count("table") == tags.count("img") == 1
    (drawn,) = [attributes for tag, attributes in tags_in(text) if tag == "svg" and attributes.get("role") == "img"]
    assert drawn["aria-label"] == "loss of 2 runs"
    assert "none of the runs has this tag: <code>missing</code>" in text
    assert re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", text) == [
        ("base", "0.1", "1"),
        ("wide", "0.3", "4"),
    ]
    assert text.index("What we found") < text.index("<figure>") < text.index("Between the") < text.index("<table>")
    addresses = [
        value for _, attributes in tags_in(text) for name, value in attributes.items() if name in ("src", "href")
    ]
    assert all((address or "").startswith("data:image/png") for address in addresses)


EVIL = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>"


def test_nothing_in_a_report_becomes_script(team: InProcessTeam) -> None:
    logs = team.team.folder.logs_dir(team.project.id)
    name, tag = "<script>alert(1)<", "<img src=x onerror=alert(1)>"
    log_run(logs / name, {"<b>": EVIL}, **{tag: [1.0, 2.0]})
    wait_for(lambda: "onerror" in team.person("viewer").get("/p/lab/vision/api/tags").text)
    blocks = [
        EVIL,
        f"```chart\nruns: .*\ntags: ['{tag}']\ntitle: '{EVIL}'\n```",
        "```table\nruns: .*\ncolumns: ['<b>']\n```",
        f"```table\nruns: .*\ncolumns: ['{EVIL}']\n```",
        f"```chart\n{EVIL}\n```",
        "[x](javascript:alert(1))",
    ]
    report = create(team, "\n\n".join(blocks), title=EVIL)
    assert all(is_harmless(part["html"]) for part in report["parts"] if part["html"])
    text = team.person("viewer").get(f"{REPORTS}/{report['id']}/export").text
    head, _, body = text.partition("<body>")
    assert "<script" not in text
    assert [tag for tag, _ in tags_in(head) if tag not in ("html", "head", "meta", "title", "style")] == []
    for found, attributes in tags_in(body):
        assert found not in ("script", "style", "img", "iframe"), (found, attributes)
        assert not [name for name in attributes if name.startswith("on")]
    assert "default-src &#x27;none&#x27;" in head


def test_mentions_in_a_report_notify(team: InProcessTeam) -> None:
    report = create(team, "see @viewer@example.org")
    (message,) = team.person("viewer").get("/team/api/notifications").json()["notifications"]
    assert message["link"] == f"/projects/lab/vision/reports/{report['id']}"


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-3, 3, [-2, 0, 2]),
        (1e-9, 3e-9, [1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9]),
    ],
)
def test_ticks_are_round(low: float, high: float, wanted: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(wanted)
