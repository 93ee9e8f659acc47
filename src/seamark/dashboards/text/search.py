"""Full-text search over everything that was logged as text: read from the event files as it goes, nothing is kept.

A request looks for a while and says where it stopped; the next one goes on from there. So memory is that of one text
or one piece of a long one, and no request holds a thread for long, whatever the runs hold.
"""

from __future__ import annotations

import codecs
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from seamark.dashboards.text.reading import KIND, LoggedText
from seamark.format.types import RunName, Tag
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

MAX_QUERY = 200
MAX_WORDS = 10
MAX_MATCHES = 100
BUDGET_SECS = 0.7
AROUND = 70  # characters of context on either side
WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Place:
    run: str
    tag: str
    index: int


@dataclass
class Found:
    matches: list[dict[str, Any]] = field(default_factory=list)
    searched: int = 0
    unread: int = 0  # texts that could not be read
    next: Place | None = None


@dataclass(frozen=True)
class Hit:
    before: str
    hit: str
    after: str


def words_of(query: str) -> list[str]:
    """The words, all of which must occur; what stands in quotes is one."""
    words = [quoted or word for quoted, word in WORD.findall(query[:MAX_QUERY])]
    return words[:MAX_WORDS]


def search(
    store: Store,
    words: Sequence[str],
    *,
    runs: Collection[str] | None = None,
    start: Place | None = None,
    limit: int = MAX_MATCHES,
    budget_secs: float = BUDGET_SECS,
    clock: Callable[[], float] = time.monotonic,
) -> Found:
    found = Found()
    until = clock() + budget_secs
    for place, step, wall, length in texts(store, runs, start):
        # At least one text is read, so that asking again always gets on.
        if len(found.matches) >= limit or (found.searched and clock() > until):
            found.next = place
            return found
        found.searched += 1
        logged = LoggedText(store, RunName(place.run), Tag(place.tag), place.index, length=length)
        try:
            hit = first_hit(logged, words)
        except (ValueError, PayloadGoneError, UnknownSeriesError):
            found.unread += 1
            continue
        if hit is not None:
            found.matches.append({**asdict(place), "step": step, "wall": wall, **vars(hit)})
    return found


def texts(store: Store, runs: Collection[str] | None, start: Place | None) -> Iterator[tuple[Place, int, float, int]]:
    """Every text from `start` on, by run, tag and place."""
    for info in store.series(kind=KIND):
        if runs is not None and info.run not in runs:
            continue
        if start is not None and (info.run, info.tag) < (start.run, start.tag):
            continue
        first = start.index if start is not None and (info.run, info.tag) == (start.run, start.tag) else 0
        try:
            listed = store.payloads(info.run, info.tag, KIND)
        except UnknownSeriesError:  # gone since it was listed
            continue
        for index, step, wall, length in zip(
            listed.index.tolist(), listed.steps.tolist(), listed.walls.tolist(), listed.lengths.tolist(), strict=True
        ):
            if index >= first:
                yield Place(info.run, info.tag, index), step, wall, length


def first_hit(logged: LoggedText, words: Sequence[str]) -> Hit | None:
    """Where the first word stands, if all of them occur somewhere in the text."""
    missing = dict(enumerate(words))
    hit: Hit | None = None
    for piece in pieces(logged):
        lowered = piece.lower()
        for place, word in list(missing.items()):
            start = lowered.find(word.lower())
            if start < 0:
                continue
            del missing[place]
            if hit is None or place == 0:
                hit = around(piece, lowered, start, word)
        if not missing:
            return hit
    return None


def pieces(logged: LoggedText) -> Iterator[str]:
    """The text; a long one in parts that overlap, so that no word is cut in two."""
    if not logged.is_long:
        yield "\n".join(logged.whole().strings.ravel().tolist())
        return
    for span in logged.spans():
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        tail = ""
        for data in logged.pieces_of(span):
            piece = tail + decoder.decode(data)
            yield piece
            tail = piece[-MAX_QUERY:]


def around(text: str, lowered: str, start: int, word: str) -> Hit:
    if len(lowered) != len(text):  # a few letters grow when they are lowered: places are those of the lowered text
        text = lowered
    end = start + len(word.lower())
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    before = ("…" if first else "") + squeezed(text[first:start])
    after = squeezed(text[end:last]) + ("…" if last < len(text) else "")
    return Hit(before, text[start:end], after)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)
