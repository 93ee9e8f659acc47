"""Word vectors of a generated text: words that stand near each other get near vectors, by a small SVD."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SENTENCES = 2500
WINDOW = 4
DIMENSIONS = 24
# Nouns, verbs and adjectives, by topic.
TOPIC_WORDS = {
    "sea": (
        "ship sailor harbour wave anchor island captain tide sail storm",
        "drifts sinks sails floats",
        "deep salty blue rough",
    ),
    "kitchen": (
        "bread cook oven soup knife apple butter table spoon pepper",
        "boils bakes burns simmers",
        "warm fresh sweet sharp",
    ),
    "forest": (
        "tree wolf river moss fox leaf owl hunter branch path",
        "grows hides howls falls",
        "green dark wild silent",
    ),
    "city": (
        "street tower market bridge train window crowd lamp taxi roof",
        "rushes shines hums closes",
        "loud busy tall grey",
    ),
    "music": (
        "song drum violin choir melody piano singer stage rhythm flute",
        "sounds fades echoes begins",
        "soft slow bright clear",
    ),
    "sky": (
        "star moon cloud comet planet sun rocket night orbit telescope",
        "rises glows turns vanishes",
        "distant cold pale golden",
    ),
}
COMMON = "the a and near under with every this"
PARTS = ("noun", "verb", "adjective")


class Word(NamedTuple):
    text: str
    topic: str
    part: str


class WordVectors(NamedTuple):
    words: list[Word]
    counts: list[int]
    vectors: NDArray[np.float32]


def word_vectors(seed: int = 0) -> WordVectors:
    words = vocabulary()
    sentences = list(generate(np.random.default_rng(seed), words))
    counts = Counter(index for sentence in sentences for index in sentence)
    near = np.zeros((len(words), len(words)))
    for sentence in sentences:
        for at, index in enumerate(sentence):
            for other in sentence[at + 1 : at + 1 + WINDOW]:
                near[index, other] += 1
                near[other, index] += 1
    left, sizes, _ = np.linalg.svd(positive_information(near))
    vectors = left[:, :DIMENSIONS] * np.sqrt(sizes[:DIMENSIONS])
    return WordVectors(words, [counts[index] for index in range(len(words))], vectors.astype(np.float32))


def vocabulary() -> list[Word]:
    words = [Word(text, "any", "function word") for text in COMMON.split()]
    for topic, groups in TOPIC_WORDS.items():
        for part, group in zip(PARTS, groups, strict=True):
            words += [Word(text, topic, part) for text in group.split()]
    return words


def generate(random: np.random.Generator, words: list[Word]) -> list[list[int]]:
    """Sentences such as "the deep harbour drifts near a ship": each about one topic, rarely with a word of another."""
    members: dict[tuple[str, str], list[int]] = {}
    for index, word in enumerate(words):
        members.setdefault((word.topic, word.part), []).append(index)
    topics = list(TOPIC_WORDS)
    patterns = ("function word", "adjective", "noun", "verb", "function word", "function word", "noun")

    def pick(part: str, topic: str) -> int:
        group = members["any" if part == "function word" else topic, part]
        # The first words of a group are the frequent ones, as in every language.
        return group[min(int(random.exponential(len(group) / 3)), len(group) - 1)]

    sentences = []
    for _ in range(SENTENCES):
        topic = topics[random.integers(len(topics))]
        other = topics[random.integers(len(topics))]
        sentences.append([pick(part, other if random.random() < 0.05 else topic) for part in patterns])
    return sentences


def positive_information(near: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much more often two words are near each other than by chance, as a logarithm; 0 if less often."""
    total = near.sum()
    expected = np.outer(near.sum(axis=1), near.sum(axis=0)) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        information: NDArray[np.float64] = np.nan_to_num(np.log(near / expected), neginf=0.0)
    return np.maximum(information, 0)
