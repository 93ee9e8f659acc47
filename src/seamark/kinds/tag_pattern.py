"""Tags that a regular expression finds, as TensorBoard finds them: Python's `re`, matched at the beginning of the tag.

Patterns come out of log directories. One that takes for ever must not take the server with it, so those of a form that
can are tried in a process of their own, for a moment.
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
    "pattern, tags = json.load(sys.stdin)\n"
    "regex = re.compile(pattern)\n"
    "json.dump([at for at, tag in enumerate(tags) if regex.match(tag)], sys.stdout)\n"
)


class BadPatternError(ValueError):
    """Nothing can be found with it; the message says why."""


def matching_tags(pattern: str, tags: Sequence[str]) -> list[str]:
    if not pattern:
        raise BadPatternError("the regular expression is empty")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise BadPatternError(f"the regular expression is too long: {len(pattern):,} characters")
    try:
        regex = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadPatternError(f"not a regular expression ({error})") from None
    if not may_take_long(pattern):
        return [tag for tag in tags if regex.match(tag)]
    return matched_elsewhere(pattern, tags)


def may_take_long(pattern: str) -> bool:
    bare = re.sub(r"\\[^\dA-Za-z]", "", pattern)
    return bool(REPEATED_GROUP.search(bare)) or len(OPEN_REPETITION.findall(bare)) > MOST_REPETITIONS


def matched_elsewhere(pattern: str, tags: Sequence[str]) -> list[str]:
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", SCRIPT],
            input=json.dumps([pattern, list(tags)]).encode(),
            capture_output=True,
            timeout=PATIENCE_SECS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise BadPatternError("the regular expression takes too long; say it with fewer repetitions") from None
    except (subprocess.CalledProcessError, OSError) as error:
        raise BadPatternError(f"the regular expression could not be tried ({error})") from None
    return [tags[at] for at in json.loads(done.stdout)]
