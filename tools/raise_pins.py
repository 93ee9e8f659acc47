"""Raises the versions in constraints.txt, which lint, types and tests use, to the newest that pyproject.toml allows.

python tools/raise_pins.py [more requirements]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "constraints.txt"
HEADER = """\
# The versions that lint, types and tests use, so that a release of somebody else's does not fail them.
# `make pins` writes this file. What users install are the ranges in pyproject.toml.
"""


def pins(report: dict[str, Any]) -> str:
    """The contents of the file, from the report of pip."""
    versions = {item["metadata"]["name"]: item["metadata"]["version"] for item in report["install"]}
    # What follows the plus is the build of a version, here torch's for processors only.
    lines = [f"{name}=={version.partition('+')[0]}\n" for name, version in versions.items() if name != "seamark"]
    return HEADER + "".join(sorted(lines, key=str.lower))


def resolve(requirements: Sequence[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.json")
        flags = ["--dry-run", "--ignore-installed", "--no-build-isolation", "--quiet", "--report", str(path)]
        subprocess.run([sys.executable, "-m", "pip", "install", *flags, *requirements], cwd=ROOT, check=True)
        report: dict[str, Any] = json.loads(path.read_text())
        return report


def changes(before: str, after: str) -> list[str]:
    old, new = (dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE)) for text in (before, after))
    return [
        f"{name}: {old.get(name, 'new')} -> {new.get(name, 'gone')}"
        for name in sorted(old | new, key=str.lower)
        if old.get(name) != new.get(name)
    ]


def main(more: Sequence[str]) -> None:
    before = PINS.read_text() if PINS.exists() else ""
    after = pins(resolve([".[dev]", *more]))
    PINS.write_text(after)
    print("\n".join(changes(before, after)) or "nothing changed")


if __name__ == "__main__":
    main(sys.argv[1:])
