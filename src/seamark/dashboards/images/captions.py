"""Captions of images: the text that a run logged as `<tag>/caption` at the same step."""

from __future__ import annotations

import logging

import numpy as np

from seamark.format.types import RunName, Tag
from seamark.kinds import text
from seamark.kinds.payload import DecodeError
from seamark.store import PayloadGoneError, RunStore, UnknownSeriesError

LOG = logging.getLogger(__name__)
SUFFIX = "/caption"
MAX_CAPTION_BYTES = 1 << 20
MAX_CHARACTERS = 2_000


def captions_of(store: RunStore, run: RunName, tag: Tag, step: int, *, samples: int) -> list[str]:
    """One caption for each sample, "" for those without."""
    return [caption[:MAX_CHARACTERS] for caption in distribute(read_captions(store, run, tag, step), samples)]


def read_captions(store: RunStore, run: RunName, tag: Tag, step: int) -> list[str]:
    """The newest text of this step; none if it is longer than a caption."""
    caption_tag = Tag(f"{tag}{SUFFIX}")
    try:
        listed = store.payloads(run, caption_tag, text.PLUGIN_NAME, attempts="all")
        found = np.flatnonzero((listed.steps == step) & (listed.lengths <= MAX_CAPTION_BYTES))
        if found.size == 0:
            return []
        strings = text.decode(store.payload(run, caption_tag, text.PLUGIN_NAME, int(listed.index[found[-1]]))).strings
    except UnknownSeriesError:
        return []
    except (PayloadGoneError, DecodeError) as error:
        LOG.info("left out: the caption of step %s of '%s' in '%s': %s", step, tag, run, error)
        return []
    return [str(string) for string in strings.ravel()]


def distribute(captions: list[str], samples: int) -> list[str]:
    """One caption per sample. Earlier versions wrote one text with a paragraph per sample, "–" for none."""
    if len(captions) == 1 and samples > 1:
        paragraphs = captions[0].split("\n\n")
        if len(paragraphs) == samples:
            captions = ["" if paragraph == "–" else paragraph for paragraph in paragraphs]
    return [*captions, *[""] * samples][:samples]
