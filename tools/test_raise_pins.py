"""Everything that lint, types and tests install has its version in constraints.txt."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.raise_pins import PINS, ROOT, changes, pins

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def pinned() -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==(\S+)$", PINS.read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def test_every_requirement_of_the_tests_is_pinned_within_its_range() -> None:
    versions = pinned()
    wanted = [
        *PROJECT["dependencies"],
        *(line for name in ("fast", "parquet", "sql", "test", "dev") for line in EXTRAS[name]),
    ]
    for requirement in map(Requirement, wanted):
        if requirement.name != "seamark":
            assert versions[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_builds_of_a_version_are_left_out_and_seamark_itself() -> None:
    installed = [("torch", "2.13.0+cpu"), ("seamark", "0.1.0"), ("Pillow", "13.0.0")]
    report = {"install": [{"metadata": {"name": name, "version": version}} for name, version in installed]}
    assert pins(report).splitlines()[2:] == ["Pillow==13.0.0", "torch==2.13.0"]


def test_what_changed_is_printed() -> None:
    assert changes("a==1\nb==2\n", "a==1\nb==3\nc==1\n") == ["b: 2 -> 3", "c: new -> 1"]
