"""Turns terminal output into lines of text: a progress bar that was drawn a thousand times becomes one line."""

from __future__ import annotations

import re

# Escape sequences: colours, cursor movements, titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
# An incomplete sequence at the end of the text.
_OPEN_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*)?\Z")
MAX_LINE_CHARACTERS = 20_000


class TerminalLineFilter:
    """Takes the text of one stream and returns finished lines."""

    def __init__(self) -> None:
        self._line = ""
        self._escape = ""

    def feed(self, text: str) -> str:
        """Returns the lines that this text finishes, and keeps the unfinished one."""
        text = self._escape + text
        opening = _OPEN_ESCAPE.search(text)
        # A sequence this long is ordinary text.
        self._escape = opening[0] if opening and len(opening[0]) < 200 else ""
        text = _ESCAPES.sub("", text.removesuffix(self._escape))
        *finished, rest = (self._line + text).split("\n")
        # Text after a carriage return overwrites the line; a return at the end waits for more text.
        self._line = _visible(rest) + ("\r" if rest.endswith("\r") else "")
        if len(self._line) > MAX_LINE_CHARACTERS:
            finished, self._line = [*finished, self._line], ""
        return "".join(f"{_visible(line)}\n" for line in finished)

    def rest(self) -> str:
        """Returns the unfinished line at the end of the stream."""
        line, self._line, self._escape = _visible(self._line), "", ""
        return f"{line}\n" if line else ""


def _visible(line: str) -> str:
    return line.rstrip("\r").rpartition("\r")[2]
