"""What known devices can do at most, for traces that do not say it.

Nominal figures as their vendors publish them, dense (without sparsity); a TPU for each chip. Real programs stay below.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TERA, GIGA = 1e12, 1e9


class DevicePeaks(NamedTuple):
    name: str
    half: float  # FLOPs a second in 16 bits, on matrix units
    single: float  # FLOPs a second in 32 bits, without TF32
    bandwidth: float  # bytes a second of its memory


# The first pattern that fits the name counts. TFLOP/s in 16 and in 32 bits, GB/s.
TABLE: tuple[tuple[str, float, float, float], ...] = (
    (r"B200", 2250, 75, 8000),
    (r"H200", 989.4, 66.9, 4800),
    (r"H100 PCIe", 756, 51.2, 2000),
    (r"H100", 989.4, 66.9, 3350),
    (r"A100.*PCI.*80\s?GB", 312, 19.5, 1935),
    (r"A100.*80\s?GB", 312, 19.5, 2039),
    (r"A100", 312, 19.5, 1555),
    (r"V100-PCI", 112, 14, 900),
    (r"V100", 125, 15.7, 900),
    (r"L40S", 362, 91.6, 864),
    (r"\bL4\b", 121, 30.3, 300),
    (r"\bA10\b", 125, 31.2, 600),
    (r"\bT4\b", 65, 8.1, 320),
    (r"RTX 4090", 165.2, 82.6, 1008),
    (r"RTX 3090(?! Ti)", 71, 35.6, 936),
    (r"MI325X", 1307.4, 163.4, 6000),
    (r"MI300X", 1307.4, 163.4, 5300),
    # A GPU is one of the two dies of the card.
    (r"MI250X", 191.5, 23.9, 1638),
    (r"MI250\b", 181, 22.6, 1638),
    (r"MI210", 181, 22.6, 1638),
    (r"TPU v6", 918, 0, 1640),
    # "lite" is v5e; the plain name is v5p.
    (r"TPU v5 ?(lite|e)", 197, 0, 819),
    (r"TPU v5", 459, 0, 2765),
    (r"TPU v4", 275, 0, 1228),
)


def peaks_of_device(name: str) -> DevicePeaks | None:
    """None: not in the table."""
    for pattern, half, single, bandwidth in TABLE:
        if re.search(pattern, name, re.IGNORECASE):
            return DevicePeaks(name, half * TERA, single * TERA, bandwidth * GIGA)
    return None
