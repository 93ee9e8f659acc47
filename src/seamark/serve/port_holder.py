"""Who listens on a port, as far as this system and our rights let us see (Linux)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LISTENING = "0A"
LONGEST_COMMAND = 60


def port_holder(port: int, *, proc: Path = Path("/proc")) -> str:
    """ "process 1234 (tensorboard --logdir runs)", or "" when it cannot be known."""
    sockets = {f"socket:[{inode}]" for inode in listening_inodes(port, proc)}
    if not sockets:
        return ""
    for process in proc.glob("[0-9]*"):
        if has_one_of(process, sockets):
            return f"process {process.name} ({command_of(process)})"
    return ""


def listening_inodes(port: int, proc: Path) -> Iterator[str]:
    for name in ("tcp", "tcp6"):
        try:
            lines = (proc / "net" / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if len(fields) > 9 and fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]


def has_one_of(process: Path, sockets: set[str]) -> bool:
    try:
        return any(str(link.readlink()) in sockets for link in (process / "fd").iterdir())
    except OSError:
        return False  # somebody else's, or gone


def command_of(process: Path) -> str:
    try:
        words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "unknown"
    # An interpreter's name says nothing: the script it runs does.
    shown = " ".join(Path(word).name if at < 2 and "/" in word else word for at, word in enumerate(words) if word)
    printable = "".join(letter if letter.isprintable() else "?" for letter in shown)
    return printable if len(printable) <= LONGEST_COMMAND else printable[: LONGEST_COMMAND - 1] + "…"
