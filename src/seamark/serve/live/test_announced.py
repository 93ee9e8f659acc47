"""Which cached responses have every announced change."""

from __future__ import annotations

import pytest

from seamark.serve.live import announced as announced_module
from seamark.serve.live.announced import AnnouncedVersions
from seamark.store import Delta


def grown(version: int, tag: str) -> Delta:
    return Delta(version=version, scalars={"a": frozenset({tag})})


def test_a_response_is_valid_until_its_tag_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    announced = AnnouncedVersions()
    announced.update(grown(5, "loss"))
    assert announced.covers("loss", 5, 5)
    assert not announced.covers("loss", 4, 5)
    assert announced.covers("other", 1, 5)
    announced.update(Delta(version=6, runs_added=frozenset({"b"})))
    assert not announced.covers("other", 5, 6)
    # Changes that are not announced yet may be missing, but only for a moment.
    assert announced.covers("other", 6, 8)
    monkeypatch.setattr(announced_module, "MAX_AGE_SECS", 0.0)
    assert not announced.covers("other", 6, 8)
    assert announced.covers("other", 6, 6)


def test_a_list_is_valid_until_the_next_change(monkeypatch: pytest.MonkeyPatch) -> None:
    announced = AnnouncedVersions()
    announced.update(grown(5, "loss"))
    made = announced.list_version
    assert announced.covers_all(made, 5)
    # Changes that are not announced yet may be missing, but only for a moment.
    assert announced.covers_all(made, 7)
    with monkeypatch.context() as patch:
        patch.setattr(announced_module, "MAX_AGE_SECS", 0.0)
        assert not announced.covers_all(made, 7)
    announced.update(grown(6, "other"))
    assert not announced.covers_all(made, 6)
    made = announced.list_version
    announced.invalidate_lists()
    assert not announced.covers_all(made, 6)
