"""Full-text search over all logged texts, without an index: it reads them from the event files.

A request searches for a limited time and returns where it stopped; the next one continues from there. It needs memory
for one text, or one chunk of a long one.
"""

from __future__ import annotations

import codecs
import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from seamark.dashboards.text.logged_text import KIND, LoggedText
from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError
from seamark.store import PayloadGoneError, RunStore, UnknownSeriesError

LOG = logging.getLogger(__name__)
MAX_QUERY = 200
MAX_WORDS = 10
MAX_MATCHES = 100
MAX_SECS = 0.7
CONTEXT_CHARACTERS = 70  # before and after a hit
WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class TextPosition:
    run: str
    tag: str
    index: int


@dataclass
class Found:
    matches: list[dict[str, Any]] = field(default_factory=list)
    searched: int = 0
    unread: int = 0  # texts that could not be read
    next: TextPosition | None = None


@dataclass(frozen=True)
class Hit:
    before: str
    hit: str
    after: str


def split_words(query: str) -> list[str]:
    """The words of a query. A phrase in quotes counts as one."""
    words = [quoted or word for quoted, word in WORD.findall(query[:MAX_QUERY])]
    return words[:MAX_WORDS]


def search(
    store: RunStore,
    words: Sequence[str],
    *,
    runs: Collection[str] | None = None,
    start: TextPosition | None = None,
    limit: int = MAX_MATCHES,
    max_secs: float = MAX_SECS,
    clock: Callable[[], float] = time.monotonic,
) -> Found:
    found = Found()
    deadline = clock() + max_secs
    for position, step, wall, length in texts(store, runs, start):
        # At least one text is searched, so that repeated requests always make progress.
        if len(found.matches) >= limit or (found.searched and clock() > deadline):
            found.next = position
            return found
        found.searched += 1
        logged = LoggedText(store, RunName(position.run), Tag(position.tag), position.index, length=length)
        try:
            hit = first_hit(logged, words)
        except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
            LOG.info("left out of the search: '%s' in '%s': %s", position.tag, position.run, error)
            found.unread += 1
            continue
        if hit is not None:
            found.matches.append({**asdict(position), "step": step, "wall": wall, **vars(hit)})
    return found


def texts(
    store: RunStore, runs: Collection[str] | None, start: TextPosition | None
) -> Iterator[tuple[TextPosition, int, float, int]]:
    """Every text from `start` on, in order of run, tag and index."""
    for info in store.series(kind=KIND):
        if runs is not None and info.run not in runs:
            continue
        if start is not None and (info.run, info.tag) < (start.run, start.tag):
            continue
        first = start.index if start is not None and (info.run, info.tag) == (start.run, start.tag) else 0
        try:
            listed = store.payloads(info.run, info.tag, KIND)
        except UnknownSeriesError:  # removed since it was listed
            continue
        for index, step, wall, length in zip(
            listed.index.tolist(), listed.steps.tolist(), listed.walls.tolist(), listed.lengths.tolist(), strict=True
        ):
            if index >= first:
                yield TextPosition(info.run, info.tag, index), step, wall, length


def first_hit(logged: LoggedText, words: Sequence[str]) -> Hit | None:
    """The position of the first word with its context, if all words occur somewhere in the text."""
    missing = dict(enumerate(words))
    hit: Hit | None = None
    for chunk in text_chunks(logged):
        lowered = chunk.lower()
        for number, word in list(missing.items()):
            start = lowered.find(word.lower())
            if start < 0:
                continue
            del missing[number]
            if hit is None or number == 0:
                hit = hit_at(chunk, lowered, start, word)
        if not missing:
            return hit
    return None


def text_chunks(logged: LoggedText) -> Iterator[str]:
    """The text; a long one in chunks that overlap, so that no word is split."""
    if not logged.is_long:
        yield "\n".join(logged.whole().strings.ravel().tolist())
        return
    for span in logged.spans():
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        tail = ""
        for data in logged.chunks_of(span):
            chunk = tail + decoder.decode(data)
            yield chunk
            tail = chunk[-MAX_QUERY:]


def hit_at(text: str, lowered: str, start: int, word: str) -> Hit:
    if len(lowered) != len(text):  # a few letters become two in lower case: positions refer to the lower-case text
        text = lowered
    end = start + len(word.lower())
    first, last = max(0, start - CONTEXT_CHARACTERS), min(len(text), end + CONTEXT_CHARACTERS)
    before = ("…" if first else "") + squeeze_spaces(text[first:start])
    after = squeeze_spaces(text[end:last]) + ("…" if last < len(text) else "")
    return Hit(before, text[start:end], after)


def squeeze_spaces(text: str) -> str:
    return re.sub(r"\s+", " ", text)
