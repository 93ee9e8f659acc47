"""run.config: a nested mapping with access by item and by attribute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from seamark.format.plain import mapping_of


class Config(MutableMapping[str, Any]):
    """`config["lr"]`, `config.lr`, `config.optimizer.lr`. Every change is written to run.json."""

    _values: dict[str, Any]
    _changed: Callable[[], None]

    def __init__(self, values: Any = None, *, changed: Callable[[], None] = lambda: None) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_changed", changed)
        if values is not None:
            self._fill(values)

    def _fill(self, values: Any) -> None:
        given = mapping_of(values)
        if given is None:
            raise TypeError(
                f"config needs names: got {type(values).__name__}, want a dict, an argparse Namespace, a dataclass "
                "or another mapping; vars(…) turns most objects into one"
            )
        for key, value in given.items():
            self._values[str(key)] = self._nested(value)

    def _nested(self, value: Any) -> Any:
        inner = value if isinstance(value, Config) else mapping_of(value)
        return value if inner is None else Config(inner, changed=self._changed)

    def update(self, values: Any = (), /, allow_val_change: bool = True, **further: Any) -> None:
        """Adds and replaces values. `allow_val_change` is accepted for compatibility with W&B and ignored."""
        if values != ():
            self._fill(values)
        self._fill(further)
        self._changed()

    def setdefaults(self, values: Any) -> None:
        given = mapping_of(values) or {}
        self.update({key: value for key, value in given.items() if str(key) not in self})

    def as_dict(self) -> dict[str, Any]:
        return {
            key: value.as_dict() if isinstance(value, Config) else value for key, value in list(self._values.items())
        }

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._values[str(key)] = self._nested(value)
        self._changed()

    def __delitem__(self, key: str) -> None:
        del self._values[key]
        self._changed()

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        values: dict[str, Any] = self.__dict__.get("_values", {})
        if name not in values:
            raise AttributeError(f"config has no '{name}'; it has {', '.join(sorted(values)) or 'nothing yet'}")
        return values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __reduce__(self) -> tuple[type[Config], tuple[dict[str, Any]]]:
        """Copies, also those in other processes, are not connected to the run."""
        return Config, (self.as_dict(),)

    def __repr__(self) -> str:
        return repr(self.as_dict())
