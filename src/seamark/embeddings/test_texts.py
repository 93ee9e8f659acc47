"""Strings in one buffer are the same strings, and take little memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.embeddings import texts
from seamark.embeddings.metadata import build, distinct
from seamark.embeddings.readers.labels import read_labels
from seamark.embeddings.texts import pack, pack_columns

STRINGS = st.lists(st.text(st.characters(), max_size=8) | st.just("\udcff"), max_size=40)


@settings(deadline=None)
@given(STRINGS, st.randoms(use_true_random=False))
def test_packed_texts_are_the_texts(strings: list[str], random: np.random.Generator) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "BLOCK", 7)
        packed = pack(strings)
        assert list(packed) == strings and packed == strings and len(packed) == len(strings)
        assert [packed[at] for at in range(-len(strings), len(strings))] == strings * 2
        assert list(packed[1:]) == strings[1:] and list(packed[::-1]) == strings[::-1]
        codes, first = distinct(packed)
        names = list(packed.take(first))
        assert names == list(dict.fromkeys(filter(None, strings)))
        assert [names[code] if code >= 0 else "" for code in codes.tolist()] == strings


def test_a_place_that_is_not_there_is_an_error() -> None:
    for wrong in (2, -3):
        with pytest.raises(IndexError):
            pack(["a", None])[wrong]


def test_cells_that_a_row_does_not_have_are_empty() -> None:
    assert [list(one) for one in pack_columns([["a", "b", "c"], [], ["d"]], 2)] == [["a", "", "d"], ["b", "", ""]]


def test_labels_are_read_and_kept_in_a_few_times_the_size_of_their_file(tmp_path: Path) -> None:
    rows = 60_000
    file = tmp_path / "m.tsv"
    lines = "".join(f"a word of some length {row}\tclass {row % 9}\t{row / 7}\n" for row in range(rows))
    file.write_text(f"word\tclass\tscore\n{lines}")
    tracemalloc.start()
    try:
        metadata, problems = build([read_labels(file, rows)], rows)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [column.type for column in metadata.columns] == ["text", "category", "number"] and problems == []
    assert metadata.columns[0].text(rows - 1) == f"a word of some length {rows - 1}"
    size = file.stat().st_size
    assert kept < 1.5 * size  # as Python strings 3 times
    assert peak < 6 * size  # as Python strings 12 times
