"""The activity of each slice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import find_activities
from seamark.profiles.profile import Profile


def find_slice_activities(profile: Profile) -> NDArray[np.uint8]:
    activities = profile.get(find_activities)
    return activities[profile.trace.name] if len(activities) else np.empty(0, np.uint8)
