"""Openings: which visits have a line in the audit log already. A page that asks every second adds one an hour."""

from __future__ import annotations

import threading

from seamark.team.access.principal import Principal

AGAIN_SECS = 3600.0
MAX_ENTRIES = 50_000


class Openings:
    """Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[tuple[str, str], float] = {}

    def is_new(self, principal: Principal, what: str, now: float) -> bool:
        """Whether this is the first visit within an hour. `what` names a project or a share."""
        visitor = f"{principal.user.id if principal.user else principal.address} {principal.via}"
        key = (visitor, what)
        with self._lock:
            if self._opened.get(key, float("-inf")) > now - AGAIN_SECS:
                return False
            if len(self._opened) >= MAX_ENTRIES:
                self._opened = {each: at for each, at in self._opened.items() if at > now - AGAIN_SECS}
            if len(self._opened) >= MAX_ENTRIES:
                self._opened.clear()  # rather a line too many than memory without end
            self._opened[key] = now
            return True

    def forget(self, principal: Principal) -> None:
        """After a new sign-in, whose visits count again."""
        user = principal.user.id if principal.user else principal.address
        with self._lock:
            self._opened = {key: at for key, at in self._opened.items() if not key[0].startswith(f"{user} ")}
