"""Wrapping and unwrapping functions, also with wrappers of other libraries."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from seamark.integrations.autolog import autolog
from seamark.integrations.patch import all_of, call_with_callback, wrapped
from seamark.integrations.tables import importance_table
from seamark.write.run.config.session import flatten_hparams


class Parent:
    def greet(self, name: str) -> str:
        return f"hello {name}"


class Child(Parent):
    pass


def loud(greet: Any, *args: Any) -> str:
    return greet(*args).upper()


def test_what_was_wrapped_is_as_before_afterwards() -> None:
    original = Parent.greet
    undo = wrapped(Parent, "greet", loud)
    assert Child().greet("you") == "HELLO YOU"
    assert Parent.greet.__name__ == "greet"
    undo()
    undo()
    assert Parent.greet is original


def test_a_method_that_is_only_inherited_is_inherited_again() -> None:
    wrapped(Child, "greet", loud)()
    assert "greet" not in vars(Child)


def test_another_wrapper_on_top_survives_and_ours_falls_silent() -> None:
    owner = SimpleNamespace(greet=lambda name: f"hello {name}")
    undo = wrapped(owner, "greet", loud)
    ours = owner.greet
    owner.greet = lambda name: f"<{ours(name)}>"
    undo()
    assert owner.greet("you") == "<hello you>"


def test_several_are_undone_together() -> None:
    first, second = SimpleNamespace(greet=str), SimpleNamespace(greet=str)
    all_of(wrapped(first, "greet", loud), wrapped(second, "greet", loud))()
    assert first.greet is second.greet is str


def train(data: int, rounds: int = 1, callbacks: list[Any] | None = None) -> list[Any]:
    return list(callbacks or ())


@pytest.mark.parametrize(
    "call", [((1, 2, ["theirs"]), {}), ((1,), {"callbacks": ("theirs",)}), ((1,), {"callbacks": "theirs"})]
)
def test_a_callback_joins_those_that_are_there_however_they_are_passed(call: Any) -> None:
    assert call_with_callback(train, *call, kind=int, make=lambda: 5) == ["theirs", 5]


def test_a_second_of_the_same_kind_is_not_added() -> None:
    assert call_with_callback(train, (1,), {"callbacks": [7]}, kind=int, make=lambda: 5) == [7]


def test_hyperparameters_become_plain() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    given = {"a": {"b": 1, "c": {"d": None}}, "list": [{"x": True}], "odd": Odd(), "type": int, "empty": []}
    assert flatten_hparams(given) == {
        "a/b": 1,
        "a/c/d": "None",
        "list/0/x": True,
        "odd": "odd",
        "type": "<class 'int'>",
        "empty": "[]",
    }


def test_a_table_of_hostile_names_stays_a_table() -> None:
    table = importance_table({"a|b\n": 1.0, **{f"f{n}": 0.0 for n in range(200)}})
    assert table.splitlines()[2] == "| a\\|b  | 1 |"
    assert table.endswith("101 more")


def test_autolog_refuses_names_it_does_not_know() -> None:
    with pytest.raises(ValueError, match=r"got \['xgbost'\], want some of \[.*'xgboost'"):
        autolog(only=["xgbost"])
    assert autolog(only=[]) == autolog(disable=True) == ()
