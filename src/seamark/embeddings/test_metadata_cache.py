"""Metadata are parsed once."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from seamark.embeddings import metadata_cache
from seamark.embeddings.metadata import build
from seamark.embeddings.metadata_cache import Parsed
from seamark.embeddings.readers.labels import read_labels

TEXT = "w\tclass\tn\n" + "".join(f"w{at}\t{at % 3}x\t{at / 7}\n" for at in range(98)) + "\t\t\n"


class Labels:
    def __init__(self, path: Path) -> None:
        self.path, self.parsed = path, 0

    def get(self, folder: Path | None) -> Parsed:
        return metadata_cache.get(folder, [self.path], 100, self._parse)

    def _parse(self) -> Parsed:
        self.parsed += 1
        return build([read_labels(self.path, 100)], 100)


@pytest.fixture
def labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Labels:
    monkeypatch.setattr(metadata_cache, "MIN_ROWS", 10)
    (tmp_path / "m.tsv").write_text(TEXT)
    return Labels(tmp_path / "m.tsv")


def test_a_second_start_has_the_same_metadata_and_problems(labels: Labels, tmp_path: Path) -> None:
    first, problems = labels.get(tmp_path / "cache")
    again, same_problems = labels.get(tmp_path / "cache")
    assert labels.parsed == 1 and problems == same_problems != []
    assert [(c.name, c.type, c.names) for c in first.columns] == [(c.name, c.type, c.names) for c in again.columns]
    for one, other in zip(first.columns, again.columns, strict=True):
        np.testing.assert_array_equal(one.numbers, other.numbers)  # type: ignore[arg-type]
        np.testing.assert_array_equal(one.codes, other.codes)  # type: ignore[arg-type]


def test_a_changed_or_damaged_file_is_parsed_again(labels: Labels, tmp_path: Path) -> None:
    labels.get(tmp_path / "cache")
    os.utime(labels.path, ns=(1, 1))
    labels.get(tmp_path / "cache")
    assert labels.parsed == 2
    for saved in (tmp_path / "cache").iterdir():
        saved.write_bytes(b"\x93")
    labels.get(tmp_path / "cache")
    assert labels.parsed == 3


def test_without_a_folder_nothing_is_cached(labels: Labels) -> None:
    labels.get(None)
    labels.get(None)
    assert labels.parsed == 2
