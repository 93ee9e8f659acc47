"""The page that asks for the password of a share: plain HTML, since the page of the share is behind the password."""

from __future__ import annotations

import base64
import hashlib
import html

from starlette.responses import HTMLResponse, Response

STYLE = (
    ":root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}"
    "body{margin:0;min-height:100vh;display:grid;place-items:center}"
    "form{width:min(20rem,100vw - 3rem);display:grid;gap:.75rem}"
    "h1{font-size:1.2rem;font-weight:600;margin:0}p{margin:0}"
    "input,button{font:inherit;padding:.5rem .6rem;border:1px solid GrayText;border-radius:6px}"
    "[role=alert]{color:light-dark(#b3261e,#ff8a80)}"
)
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    # Otherwise a browser sends "Origin: null" with the form, which is refused.
    "referrer-policy": "same-origin",
}


def unlock_page(action: str, *, problem: str = "", status: int = 401) -> Response:
    alert = f'<p role="alert">{html.escape(problem)}</p>' if problem else ""
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Seamark: password</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style>"
        f'<form method="post" action="{html.escape(action)}"><h1>This link has a password</h1>{alert}'
        '<label for="password">Password</label>'
        '<input id="password" name="password" type="password" autocomplete="off" required autofocus>'
        "<button>Open</button></form></html>",
        status,
        headers=HEADERS,
    )
