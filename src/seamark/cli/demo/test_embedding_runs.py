"""The demo's embeddings are learned, and the Projector's files have every step of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark.cli.demo.embedding_runs import DIGITS_NAME, WORDS_NAME, DigitsRun, log_words
from seamark.cli.demo.glyphs import GlyphTraining
from seamark.cli.demo.word_vectors import word_vectors
from seamark.kinds.projector import config as projector


def same_label_share(vectors: np.ndarray, labels: np.ndarray, neighbours: int = 5) -> float:
    """The share of nearest neighbours with the same label."""
    near = vectors @ vectors.T / np.outer(*[np.linalg.norm(vectors, axis=1) + 1e-9] * 2)
    np.fill_diagonal(near, -np.inf)
    nearest = np.argsort(-near, axis=1)[:, :neighbours]
    return float((labels[nearest] == labels[:, None]).mean())


def test_digits_of_one_sort_move_together(tmp_path: Path) -> None:
    training = GlyphTraining()
    before = same_label_share(training.features()[0][1600:], training.labels[1600:])
    run = DigitsRun(tmp_path, training, total_steps=1000)
    for step in range(1000):
        run.train_one_step(step)
    run.close(was_stopped=False)
    features, odds = training.features()
    assert same_label_share(features[1600:], training.labels[1600:]) > before + 0.1
    assert (odds.argmax(axis=1) == training.labels)[1600:].mean() > 0.8
    entries = projector.decode((tmp_path / DIGITS_NAME / projector.FILE_NAME).read_bytes()).embeddings
    assert len(entries) == 12 and entries[-1].tensor_name == "features:00999"
    assert {entry.tensor_shape for entry in entries} == {(2000, 32)}
    assert len({entry.sprite.image_path for entry in entries if entry.sprite}) == 1
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 8_000_000


def test_words_of_one_topic_are_neighbours(tmp_path: Path) -> None:
    found = word_vectors()
    topics = np.array([word.topic for word in found.words])
    assert same_label_share(found.vectors, topics) > 0.8
    log_words(tmp_path)
    lines = (tmp_path / WORDS_NAME / "00000/words/metadata.tsv").read_text().splitlines()
    assert lines[0] == "word\ttopic\tpart of speech\tcount" and len(lines) == len(found.words) + 1
