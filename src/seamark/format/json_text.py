"""JSON out of a run's folder: anyone may have written it, so it is read within limits."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

MAX_DEPTH = 100


class JsonError(ValueError):
    """Not JSON, or beyond the limits; the message is one sentence without the path."""


def loads(text: str | bytes) -> Any:
    try:
        content = json.loads(text)
    except RecursionError:
        raise JsonError(f"is nested more than {MAX_DEPTH} levels deep") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"is not JSON: {str(error)[:200]}") from None
    except ValueError:  # not UTF-8, or an integer beyond sys.get_int_max_str_digits()
        raise JsonError("is not JSON: it has a number of too many digits, or is not UTF-8") from None
    check_depth(content)
    return content


def check_depth(content: Any) -> None:
    """Whoever walks the value by recursion may rely on it."""
    level = containers([content])
    for _ in range(MAX_DEPTH):
        if not level:
            return
        level = [inner for one in level for inner in containers(one.values() if type(one) is dict else one)]
    if level:
        raise JsonError(f"is nested more than {MAX_DEPTH} levels deep")


def containers(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if type(value) is dict or type(value) is list]
