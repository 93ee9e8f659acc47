"""Queries over metadata."""

from __future__ import annotations

import pytest

from seamark.dashboards.projector.metadata_query import MetadataQueryError, matching_rows
from seamark.embeddings.form import EmbeddingError, Metadata
from seamark.embeddings.metadata import SourceColumn, Table, build

COLUMNS = {
    "class": ["cat", "dog", "cat", "dog", "", "a = b"],
    "name": ["x", "y", "z", "class", "`v`", "w"],
    "a b": ["1", "2", "3", "4", "", "6"],
    "layer.size": ["1", "1", "2", "2", "3", "3"],
}


@pytest.fixture(scope="module")
def metadata() -> Metadata:
    return build([Table([SourceColumn(name, values) for name, values in COLUMNS.items()], 6)], 6)[0]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ('class == "cat"', [0, 2]),
        ('class = "cat"', [0, 2]),
        ('class = "a = b"', [5]),
        ('name == "class"', [3]),
        ('name = "`v`"', [4]),
        ("`a b` > 2", [2, 3, 5]),
        ("`a b` <= 2 and not class != 'dog'", [1]),
        ("`a b` is None", [4]),
        ("class is not None and layer.size >= 2", [2, 3, 5]),
        ('class in ["dog", "bird"]', [1, 3]),
        ('"a" in class', [0, 2, 5]),
        ('matches(name, "[xyz]")', [0, 1, 2]),
        ('param["a b"] == 6', [5]),
    ],
)
def test_rows_that_match(metadata: Metadata, query: str, rows: list[int]) -> None:
    assert matching_rows(metadata, query).tolist() == rows


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("layer.size = `a b` and size > 2", "size"),
        ("`b a` = 2", "`b a`"),
        ("name = 'x' and class > 2", "class > 2"),
        ("`a b` = 2 or layer.size in (1, '3', '4')", "'3'"),
        ("`a b` in ('3')", "`a b` in ('3')"),
        ("`a b` = 1 and (", ""),
    ],
)
def test_an_error_names_the_part_of_the_query_as_it_was_typed(metadata: Metadata, query: str, part: str) -> None:
    with pytest.raises(MetadataQueryError) as raised:
        matching_rows(metadata, query)
    at, length = raised.value.at, raised.value.length
    assert 0 <= at <= len(query) and (not part or query[at : at + length] == part)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("size > 2", "the metadata has no column 'size'; it has class, name, a b, layer.size"),
        ("`b a` > 2", "the metadata has no column 'b a'"),
        ("status == 'done'", "the metadata has no column 'status'"),
        ("class > 2", "'>' compares 'class', which is text, with 2, which is a number"),
        ("", "the query is empty"),
        ("class ==", "something is missing at the end"),
        ("__import__('os')", "there is no function '__import__'"),
        ("`", "not an expression"),
    ],
)
def test_a_wrong_query_is_a_sentence(metadata: Metadata, query: str, sentence: str) -> None:
    with pytest.raises(EmbeddingError) as raised:
        matching_rows(metadata, query)
    assert sentence in str(raised.value)
