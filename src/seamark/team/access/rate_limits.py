"""Rate limits: token buckets in memory, by address and by account."""

from __future__ import annotations

import math
import threading
import time

from seamark.plugin import RequestError
from seamark.plugin.response import RETRY_AFTER
from seamark.team.access.networks import network_of
from seamark.team.access.principal import Principal

MAX_KEYS = 50_000


class TokenBuckets:
    """Each key may do `burst` requests at once, and `per_sec` in the long run. Any thread may call any method."""

    def __init__(self, *, per_sec: float, burst: float) -> None:
        self._per_sec = per_sec
        self._burst = burst
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}  # requests left, at this time

    def wait_secs(self, key: str, now: float) -> float:
        """Takes one request out of a bucket. Not 0 if it is empty: the seconds until it is not."""
        with self._lock:
            left = self._left(key, now)
            if left < 1.0:
                return (1.0 - left) / self._per_sec
            if key not in self._buckets and len(self._buckets) >= MAX_KEYS:
                self._drop_full(now)
            self._buckets[key] = (left - 1.0, now)
            return 0.0

    def _left(self, key: str, now: float) -> float:
        left, at = self._buckets.get(key, (self._burst, now))
        return min(self._burst, left + (now - at) * self._per_sec)

    def _drop_full(self, now: float) -> None:
        self._buckets = {key: found for key, found in self._buckets.items() if self._left(key, now) < self._burst}
        if len(self._buckets) >= MAX_KEYS:
            self._buckets.clear()


class RateLimits:
    """Far above what a page or a trainer needs: they stop programs that run wild, and guesses."""

    def __init__(
        self,
        *,
        sign_ins: TokenBuckets | None = None,
        visitors: TokenBuckets | None = None,
        accounts: TokenBuckets | None = None,
    ) -> None:
        self._sign_ins = sign_ins or TokenBuckets(per_sec=1, burst=60)
        self._visitors = visitors or TokenBuckets(per_sec=100, burst=1000)
        # A service token may be that of two hundred trainers.
        self._accounts = accounts or TokenBuckets(per_sec=1000, burst=5000)

    def check_sign_in(self, address: str) -> None:
        """For whatever takes a secret: sign-ins, codes, passwords of links. Raises RequestError."""
        self._check(self._sign_ins, network_of(address))

    def check_address(self, address: str) -> None:
        """Before anything is asked of the database for somebody unknown. Raises RequestError."""
        self._check(self._visitors, network_of(address))

    def check_account(self, principal: Principal) -> None:
        """Raises RequestError."""
        found = principal.token or principal.user
        assert found is not None
        self._check(self._accounts, found.id)

    def _check(self, buckets: TokenBuckets, key: str) -> None:
        wait = buckets.wait_secs(key, time.monotonic())
        if wait > 0:
            raise too_many_requests("too many requests", wait)


def too_many_requests(what: str, wait_secs: float) -> RequestError:
    seconds = math.ceil(wait_secs)
    return RequestError(f"{what}; try again in {seconds} s", code="too_many_requests", details={RETRY_AFTER: seconds})
