"""Search: slices by the text of their name."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.format.patterns import which_match
from seamark.profiles.profile import Profile
from seamark.profiles.window import find_slices


class Matches(NamedTuple):
    slices: NDArray[np.uint32]  # the first ones, by start
    total: int
    longest: int  # -1: none


def search_slices(profile: Profile, text: str, *, is_regex: bool, limit: int) -> Matches:
    """Slices whose name contains a text or matches a regular expression anywhere; upper and lower case are equal.

    Raises BadPatternError.
    """
    texts = (entry.text for entry in profile.trace.names)
    pattern = text if is_regex else re.escape(text)
    found = which_match(pattern, texts, anywhere=True, ignore_case=True) if text else []
    return Matches(*profile.get(find_slices).search(np.array(found, np.uint8), limit))
