"""Which texts a regular expression finds; and of tags, as TensorBoard finds them: matched at the beginning of the tag.

Patterns come out of log directories and from whoever asks. One that takes for ever must not take the server with it, so
those of a form that can are tried in a process of their own, for a moment.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

# With room for a busy machine to start a process.
PATIENCE_SECS = 2.0
# A repeated group can take exponential time; so many open repetitions, or a reference back, a high power of the length.
REPEATED_GROUP = re.compile(r"\)[*+{]|\\\d|\(\?P=")
OPEN_REPETITION = re.compile(r"[*+}]")
MOST_REPETITIONS = 3
MAX_PATTERN_CHARS = 10_000
SCRIPT = (
    "import json, re, sys\n"
    "pattern, flags, anywhere, texts = json.load(sys.stdin)\n"
    "regex = re.compile(pattern, flags)\n"
    "find = regex.search if anywhere else regex.match\n"
    "json.dump([find(text) is not None for text in texts], sys.stdout)\n"
)


class BadPatternError(ValueError):
    """Nothing can be found with it; the message says why."""


def matching_tags(pattern: str, tags: Sequence[str]) -> list[str]:
    if not pattern:
        raise BadPatternError("the regular expression is empty")
    found = which_match(pattern, tags)
    return [tag for tag, is_found in zip(tags, found, strict=True) if is_found]


def which_match(pattern: str, texts: Sequence[str], *, anywhere: bool = False, ignore_case: bool = False) -> list[bool]:
    """`anywhere`: not only at the beginning of a text."""
    if len(pattern) > MAX_PATTERN_CHARS:
        raise BadPatternError(f"the regular expression is too long: {len(pattern):,} characters")
    flags = int(re.IGNORECASE) if ignore_case else 0
    try:
        regex = re.compile(pattern, flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadPatternError(f"not a regular expression ({error})") from None
    if may_take_long(pattern):
        return tried_elsewhere(pattern, flags, texts, anywhere=anywhere)
    find = regex.search if anywhere else regex.match
    return [find(text) is not None for text in texts]


def may_take_long(pattern: str) -> bool:
    bare = re.sub(r"\\[^\dA-Za-z]", "", pattern)
    return bool(REPEATED_GROUP.search(bare)) or len(OPEN_REPETITION.findall(bare)) > MOST_REPETITIONS


def tried_elsewhere(pattern: str, flags: int, texts: Sequence[str], *, anywhere: bool) -> list[bool]:
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-W", "ignore", "-c", SCRIPT],
            input=json.dumps([pattern, flags, anywhere, list(texts)]).encode(),
            capture_output=True,
            timeout=PATIENCE_SECS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise BadPatternError("the regular expression takes too long; say it with fewer repetitions") from None
    except (subprocess.CalledProcessError, OSError) as error:
        raise BadPatternError(f"the regular expression could not be tried ({error})") from None
    return [bool(is_found) for is_found in json.loads(done.stdout)]
