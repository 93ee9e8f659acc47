"""Starts Chromium with Playwright, and servers as processes, for browser tests and screenshots."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import IO, Any

from playwright.sync_api import Browser, Playwright

# The headless shell shows the same pages and takes a third of the processor time.
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
END_SECS = 30
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_path(*, with_windows: bool = False) -> str:
    """SEAMARK_CHROMIUM, or the first browser on PATH."""
    names = (*BROWSERS, *SHELLS) if with_windows else (*SHELLS, *BROWSERS)
    found = os.environ.get("SEAMARK_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise FileNotFoundError(
            "no Chromium found; install Debian's package chromium-headless-shell, or name one with SEAMARK_CHROMIUM"
        )
    return found


def launch(playwright: Playwright, *, with_windows: bool = False) -> Browser:
    """`with_windows`: the browser that people have, for measurements."""
    path = chromium_path(with_windows=with_windows)
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS))


@contextmanager
def served(*flags: str, command: str = "serve", environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Runs a command that serves, with these flags, on a free port in a process; yields its address."""
    common = ["--port", "0", "--index_dir", "none", "--state_dir", "none"]
    words = [sys.executable, "-m", "seamark", command, *common, *flags]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    try:
        yield announced_address(process.stdout, words)
    finally:
        end_process(process)


def end_process(process: subprocess.Popen[Any]) -> None:
    """Asks a process to end, and kills it if it does not: a slow end is no reason to fail."""
    process.terminate()
    try:
        process.wait(timeout=END_SECS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def announced_address(output: IO[str] | None, command: Sequence[str]) -> str:
    line = output.readline() if output else ""
    if "http://" not in line:
        raise RuntimeError(f"no address in the first line of output, got {line!r} from {' '.join(command)}")
    return line[line.index("http://") :].split()[0]
