"""Two profiles side by side, and which change explains the difference."""

from seamark.profiles.comparison.find import compare_profiles as compare_profiles
from seamark.profiles.comparison.sentences import PART_NAMES as PART_NAMES
