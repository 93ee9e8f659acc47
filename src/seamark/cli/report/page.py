"""Builds the HTML file: script, style and data, with a content security policy that allows only these."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from seamark.cli.report.charts import Chart
from seamark.read.frame import encodable

SCRIPT_END = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
NO_SCRIPT = "This report draws its charts with JavaScript, which is switched off here."


class NoBundleError(RuntimeError):
    """The page was not built: this is a source tree, not an installation."""


def page_of(report: Mapping[str, Any], charts: Sequence[Chart]) -> str:
    """`report` has the fields of web/src/report/data.ts. It is embedded as JSON, so none of it can become markup."""
    theme, script, style = (code(name) for name in ("theme.js", "report/report.js", "report/report.css"))
    script, theme = escaped_script(script), escaped_script(theme)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {hash_of(theme)} {hash_of(script)}",
            f"style-src {hash_of(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    listed = [
        {"tag": c.tag, "id": f"chart-{at}", "runs": c.runs, "points": c.points, "rows": c.rows}
        for at, c in enumerate(charts)
    ]
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy, quote=True)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
        f"<title>{html.escape(encodable(str(report['title'])))}</title>",
        f"<script>{theme}</script><style>{style}</style></head>",
        f'<body><div id="app"></div><noscript>{NO_SCRIPT}</noscript>',
        data("report", "application/json", json_text({**report, "charts": listed})),
        data("licences", "text/plain", escaped_script(code("report/THIRD_PARTY_LICENSES.txt"))),
        *(data(f"chart-{at}", "text/plain", chart.text) for at, chart in enumerate(charts)),
        f"<script>{script}</script></body></html>",
    ]
    return "\n".join(parts) + "\n"


def code(name: str) -> str:
    try:
        return files("seamark").joinpath("serve", "static", *name.split("/")).read_text(encoding="utf-8")
    except OSError as error:
        raise NoBundleError(
            f"the report's page is not built: no '{name}' in this installation; install a release, or run `make web`"
        ) from error


def data(element: str, mime: str, text: str) -> str:
    """A script element with a type that browsers do not execute."""
    return f'<script type="{mime}" id="{element}">{text}</script>'


def json_text(value: object) -> str:
    """JSON with HTML characters escaped: a run may be named </script>."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def escaped_script(text: str) -> str:
    """Escapes script end tags, which our code contains only inside strings."""
    return SCRIPT_END.sub(r"\\x3c", text)


def hash_of(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
