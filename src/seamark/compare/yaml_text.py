"""YAML as people write configurations in: numbers like 1e-3 are numbers, and tags of other programs are let be."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

# YAML 1.1 wants "1.0e-3"; everybody writes "1e-3" and means the same.
PLAIN_FLOAT = re.compile(r"[-+]?(?:\d[\d_]*)(?:\.\d*)?[eE][-+]?\d+$")
# What constructors of values raise when something is not what a resolver took it for.
NOT_TO_BE_MADE = (ValueError, TypeError, LookupError, AttributeError, RecursionError, ArithmeticError)


class YamlError(ValueError):
    """Not YAML; the message is one sentence with the line."""


def loads(text: str) -> Any:
    """Nothing in the text can make this construct more than plain values. ModuleNotFoundError without PyYAML."""
    import yaml

    try:
        # mypy knows no types of a class that is made when it is needed.
        return yaml.load(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + 1}" if mark is not None else ""
        raise YamlError(f"not YAML: {error.problem or error.context}{where}") from None
    except (yaml.YAMLError, *NOT_TO_BE_MADE) as error:
        raise YamlError(f"not YAML: {' '.join(str(error).split())[:200] or type(error).__name__}") from None


@cache
def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        pass

    def untagged(loader: Any, _: str, node: Any) -> Any:
        """Lightning and others write `!!python/tuple` and objects of their own: their content is what counts."""
        if isinstance(node, yaml.ScalarNode):
            # A tag with nothing behind it names a class or a function.
            return node.value or node.tag.rpartition(":")[2]
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_mapping(node, deep=True)

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", PLAIN_FLOAT, list("-+0123456789"))
    Loader.add_multi_constructor("", untagged)
    return Loader
