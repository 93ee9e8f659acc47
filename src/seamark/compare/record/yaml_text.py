"""Loads YAML configurations: 1e-3 is a number, and unknown tags are ignored.

Files may be hostile, and PyYAML recurses and expands aliases without limits. So the parser's events are counted first,
and a text beyond the limits is rejected.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

# YAML 1.1 requires "1.0e-3", but people write "1e-3".
PLAIN_FLOAT = re.compile(r"[-+]?(?:\d[\d_]*)(?:\.\d*)?[eE][-+]?\d+$")
# Errors of constructors for text that a resolver matched but that is not a valid value.
CONSTRUCTOR_ERRORS = (ValueError, TypeError, LookupError, AttributeError, RecursionError, ArithmeticError)

MAX_DEPTH = 100
# Loading takes about 15 µs per node: half a second. An alias counts as many nodes as its anchor.
MAX_NODES = 40_000
MAX_EXPANDED_CHARACTERS = 8 << 20
# Longer numbers are text: parsing base 60 takes quadratic time.
MAX_NUMBER_CHARACTERS = 1000
# Each directive is compared with all before it.
MAX_DIRECTIVES = 100
# The Python loader is a hundred times slower than the C loader.
MAX_CHARACTERS_WITHOUT_C = 100_000
TEXT_TAG = "tag:yaml.org,2002:str"


class YamlError(ValueError):
    """Not YAML, or beyond the limits; the message is one sentence with the line."""


def loads(text: str) -> Any:
    """Loads plain values only, never objects. ModuleNotFoundError without PyYAML."""
    import yaml

    try:
        check_limits(text)
        # mypy cannot type a class that is created at run time.
        return yaml.load(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + 1}" if mark is not None else ""
        raise YamlError(f"not YAML: {(error.problem or error.context or '')[:200]}{where}") from None
    except YamlError:
        raise
    except (yaml.YAMLError, *CONSTRUCTOR_ERRORS) as error:
        raise YamlError(f"not YAML: {' '.join(str(error).split())[:200] or type(error).__name__}") from None


def check_limits(text: str) -> None:
    """Raises YamlError for a text that is nested too deeply, or too big after expanding aliases."""
    import yaml

    if text.count("%TAG") > MAX_DIRECTIVES:
        raise YamlError(f"this YAML has more than {MAX_DIRECTIVES} directives")
    loader = _loader()
    if not issubclass(loader, getattr(yaml, "CSafeLoader", ())) and len(text) > MAX_CHARACTERS_WITHOUT_C:
        raise YamlError(f"YAML of more than {MAX_CHARACTERS_WITHOUT_C:,} characters needs PyYAML with libyaml")
    parser = loader(text)
    try:
        _count_events(parser, yaml)
    finally:
        parser.dispose()


def _count_events(parser: Any, yaml: Any) -> None:
    events = nodes = characters = 0
    open_anchors: list[tuple[str | None, int, int]] = []  # of each open list or map, with the counts before it
    sizes: dict[str, tuple[int, int]] = {}  # of each anchor: nodes, characters
    while (event := parser.get_event()) is not None:
        events += 1
        nodes += 1
        event_type = type(event)
        if event_type is yaml.ScalarEvent:
            characters += len(event.value)
            if event.anchor is not None:
                sizes[event.anchor] = 1, len(event.value)
        elif event_type is yaml.SequenceStartEvent or event_type is yaml.MappingStartEvent:
            open_anchors.append((event.anchor, nodes - 1, characters))
            if event.anchor is not None:
                sizes.pop(event.anchor, None)
            if len(open_anchors) > MAX_DEPTH:
                raise YamlError(f"this YAML is nested more than {MAX_DEPTH} levels deep{_line(event)}")
        elif event_type is yaml.SequenceEndEvent or event_type is yaml.MappingEndEvent:
            anchor, nodes_before, characters_before = open_anchors.pop()
            if anchor is not None:
                sizes[anchor] = nodes - nodes_before, characters - characters_before
        elif event_type is yaml.AliasEvent:
            if any(anchor == event.anchor for anchor, _, _ in open_anchors):
                raise YamlError(f"'*{event.anchor[:100]}' refers to a node that contains it{_line(event)}")
            added = sizes.get(event.anchor, (1, 0))  # the loader rejects unknown aliases
            nodes, characters = nodes + added[0], characters + added[1]
        if nodes > MAX_NODES or characters > MAX_EXPANDED_CHARACTERS:
            expanded = "" if nodes == events else ", with its aliases expanded"
            raise YamlError(f"this YAML holds more than {MAX_NODES:,} values or 8 MB of text{expanded}{_line(event)}")


def _line(event: Any) -> str:
    return f" in line {event.start_mark.line + 1}" if event.start_mark is not None else ""


@cache
def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        def resolve(self, node_type: Any, value: Any, implicit: Any) -> Any:
            if node_type is yaml.ScalarNode and len(value) > MAX_NUMBER_CHARACTERS:
                return TEXT_TAG
            return super().resolve(node_type, value, implicit)

    def untagged(loader: Any, _: str, node: Any) -> Any:
        """Reads the content of tagged nodes, such as `!!python/tuple` and objects that Lightning writes."""
        if isinstance(node, yaml.ScalarNode):
            # A tag without a value names a class or a function.
            return node.value or node.tag.rpartition(":")[2]
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_mapping(node, deep=True)

    def number(make: Any) -> Any:
        """Limits the length of values with an explicit tag, which are not resolved."""

        def made(loader: Any, node: Any) -> Any:
            text = loader.construct_scalar(node)
            return text if len(text) > MAX_NUMBER_CHARACTERS else make(loader, node)

        return made

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", PLAIN_FLOAT, list("-+0123456789"))
    Loader.add_multi_constructor("", untagged)
    Loader.add_constructor("tag:yaml.org,2002:int", number(base.construct_yaml_int))
    Loader.add_constructor("tag:yaml.org,2002:float", number(base.construct_yaml_float))
    return Loader
