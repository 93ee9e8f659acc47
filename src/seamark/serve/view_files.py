"""The view of another package: its module and the scripts, styles and data beside it, at /files/<version>/<path>.

The version is part of the path, so that what a changed module imports is loaded again with it.
"""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from seamark.plugin import RequestError, error_response, not_found

# The interface for views, in each folder: a view imports it as "./seamark-plugin.js", where its types are as well.
INTERFACE = "seamark-plugin.js"
FILES = "files"
JAVASCRIPT = "text/javascript"
MEDIA_TYPES = {
    ".js": JAVASCRIPT,
    ".mjs": JAVASCRIPT,
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}


def module_path(module: Path) -> str:
    """Where the module of a view is, below the routes of its dashboard. Pages replace the 0 by a version."""
    return f"{FILES}/0/{module.name}"


def files_of(module: Path) -> dict[str, Path]:
    """What is served of a view, by its path below the folder of the module. Hidden files and links are left out."""
    folder = module.parent
    found = {module.name: module}
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if path.suffix not in MEDIA_TYPES or any(part.startswith((".", "__")) for part in relative.parts):
            continue
        if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
            found[relative.as_posix()] = path
    return found


def file_route(module: Path) -> Route:
    async def answer(request: Request) -> Response:
        wanted = str(request.path_params["path"])
        if wanted.endswith(INTERFACE) and wanted.rpartition("/")[2] == INTERFACE:
            # From the page's root, so that all views and the page share one instance.
            depth = wanted.count("/") + 5
            return Response(f'export * from "{"../" * depth}{INTERFACE}";\n', media_type=JAVASCRIPT)
        try:
            path = (await run_in_threadpool(files_of, module)).get(wanted)
            if path is None:
                raise not_found(f"the view has no file {wanted!r}")
        except RequestError as error:
            return error_response(error)
        return FileResponse(
            path, media_type=MEDIA_TYPES.get(path.suffix, JAVASCRIPT), headers={"cache-control": "no-cache"}
        )

    return Route(f"/{FILES}/{{version:int}}/{{path:path}}", answer, methods=["GET"], name=FILES)
