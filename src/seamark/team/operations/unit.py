"""A systemd unit for a team server, which may write nothing but its own folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

UNIT = """\
# Save as /etc/systemd/system/seamark-team.service, then: systemctl enable --now seamark-team
# The user has to exist and to own the folder.
[Unit]
Description=Seamark team server
After=network-online.target
Wants=network-online.target

[Service]
ExecStart={command}
User={user}
Restart=on-failure
RestartSec=2
# Open responses and the index get a second; uploads that were acknowledged are on the disk.
TimeoutStopSec=30
KillSignal=SIGINT
LimitNOFILE=65536
UMask=0077

NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths={folder}
ProtectHome={protect_home}
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
CapabilityBoundingSet={capabilities}
AmbientCapabilities={capabilities}

[Install]
WantedBy=multi-user.target
"""
NEEDS_QUOTES = re.compile(r"""[\s"'\\;]|^$""")
# The folders that systemd hides with ProtectHome=yes.
HIDDEN_BY_PROTECT_HOME = [Path("/", name) for name in ("home", "root", "run/user")]


def systemd_unit(folder: Path, flags: Sequence[str], *, port: int | None, user: str) -> str:
    """`flags` are those of `seamark team serve`."""
    program = Path(sys.argv[0]).resolve() if Path(sys.argv[0]).name == "seamark" else None
    words = [str(program)] if program else [sys.executable, "-m", "seamark"]
    path = folder.resolve()
    command = " ".join(quoted(word.replace("$", "$$")) for word in [*words, "team", "serve", str(path), *flags])
    # There a stricter setting would hide the folder, or the program, from its own server.
    at_home = any(each.is_relative_to(home) for each in (path, Path(words[0])) for home in HIDDEN_BY_PROTECT_HOME)
    return UNIT.format(
        command=command,
        user=user,
        folder=quoted(str(path)),
        protect_home="read-only" if at_home else "yes",
        capabilities="CAP_NET_BIND_SERVICE" if port is not None and 0 < port < 1024 else "",
    )


def quoted(word: str) -> str:
    """As systemd reads settings: a % starts a specifier. Only in command lines does a $ start a variable."""
    escaped = word.replace("\\", "\\\\").replace("%", "%%").replace('"', '\\"')
    return f'"{escaped}"' if NEEDS_QUOTES.search(word) else escaped
