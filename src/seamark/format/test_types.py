"""The forms have the numbers of the core."""

import pytest

from seamark.format.types import Form


def test_forms_are_those_of_the_core() -> None:
    core = pytest.importorskip("seamark._core")
    theirs = {name.removeprefix("FORM_"): int(getattr(core, name)) for name in dir(core) if name.startswith("FORM_")}
    assert theirs == {form.name: form.value for form in Form}
