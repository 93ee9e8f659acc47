"""Names of runs and files as they are sent."""

from __future__ import annotations

import pytest

from seamark.upload.names import name_problem


@pytest.mark.parametrize("name", ["run", "a/b c/d", "ä/日本", "CON", "x" * 255, "a.b", "-x", "~"])
def test_a_usual_name_is_fine(name: str) -> None:
    assert name_problem("run", name) == ""


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/../b", "/a", "a/", "a//b", ".x", "a/.x", "a\0", "a\\b", "a\x7f", "x" * 256, "\udcff"]
)
def test_a_name_that_leaves_the_folder_or_hides_is_a_problem(name: str) -> None:
    assert name_problem("run", name).startswith(("the name of a run", "a part of the name of a run"))
