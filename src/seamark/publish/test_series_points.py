"""The points of series, and the fixture of the test that the page computes the server's windows."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np

from seamark.plugin.columns import decode_columns
from tools.site_windows import FIXTURE, make_fixture


def test_fixture_of_the_page_is_up_to_date() -> None:
    """Not byte by byte: compilers add sums in other orders."""
    stored, made = json.loads(FIXTURE.read_text()), make_fixture()
    assert stored["series"].keys() == made["series"].keys()
    assert [one["request"] for one in stored["windows"]] == json.loads(
        json.dumps([one["request"] for one in made["windows"]])
    )
    for before, after in zip(stored["windows"], made["windows"], strict=True):
        (_, wanted), (_, found) = (decode_columns(unpack(one["block"])) for one in (before, after))
        assert wanted.keys() == found.keys()
        for name in wanted:
            np.testing.assert_allclose(found[name], wanted[name], rtol=1e-9)
    assert json.loads(json.dumps(made["roundTrips"])) == stored["roundTrips"]


def unpack(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))
