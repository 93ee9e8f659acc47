"""The built web page: files of one folder, no others, with the cache headers their names allow."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
NOT_BUILT = (
    b"<!doctype html><title>Seamark</title><h1>The page is not built</h1>"
    b"<p>The server runs, but its page is missing. In a source tree: <code>make web</code>."
)


class Page:
    """ASGI app for everything outside /api."""

    def __init__(self, folder: Path = STATIC) -> None:
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
        response = await self._files.get_response(path or "index.html", scope)
        # Vite puts a hash of the content into the names under assets/; everything else may change with an upgrade.
        is_hashed = path.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return response
