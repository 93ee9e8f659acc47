"""Terminal output as a person remembers it: a progress bar that was drawn a thousand times is one line."""

from __future__ import annotations

import re

# Colours, cursor movements, titles: what a terminal obeys and a reader must not see.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
# The start of a sequence whose end has not been written yet.
_OPEN_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*)?\Z")
MAX_LINE_CHARACTERS = 20_000


class Folder:
    """One stream of text in, whole lines out."""

    def __init__(self) -> None:
        self._line = ""
        self._escape = ""

    def feed(self, text: str) -> str:
        """The lines that are finished by this text; the unfinished one is kept."""
        text = self._escape + text
        opening = _OPEN_ESCAPE.search(text)
        # A sequence that never ends is no sequence.
        self._escape = opening[0] if opening and len(opening[0]) < 200 else ""
        text = _ESCAPES.sub("", text.removesuffix(self._escape))
        *finished, rest = (self._line + text).split("\n")
        # What follows a carriage return is drawn over the line; a return at the very end waits for what comes.
        self._line = _drawn(rest) + ("\r" if rest.endswith("\r") else "")
        if len(self._line) > MAX_LINE_CHARACTERS:
            finished, self._line = [*finished, self._line], ""
        return "".join(f"{_drawn(line)}\n" for line in finished)

    def rest(self) -> str:
        """The unfinished line, when nothing follows any more."""
        line, self._line, self._escape = _drawn(self._line), "", ""
        return f"{line}\n" if line else ""


def _drawn(line: str) -> str:
    return line.rstrip("\r").rpartition("\r")[2]
