"""Reading JSON from run folders, within limits: anyone may have written it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

MAX_DEPTH = 100


class JsonError(ValueError):
    """The text is not JSON, or exceeds the limits. The message is a predicate without its subject."""


def loads(text: str | bytes) -> Any:
    """Bytes are UTF-8."""
    content = _decode(text)
    brackets = text.count("{") + text.count("[") if isinstance(text, str) else text.count(b"{") + text.count(b"[")
    if brackets > MAX_DEPTH:
        check_depth(content)
    return content


def _decode(text: str | bytes) -> Any:
    import msgspec  # here: writers start without it

    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass  # json also reads NaN and infinities, and says where the text is wrong
    try:
        return json.loads(text.decode() if isinstance(text, bytes) else text)
    except UnicodeDecodeError as error:
        raise JsonError(f"is not UTF-8: byte 0x{error.object[error.start]:02x} at {error.start}") from None
    except RecursionError:
        raise JsonError(f"is nested more than {MAX_DEPTH} levels deep") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"is not JSON: {str(error)[:200]}") from None
    except ValueError:  # an integer beyond sys.get_int_max_str_digits()
        raise JsonError("is not JSON: it has a number of too many digits") from None


def check_depth(content: Any) -> None:
    """So that code may walk the value by recursion."""
    level = containers([content])
    for _ in range(MAX_DEPTH):
        if not level:
            return
        level = [inner for one in level for inner in containers(one.values() if type(one) is dict else one)]
    if level:
        raise JsonError(f"is nested more than {MAX_DEPTH} levels deep")


def containers(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if type(value) is dict or type(value) is list]
