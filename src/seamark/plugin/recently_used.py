"""RecentlyUsed: the values that were used last, each made once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class RecentlyUsed(Generic[T]):
    """Thread-safe. While one thread makes a value, others wait for that value only. One that fails is made again."""

    def __init__(self, max_values: int) -> None:
        self._max_values = max_values
        self._lock = threading.Lock()
        self._slots: OrderedDict[Hashable, _Slot[T]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            while len(self._slots) > self._max_values:
                self._slots.popitem(last=False)
        return slot.get(make)


class _Slot(Generic[T]):
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None

    def get(self, make: Callable[[], T]) -> T:
        with self._lock:
            if self._value is None:
                self._value = make()
            return self._value
