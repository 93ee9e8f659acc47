from __future__ import annotations

import pytest

from seamark.plugin import RequestError
from seamark.team.access import rate_limits
from seamark.team.access.rate_limits import RateLimits, TokenBuckets


def test_a_bucket_gives_a_burst_and_then_a_rate() -> None:
    buckets = TokenBuckets(per_sec=2, burst=3)
    assert [buckets.wait_secs("ada", 100.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert buckets.wait_secs("grace", 100.0) == 0.0
    assert buckets.wait_secs("ada", 100.25) == pytest.approx(0.25)
    assert [buckets.wait_secs("ada", 100.5), buckets.wait_secs("ada", 1000.0)] == [0.0, 0.0]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 10)
    buckets = TokenBuckets(per_sec=1, burst=2)
    for n in range(1000):
        assert buckets.wait_secs(str(n), 0.0) == 0.0
    assert len(buckets._buckets) <= 10


def test_the_error_says_how_long_to_wait() -> None:
    limits = RateLimits(sign_ins=TokenBuckets(per_sec=0.1, burst=1))
    limits.check_sign_in("192.0.2.1")
    limits.check_sign_in("192.0.2.2")
    with pytest.raises(RequestError, match="try again in 10 s") as caught:
        limits.check_sign_in("192.0.2.1")
    limits.check_sign_in("2001:db8::1")
    with pytest.raises(RequestError, match="try again"):
        limits.check_sign_in("2001:db8::2")
    assert caught.value.status == 429 and caught.value.details == {"retry_after_secs": 10}
