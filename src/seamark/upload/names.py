"""Names of runs and files as they are sent: relative paths with / between their parts."""

from __future__ import annotations

MAX_NAME_BYTES = 1024
MAX_PART_BYTES = 255


def name_problem(what: str, name: str) -> str:
    """Why a name cannot be used below a log directory, as a sentence; "" if it can."""
    try:
        length = len(name.encode())
    except UnicodeEncodeError:
        return f"the name of a {what} must be UTF-8"
    if not 0 < length <= MAX_NAME_BYTES:
        return f"the name of a {what} has 1 to {MAX_NAME_BYTES:,} bytes, got {length:,}"
    for part in name.split("/"):
        if not part:
            return f"the name of a {what} is a relative path without empty parts: '{name[:200]}'"
        # Hidden names are this program's own: what is being received, and what the trainer notes for itself.
        if part.startswith("."):
            return f"the name of a {what} must not have a part that begins with a dot: '{name[:200]}'"
        if len(part.encode()) > MAX_PART_BYTES:
            return f"a part of the name of a {what} has at most {MAX_PART_BYTES} bytes: '{name[:200]}'"
        if any(character < " " or character == "\x7f" for character in part) or "\\" in part:
            return f"the name of a {what} must not have control characters or backslashes: {name[:200]!r}"
    return ""
