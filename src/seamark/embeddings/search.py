"""Finds rows by a text or a pattern in their metadata."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, Metadata, MetadataColumn, RowColumn
from seamark.format.patterns import BadPatternError, which_match

# A million different texts take four seconds.
MAX_SEARCH_SECS = 20.0


def find_rows(metadata: Metadata, text: str, *, column: str = "", is_regex: bool = False) -> RowColumn:
    """The rows with the text in a column, or in any; upper and lower case are the same."""
    if column and column not in metadata.by_name:
        raise EmbeddingError(f"the metadata has no column '{column}'")
    searched = [metadata.by_name[column]] if column else metadata.columns
    found = np.zeros(metadata.rows, bool)
    for one in searched:
        found |= _matching_rows(one, text, is_regex=is_regex)
    return np.flatnonzero(found)


def _matching_rows(column: MetadataColumn, text: str, *, is_regex: bool) -> NDArray[np.bool_]:
    """Each different value is searched once."""
    if column.numbers is not None:
        values, codes = np.unique(column.numbers, return_inverse=True)
        texts = ("" if np.isnan(value) else f"{value:.9g}" for value in values.tolist())
        is_found = _which(texts, len(values), text, is_regex)
        return is_found[codes] & ~np.isnan(column.numbers)
    if column.codes is None or not column.names:
        return np.zeros(0 if column.codes is None else len(column.codes), bool)
    is_found = _which(column.names, len(column.names), text, is_regex)
    return is_found[column.codes] & (column.codes >= 0)


def _which(texts: Iterable[str], count: int, text: str, is_regex: bool) -> NDArray[np.bool_]:
    found: Iterable[bool]
    if is_regex:
        try:
            found = which_match(text, texts, anywhere=True, ignore_case=True, max_secs=MAX_SEARCH_SECS)
        except BadPatternError as error:
            raise EmbeddingError(str(error)) from error
    else:
        wanted = text.casefold()
        found = (wanted in one.casefold() for one in texts)
    return np.fromiter(found, bool, count)
