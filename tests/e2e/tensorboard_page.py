"""Serves TensorBoard's page with Seamark as its backend: files from the installed package, data from our app."""

from __future__ import annotations

import mimetypes
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import tensorboard
import uvicorn
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store

PACKAGE = Path(tensorboard.__file__).parent
PROJECTOR = PACKAGE / "plugins" / "projector" / "tf_projector_plugin"
# TensorBoard's server sends it before the page.
BEFORE_PAGE = b'<!doctype html><meta name="tb-relative-root" content="./">'
DEADLINE_SECS = 30


@dataclass
class Proxy:
    """The front end's files from TensorBoard's package, everything below /data and /experiment from `backend`."""

    backend: ASGIApp
    answered: list[tuple[int, str]] = field(default_factory=list)  # status and path of the backend's answers
    _files: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with zipfile.ZipFile(PACKAGE / "webfiles.zip") as archive:
            self._files = {f"/{name}": archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        self._files["/"] = self._files["/index.html"] = BEFORE_PAGE + self._files["/index.html"]
        self._files |= {f"/data/plugin/projector/{file.name}": file.read_bytes() for file in PROJECTOR.iterdir()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path in self._files:
            kind = mimetypes.guess_type(path)[0] if path != "/" else "text/html"
            await Response(self._files[path], media_type=kind)(scope, receive, send)
        elif scope["type"] == "lifespan" or path.startswith(("/data/", "/experiment/")):
            await self.backend(scope, receive, self._recorded(path, send))
        else:
            await Response(status_code=404)(scope, receive, send)

    def _recorded(self, path: str, send: Send) -> Send:
        async def recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered.append((message["status"], path))
            await send(message)

        return recorded


@contextmanager
def tensorboard_page(logdir: Path) -> Iterator[tuple[str, Proxy]]:
    """The page's URL, and the proxy, which records its responses."""
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(DEADLINE_SECS)
        proxy = Proxy(create_app(store, roots=roots))
        config = uvicorn.Config(proxy, host="127.0.0.1", port=0, log_level="warning", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        started = threading.Event()
        startup = server.startup

        async def announced(sockets: object = None) -> None:
            await startup()
            started.set()

        server.startup = announced  # type: ignore[method-assign]
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            assert started.wait(DEADLINE_SECS)
            yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/", proxy
        finally:
            server.should_exit = True
            thread.join(DEADLINE_SECS)
