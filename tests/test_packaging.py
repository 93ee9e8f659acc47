"""What is light stays light, and the lock file names no server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("seamark.store", "seamark.serve", "starlette", "uvicorn", "google.protobuf", "PIL", "watchfiles", "sqlite3")


def loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print(*sorted(sys.modules), sep='\\n')"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(answer.stdout.split("\n"))


def test_importing_seamark_is_light() -> None:
    modules = loaded_by("import seamark")
    assert [name for name in HEAVY if name in modules] == []


def test_writing_scalars_loads_no_store_no_server_and_no_protobuf() -> None:
    modules = loaded_by(
        "import tempfile; from seamark.write.event_file import EventFile; EventFile(tempfile.mkdtemp()).add_scalar('a', 1.0, 0)"
    )
    assert [name for name in HEAVY if name in modules] == []


def test_the_web_lock_file_carries_no_download_addresses() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []
    assert all("integrity" in entry for name, entry in lock["packages"].items() if name)


def test_version_numbers_agree() -> None:
    import tomllib

    import seamark

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == seamark.__version__
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["version"] == seamark.__version__
