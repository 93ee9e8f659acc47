"""The stub of the native module is current."""

import pytest


def test_the_stub_is_that_of_the_module() -> None:
    pytest.importorskip("nanobind")
    from tools import make_core_stub

    assert make_core_stub.PATH.read_text() == make_core_stub.make_stub(), "run `make stub`"
