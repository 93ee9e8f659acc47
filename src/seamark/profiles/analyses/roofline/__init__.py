"""Roofline: operations with known FLOPs and bytes against what the device can do."""

from seamark.profiles.analyses.roofline.find import find_roofline as find_roofline
from seamark.profiles.analyses.roofline.find import has_flops as has_flops
