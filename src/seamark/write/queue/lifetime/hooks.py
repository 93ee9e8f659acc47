"""Installs the hooks of the process: exit, fork, exec, and for runs also exceptions and exit statuses."""

from __future__ import annotations

import atexit
import functools
import os
import sys
from collections.abc import Callable
from typing import Any

from seamark.write.queue import memory
from seamark.write.queue.lifetime import listeners
from seamark.write.queue.lifetime.exceptions import catch_exceptions
from seamark.write.queue.lifetime.listeners import ProcessListener, notify_all, notify_recorders, notify_runs
from seamark.write.queue.lifetime.signals import catch_signals

_is_installed = _has_runs = False
_worker_pid = 0


def register_recorder(recorder: ProcessListener) -> None:
    listeners.add_recorder(recorder)
    _install()


def install_exit_hooks(run: ProcessListener) -> None:
    """Call it once per run, after its recorder was registered."""
    global _has_runs
    _install()
    listeners.add_run(run)
    catch_signals()
    catch_exceptions()
    finalize_worker()
    if not _has_runs:
        _has_runs = True
        # atexit calls the last function first: runs end while their recorders are still open.
        atexit.register(notify_runs, "before_exit")


def _install() -> None:
    global _is_installed
    if _is_installed:
        return
    _is_installed = True
    atexit.register(notify_recorders, "before_exit")
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork_in_child)
    catch_signals()
    # All functions os.exec… end in these two.
    os.execv, os.execve = _with_notice(os.execv), _with_notice(os.execve)


def finalize_worker() -> None:
    """Tells listeners before a worker of multiprocessing exits: it runs finalizers, but no atexit functions.

    Has to be called in the worker itself, since it drops the finalizers of its parent.
    """
    global _worker_pid
    process, util = sys.modules.get("multiprocessing.process"), sys.modules.get("multiprocessing.util")
    if process is None or util is None or process.parent_process() is None or _worker_pid == os.getpid():
        return
    _worker_pid = os.getpid()
    util.Finalize(None, _before_worker_exit, exitpriority=10)
    util.Finalize(None, notify_recorders, args=("before_exit",), exitpriority=0)


def _before_worker_exit() -> None:
    error = sys.exc_info()[1]  # multiprocessing catches it and calls no hook
    if error is not None:
        notify_runs("on_exception", error, error.__traceback__)
    notify_runs("before_exit")


def _before_fork() -> None:
    notify_runs("before_fork")


def _after_fork_in_child() -> None:
    memory.pool.clear()
    notify_all("after_fork_in_child")


def _with_notice(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        notify_all("before_exec")
        try:
            return function(*arguments, **keywords)
        except BaseException:
            notify_all("process_survived")
            raise

    return call
