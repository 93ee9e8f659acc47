"""Captions of pictures: the text that a run logs as `<tag>/caption` at the step of a picture."""

from __future__ import annotations

import numpy as np

from seamark.format.types import RunName, Tag
from seamark.kinds import text
from seamark.kinds.payload import DecodeError
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

SUFFIX = "/caption"
MAX_CAPTION_BYTES = 1 << 20
MAX_CHARACTERS = 2_000


def captions_of(store: Store, run: RunName, tag: Tag, step: int, *, samples: int) -> list[str]:
    """One caption for each sample, "" for those without."""
    return [caption[:MAX_CHARACTERS] for caption in shared_out(logged(store, run, tag, step), samples)]


def logged(store: Store, run: RunName, tag: Tag, step: int) -> list[str]:
    """What was written last at this step; nothing where there is no text, or none that is a caption's length."""
    caption_tag = Tag(f"{tag}{SUFFIX}")
    try:
        listed = store.payloads(run, caption_tag, text.PLUGIN_NAME, attempts="all")
        found = np.flatnonzero((listed.steps == step) & (listed.lengths <= MAX_CAPTION_BYTES))
        if found.size == 0:
            return []
        strings = text.decode(store.payload(run, caption_tag, text.PLUGIN_NAME, int(listed.index[found[-1]]))).strings
    except (UnknownSeriesError, PayloadGoneError, DecodeError):
        return []
    return [str(string) for string in strings.ravel()]


def shared_out(captions: list[str], samples: int) -> list[str]:
    """A list has one for each sample. Earlier versions wrote one text, a paragraph for each sample, "–" for none."""
    if len(captions) == 1 and samples > 1:
        paragraphs = captions[0].split("\n\n")
        if len(paragraphs) == samples:
            captions = ["" if paragraph == "–" else paragraph for paragraph in paragraphs]
    return [*captions, *[""] * samples][:samples]
