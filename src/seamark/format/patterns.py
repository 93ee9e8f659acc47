"""Matches regular expressions from users, links and log directories in linear time, with RE2.

Python's engine backtracks, so a short pattern can keep it busy for ever. RE2 has no backreferences and no look-around;
look-ahead at the beginning, as in `^(?!.*grad)`, is implemented here. Tags are matched from their beginning, as in
TensorBoard.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from seamark.format.surrogates import replace_surrogates

MAX_PATTERN_CHARS = 2_000
# Only the beginning of longer texts is matched.
MAX_TEXT_CHARS = 2_000
# For a compiled pattern and its states. Beyond it, compiling fails or matching is slower.
MAX_MEMORY_BYTES = 2 << 20
MAX_SECS = 2.0
# Without repetition and alternatives Python's engine is safe as well, and ten times as fast to call.
PLAIN = re.compile(r"(?:[^\\*+?{}()|\[\]]|\\[^\dA-Za-z])*")
# Groups that RE2 does not support.
LOOK_AROUND = re.compile(r"\(\?(?:[=!]|<[=!])")
LOOK_AROUND_MESSAGE = "look-around is supported at the beginning only, as in ^(?!…): it is slow elsewhere"


class BadPatternError(ValueError):
    """The pattern cannot be used; the message is the reason."""


class Pattern(NamedTuple):
    """`find` must match, and each test of `ahead` must match or fail at the beginning, as its flag says."""

    find: Callable[[str], Any]
    ahead: tuple[tuple[Callable[[str], Any], bool], ...] = ()

    def is_found(self, text: str) -> bool:
        text = text[:MAX_TEXT_CHARS]
        return all((test(text) is not None) is wanted for test, wanted in self.ahead) and self.find(text) is not None


def matching_tags(pattern: str, tags: Sequence[str], *, max_secs: float = MAX_SECS) -> list[str]:
    if not pattern:
        raise BadPatternError("the regular expression is empty")
    found = which_match(pattern, tags, max_secs=max_secs)
    return [tag for tag, is_found in zip(tags, found, strict=True) if is_found]


def which_match(
    pattern: str,
    texts: Iterable[str],
    *,
    anywhere: bool = False,
    ignore_case: bool = False,
    max_secs: float = MAX_SECS,
) -> list[bool]:
    """Whether each text matches, at its beginning or `anywhere`. Raises BadPatternError after `max_secs`."""
    compiled = compile_pattern(pattern, anywhere=anywhere, ignore_case=ignore_case)
    deadline = time.monotonic() + max_secs
    found: list[bool] = []
    for text in texts:
        if time.monotonic() > deadline:
            raise BadPatternError(f"the regular expression takes too long: it was tried on {len(found):,} texts")
        found.append(compiled.is_found(text))
    return found


@lru_cache(maxsize=64)
def compile_pattern(pattern: str, *, anywhere: bool = False, ignore_case: bool = False) -> Pattern:
    if len(pattern) > MAX_PATTERN_CHARS:
        raise BadPatternError(
            f"the regular expression is too long: got {len(pattern):,} characters, want at most {MAX_PATTERN_CHARS:,}"
        )
    if PLAIN.fullmatch(pattern):
        regex = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
        return Pattern(regex.search if anywhere else regex.match)
    flags, ahead, rest = split_look_ahead(pattern, anywhere=anywhere)
    if not ahead:
        return Pattern(_compile(pattern, ignore_case=ignore_case, anywhere=anywhere))
    tests = tuple((_compile(flags + inner, ignore_case=ignore_case), wanted) for inner, wanted in ahead)
    return Pattern(_compile(flags + rest, ignore_case=ignore_case), tests)


def _compile(pattern: str, *, ignore_case: bool, anywhere: bool = False) -> Callable[[str], Any]:
    import re2

    options = re2.Options()
    options.max_mem = MAX_MEMORY_BYTES
    options.log_errors = False
    options.never_capture = True  # only whether it matches: the fastest mode
    options.case_sensitive = not ignore_case
    try:
        regex = re2.compile(as_re2(pattern), options)
    except (re2.error, UnicodeEncodeError) as error:
        raise BadPatternError(reason_of(pattern, error)) from None
    find = regex.search if anywhere else regex.match
    return lambda text: find(replace_surrogates(text))


def as_re2(pattern: str) -> str:
    r"""Translates Python's `\Z` and `{,3}`, which RE2 writes differently."""
    return re.sub(r"(\\.)|\{,(\d+)\}", _translated, pattern, flags=re.DOTALL)


def _translated(found: re.Match[str]) -> str:
    if found[1] is None:
        return f"{{0,{found[2]}}}"
    return r"\z" if found[1] == r"\Z" else found[1]


def reason_of(pattern: str, error: Exception) -> str:
    detail = error.args[0] if error.args else ""
    text = detail.decode(errors="replace") if isinstance(detail, bytes) else str(detail)
    if LOOK_AROUND.search(pattern) and "(?" in text:
        return LOOK_AROUND_MESSAGE
    if re.search(r"invalid escape sequence: \\\d", text) or "(?P=" in pattern:
        return "backreferences such as \\1 are not supported in regular expressions"
    return f"not a regular expression ({text[:100]})"


def split_look_ahead(pattern: str, *, anywhere: bool) -> tuple[str, list[tuple[str, bool]], str]:
    """Splits a pattern into its flags, the look-aheads at the beginning (and whether each must match), and the rest.

    `^(?!a)b` matches texts that begin with b and not with a. Look-aheads are not split off if that would change the
    meaning: if the pattern is not anchored, or has alternatives at the top level.
    """
    head = re.match(r"(\(\?[ims]+\))?(\^|\\A)?", pattern)
    flags, start = (head[1] or "", head[2] or "") if head else ("", "")
    rest = pattern[len(flags) + len(start) :]
    ahead: list[tuple[str, bool]] = []
    if anywhere and (not start or "m" in flags):
        return flags, [], rest
    while rest.startswith(("(?!", "(?=")):
        stop, _ = scan(rest)
        if stop < 0:
            return flags, [], rest  # not closed: RE2 reports it
        ahead.append((rest[3:stop], rest[2] == "="))
        rest = rest[stop + 1 :]
    return (flags, [], rest) if scan(f"({rest})")[1] else (flags, ahead, rest)


def scan(text: str) -> tuple[int, bool]:
    """For a text that begins with "(": the end of that group, or -1, and whether it has alternatives."""
    depth, is_choice, in_class, at = 0, False, False, 0
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif in_class:
            in_class = letter != "]"
        elif letter == "[":
            in_class = True
            at += text[at + 1 : at + 2] == "^"
            at += text[at + 1 : at + 2] == "]"  # a "]" at the start is literal
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                return at, is_choice
        elif letter == "|" and depth == 1:
            is_choice = True
        at += 1
    return -1, is_choice
