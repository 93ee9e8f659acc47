"""The order of names: numbers by size, decimals too, and a run right before what is in its folder.

The page has the same order (web/src/base/tags.ts).
"""

from __future__ import annotations

import re

# A version (v1.10), an address (1.2.3.4) and a name of torch's (layers.0.10.weight) have no decimals.
_NUMBERS = re.compile(
    r"(?<![\d.v])(\d+)(?:\.(\d+))?e-(\d\d?)(?![\da-z.])|(?<![\d.v])(\d+)\.(\d+)(?![\d.])|\d+", re.ASCII
)
# Slashes separate first, then the ends of numbers; then these signs, in this order, before digits and letters.
_NUMBER_END = "\n"
_SIGNS = str.maketrans({"/": "\t", "_": "!", "!": '"', '"': "#", "#": "$"})


def name_key(name: str) -> str:
    """A sort key: layer2 before layer10, lr0.02 before lr0.1, whatever the case."""
    # The signs first: the ends of numbers are signs, too.
    return _NUMBERS.sub(_number_key, name.casefold().translate(_SIGNS))


def _number_key(number: re.Match[str]) -> str:
    whole, part, exponent, int_part, fraction = number.groups()
    if exponent is not None:
        digits = whole.rjust(int(exponent) + 1, "0")
        split = len(digits) - int(exponent)
        return _decimal_key(digits[:split], digits[split:] + (part or ""))
    return _decimal_key(int_part, fraction) if int_part is not None else _decimal_key(number[0], "")


def _decimal_key(whole: str, fraction: str) -> str:
    """Digits after their count; zeros in front do not count. Those behind the point count one by one."""
    plain = whole.lstrip("0") or "0"
    count = "9" * (len(plain) // 9) + str(len(plain) % 9)
    return f"{count}{plain}{''.join(f'.1{digit}' for digit in fraction.rstrip('0'))}{_NUMBER_END}"
