from __future__ import annotations

from typing import Any

import argon2
import pytest

from seamark.plugin import RequestError
from seamark.team.accounts.passwords import MAX_CHARACTERS, Passwords


class CountingHasher(argon2.PasswordHasher):
    verified = 0

    def verify(self, *arguments: Any) -> bool:
        self.verified += 1
        return super().verify(*arguments)


@pytest.fixture
def hasher() -> CountingHasher:
    return CountingHasher(time_cost=1, memory_cost=64, parallelism=1)


def test_a_password_is_known_by_its_hash_only(hasher: CountingHasher) -> None:
    passwords = Passwords(hasher)
    first, second = (passwords.hash("correct horse battery") for _ in range(2))
    assert first != second and "correct" not in first and first.startswith("$argon2id$")
    assert passwords.is_right(first, "correct horse battery")
    assert not passwords.is_right(first, "correct horse batterx")


def test_an_unknown_account_costs_as_much_as_a_wrong_password(hasher: CountingHasher) -> None:
    passwords = Passwords(hasher)
    for hashed in (passwords.hash("correct horse battery"), None, ""):
        before = hasher.verified
        assert not passwords.is_right(hashed, "something else")
        assert hasher.verified == before + 1
    # The hash that stands in for a missing one opens nothing.
    assert not passwords.is_right(None, "the password of nobody")


def test_the_default_costs_are_those_of_the_rfc() -> None:
    hashed = Passwords().hash("correct horse battery")
    assert argon2.extract_parameters(hashed).memory_cost >= 64 * 1024


@pytest.mark.parametrize("password", ["", "short", "x" * (MAX_CHARACTERS + 1)])
def test_too_short_and_too_long_get_a_sentence(hasher: CountingHasher, password: str) -> None:
    with pytest.raises(RequestError, match="a password has 10 to 500 characters"):
        Passwords(hasher).hash(password)


def test_a_damaged_hash_is_no_password(hasher: CountingHasher) -> None:
    assert not Passwords(hasher).is_right("$argon2id$damaged", "anything at all")
