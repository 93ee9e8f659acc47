"""Runs of the demo with embeddings: a classifier of drawn digits along its training, and word vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark.cli.demo.demo_run import start_run
from seamark.cli.demo.glyphs import LEARNING_RATE, MOMENTUM, SIZES, GlyphTraining, losses
from seamark.cli.demo.word_vectors import word_vectors

DIGITS_NAME, WORDS_NAME = "embeddings/digits", "embeddings/words"
# Most happens early: shares of the training at which the features are logged.
LOGGED_AT = (0.0, 0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0)
# Names, not numbers: the page gives each its own colour.
DIGIT_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
# Fewer batches than the other runs take: it learns fast.
TRAIN_EVERY = 5


class DigitsRun:
    """A training of digits and its run."""

    def __init__(self, folder: Path, training: GlyphTraining, *, total_steps: int) -> None:
        self._training = training
        self._logged_at = {round(share * max(total_steps - 1, 0)) for share in LOGGED_AT}
        self._run = start_run(
            folder,
            DIGITS_NAME,
            config={"model": {"layers": list(SIZES)}, "optim": {"rate": LEARNING_RATE, "momentum": MOMENTUM}},
            tags=["embeddings"],
            notes="### Drawn digits\nThe features of the last hidden layer move apart as the classifier learns.\n\n"
            "- they are on Projector, with a picture of each digit",
        )

    def train_one_step(self, step: int) -> None:
        if not self._run.is_live:
            return
        if step in self._logged_at:
            self._log_features(step)
        if step % TRAIN_EVERY == 0:
            self._run.log({"digits/loss": self._training.step()}, step=step)

    def _log_features(self, step: int) -> None:
        training = self._training
        features, odds = training.features()
        predicted = odds.argmax(axis=1)
        metadata = {
            "digit": [DIGIT_NAMES[label] for label in training.labels],
            "predicted": [DIGIT_NAMES[label] for label in predicted],
            "correct": ["yes" if is_right else "no" for is_right in predicted == training.labels],
            "split": ["train" if is_train else "test" for is_train in training.is_train],
            "loss": losses(odds, training.labels).round(4),
        }
        self._run.log_embedding("features", features, metadata=metadata, images=training.images, step=step)
        is_test = ~training.is_train
        accuracy = float((predicted == training.labels)[is_test].mean())
        self._run.log({"digits/test_accuracy": accuracy}, step=step)

    def close(self, *, was_stopped: bool) -> None:
        if was_stopped:
            self._run.note_failure(KeyboardInterrupt())
        self._run.end()


def log_words(folder: Path) -> None:
    """A run of one step."""
    found = word_vectors()
    run = start_run(
        folder,
        WORDS_NAME,
        config={"dimensions": found.vectors.shape[1]},
        tags=["embeddings"],
        notes="### Word vectors\nWords of a generated text, near each other if they stand near each other in it.",
    )
    metadata = {
        "word": [word.text for word in found.words],
        "topic": [word.topic for word in found.words],
        "part of speech": [word.part for word in found.words],
        "count": found.counts,
    }
    run.log_embedding("words", found.vectors, metadata=metadata, step=0)
    run.log({"words/mean_length": float(np.linalg.norm(found.vectors, axis=1).mean())}, step=0)
    run.end()
