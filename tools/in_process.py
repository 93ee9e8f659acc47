"""Runs a server in a thread, for tests that do not depend on the process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from seamark.serve import ENDING_SECS
from seamark.serve.app import Settings, create_app
from seamark.serve.server import ListenOptions, Server, listen, make_url
from seamark.serve.state.state import State
from seamark.store import Store, parse_logdir

JOIN_SECS = 30


@contextmanager
def served_in_process(
    logdir: Path | str, *, state_dir: Path | None = None, settings: Settings | None = None
) -> Iterator[str]:
    """Serves a log directory without an index; yields the address."""
    roots = parse_logdir(str(logdir))
    options = ListenOptions(port=0)
    store = Store(roots, index_dir=None)
    store.start()
    try:
        listening = listen(options.host, options.port)
        app = create_app(store, roots=roots, state=State(state_dir, roots), settings=settings)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=ENDING_SECS
        )
        server = Server(config, live=app.state.live)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
        thread.start()
        try:
            yield make_url(listening, options)
        finally:
            app.state.live.close()
            server.should_exit = True
            thread.join(JOIN_SECS)
            listening.close()
            assert not thread.is_alive(), f"the server did not end within {JOIN_SECS} s"
    finally:
        store.close(index_timeout_secs=ENDING_SECS)
