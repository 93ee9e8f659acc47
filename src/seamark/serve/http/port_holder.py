"""Which process listens on a port, if /proc shows it (Linux)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LISTENING = "0A"
MAX_COMMAND_LENGTH = 60


def port_holder(port: int, *, proc: Path = Path("/proc")) -> str:
    """ "process 1234 (tensorboard --logdir runs)", or "" if it is unknown."""
    sockets = {f"socket:[{inode}]" for inode in listening_inodes(port, proc)}
    if not sockets:
        return ""
    for process in proc.glob("[0-9]*"):
        if has_socket(process, sockets):
            return f"process {process.name} ({read_command(process)})"
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


def has_socket(process: Path, sockets: set[str]) -> bool:
    try:
        return any(str(link.readlink()) in sockets for link in (process / "fd").iterdir())
    except OSError:
        return False  # of another user, or ended


def read_command(process: Path) -> str:
    try:
        words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "unknown"
    # Without the folders of the interpreter and of its script.
    shown = " ".join(Path(word).name if index < 2 and "/" in word else word for index, word in enumerate(words) if word)
    printable = "".join(character if character.isprintable() else "?" for character in shown)
    return printable if len(printable) <= MAX_COMMAND_LENGTH else printable[: MAX_COMMAND_LENGTH - 1] + "…"
