"""The files of the built web page, with the cache headers that their names allow.

One document is served at every URL of the page: the dashboards at the root, a run at run/<name>, runs side by side at
compare. Its own URLs are relative to <base>, so that it works below any prefix.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

# Nothing is below compare/: there TensorBoard's clients request data of several experiments.
PAGES = ("", "index.html", "run", "compare", "compare/")
BASE = '<base href="./"'
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
STATIC = Path(__file__).parent / "static"
NOT_BUILT = (
    b"<!doctype html><title>Seamark</title><h1>The page is not built</h1>"
    b"<p>The server runs, but its page is missing. In a source tree: <code>make web</code>."
)


class Page:
    """ASGI application for everything outside of /api and /data."""

    def __init__(self, folder: Path = STATIC, *, title: str = "", team_root: str = "") -> None:
        self._index = folder / "index.html"
        self._title = title
        self._team_root = team_root
        self._is_built = (folder / "index.html").is_file()
        self._files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._respond(scope)
        await response(scope, receive, send)

    async def _respond(self, scope: Scope) -> Response:
        path = str(Request(scope).path_params.get("path", ""))
        is_page = self._is_page(path)
        if is_page and not self._is_built:
            return Response(NOT_BUILT, 503, media_type="text/html")
        if is_page and (self._title or self._team_root or path not in PAGES[:2]):
            return await run_in_threadpool(self._render, levels_below(scope))
        if any(part.startswith(".") for part in path.split("/")):
            raise HTTPException(404)
        response = await self._files.get_response(path or "index.html", scope)
        # File names below assets/ have a hash of the content; everything else may change with an upgrade.
        is_hashed = path.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return response

    def _is_page(self, path: str) -> bool:
        is_report = bool(self._team_root) and path.split("/")[0] == "reports"
        return path in PAGES or path.startswith("run/") or is_report

    def _document(self) -> str:
        return self._index.read_text(encoding="utf-8")

    def _render(self, levels: int) -> Response:
        page = self._document()
        if self._title:
            page = TITLE.sub(lambda _: f"<title>{html.escape(self._title)}</title>", page, count=1)
        if self._team_root:
            mark = f'<meta name="seamark-team" content="{html.escape(self._team_root)}" />'
            page = page.replace("</head>", f"{mark}</head>", 1)
        if levels:
            page = page.replace(BASE, f'<base href="{"../" * levels}"', 1)
        return Response(page, media_type="text/html", headers={"cache-control": "no-cache"})


def levels_below(scope: Scope) -> int:
    """How many levels a URL is below the root of the page. As in a browser, %2F is not a slash."""
    written = bytes(scope.get("raw_path") or scope["path"].encode()).split(b"?")[0]
    return max(0, written.count(b"/") - str(scope.get("root_path", "")).count("/") - 1)
