"""Regular expressions as arguments, matched by RE2 as on the server."""

from __future__ import annotations

import argparse

from seamark.format.patterns import BadPatternError, Pattern, compile_pattern


def pattern(text: str) -> Pattern:
    """Found anywhere in a name."""
    try:
        return compile_pattern(text, anywhere=True)
    except BadPatternError as error:
        raise argparse.ArgumentTypeError(f"{error}: '{text[:200]}'") from None
