"""The built web page: files of one folder, no others, with the cache headers their names allow."""

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

TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
STATIC = Path(__file__).parent / "static"
NOT_BUILT = (
    b"<!doctype html><title>Seamark</title><h1>The page is not built</h1>"
    b"<p>The server runs, but its page is missing. In a source tree: <code>make web</code>."
)


class Page:
    """ASGI app for everything outside /api."""

    def __init__(self, folder: Path = STATIC, *, title: str = "") -> None:
        self._index = folder / "index.html"
        self._title = title
        self._is_built = (folder / "index.html").is_file()
        self._files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(scope)
        await response(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        path = str(Request(scope).path_params.get("path", ""))
        if not self._is_built and path in ("", "index.html"):
            return Response(NOT_BUILT, 503, media_type="text/html")
        if any(part.startswith(".") for part in path.split("/")):
            raise HTTPException(404)
        if self._title and path in ("", "index.html"):
            return await run_in_threadpool(self._titled)
        response = await self._files.get_response(path or "index.html", scope)
        # Vite puts a hash of the content into the names under assets/; everything else may change with an upgrade.
        is_hashed = path.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return response

    def _titled(self) -> Response:
        page = self._index.read_text(encoding="utf-8")
        titled = TITLE.sub(lambda _: f"<title>{html.escape(self._title)}</title>", page, count=1)
        return Response(titled, media_type="text/html", headers={"cache-control": "no-cache"})
