"""YAML as people write configurations in: numbers like 1e-3 are numbers, and tags of other programs are let be.

The file may come from anywhere, and the loader recurses and follows references without limits. So its events are
counted first: a text beyond the limits is not loaded at all.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

# YAML 1.1 wants "1.0e-3"; everybody writes "1e-3" and means the same.
PLAIN_FLOAT = re.compile(r"[-+]?(?:\d[\d_]*)(?:\.\d*)?[eE][-+]?\d+$")
# What constructors of values raise when something is not what a resolver took it for.
NOT_TO_BE_MADE = (ValueError, TypeError, LookupError, AttributeError, RecursionError, ArithmeticError)

MAX_DEPTH = 100
# Loading takes about 15 µs for each: half a second. References count as often as what they stand for.
MAX_NODES = 40_000
MAX_EXPANDED_CHARACTERS = 8 << 20
# Longer ones are text: a number in base 60 takes time with the square of its length.
MAX_NUMBER_CHARACTERS = 1000
# Each directive is compared with all before it.
MAX_DIRECTIVES = 100
# The loader in Python takes a hundred times as long as the one in C.
MAX_CHARACTERS_WITHOUT_C = 100_000
TEXT_TAG = "tag:yaml.org,2002:str"


class YamlError(ValueError):
    """Not YAML, or beyond the limits; the message is one sentence with the line."""


def loads(text: str) -> Any:
    """Nothing in the text can make this construct more than plain values. ModuleNotFoundError without PyYAML."""
    import yaml

    try:
        check_limits(text)
        # mypy knows no types of a class that is made when it is needed.
        return yaml.load(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + 1}" if mark is not None else ""
        raise YamlError(f"not YAML: {(error.problem or error.context or '')[:200]}{where}") from None
    except YamlError:
        raise
    except (yaml.YAMLError, *NOT_TO_BE_MADE) as error:
        raise YamlError(f"not YAML: {' '.join(str(error).split())[:200] or type(error).__name__}") from None


def check_limits(text: str) -> None:
    """YamlError for a text that is too deep, or too big once its references are followed."""
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
    sizes: dict[str, tuple[int, int]] = {}  # of what an anchor stands for: nodes, characters
    while (event := parser.get_event()) is not None:
        events += 1
        nodes += 1
        kind = type(event)
        if kind is yaml.ScalarEvent:
            characters += len(event.value)
            if event.anchor is not None:
                sizes[event.anchor] = 1, len(event.value)
        elif kind is yaml.SequenceStartEvent or kind is yaml.MappingStartEvent:
            open_anchors.append((event.anchor, nodes - 1, characters))
            if event.anchor is not None:
                sizes.pop(event.anchor, None)
            if len(open_anchors) > MAX_DEPTH:
                raise YamlError(f"this YAML is nested more than {MAX_DEPTH} levels deep{_line(event)}")
        elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
            anchor, nodes_before, characters_before = open_anchors.pop()
            if anchor is not None:
                sizes[anchor] = nodes - nodes_before, characters - characters_before
        elif kind is yaml.AliasEvent:
            if any(anchor == event.anchor for anchor, _, _ in open_anchors):
                raise YamlError(f"'*{event.anchor[:100]}' refers to what it stands in{_line(event)}")
            added = sizes.get(event.anchor, (1, 0))  # an unknown one is the loader's to refuse
            nodes, characters = nodes + added[0], characters + added[1]
        if nodes > MAX_NODES or characters > MAX_EXPANDED_CHARACTERS:
            what = "" if nodes == events else ", with what its references stand for"
            raise YamlError(f"this YAML holds more than {MAX_NODES:,} values or 8 MB of text{what}{_line(event)}")


def _line(event: Any) -> str:
    return f" in line {event.start_mark.line + 1}" if event.start_mark is not None else ""


@cache
def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            if kind is yaml.ScalarNode and len(value) > MAX_NUMBER_CHARACTERS:
                return TEXT_TAG
            return super().resolve(kind, value, implicit)

    def untagged(loader: Any, _: str, node: Any) -> Any:
        """Lightning and others write `!!python/tuple` and objects of their own: their content is what counts."""
        if isinstance(node, yaml.ScalarNode):
            # A tag with nothing behind it names a class or a function.
            return node.value or node.tag.rpartition(":")[2]
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_mapping(node, deep=True)

    def number(make: Any) -> Any:
        """A value with an explicit tag is not resolved, so its length is checked here, too."""

        def made(loader: Any, node: Any) -> Any:
            text = loader.construct_scalar(node)
            return text if len(text) > MAX_NUMBER_CHARACTERS else make(loader, node)

        return made

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", PLAIN_FLOAT, list("-+0123456789"))
    Loader.add_multi_constructor("", untagged)
    Loader.add_constructor("tag:yaml.org,2002:int", number(base.construct_yaml_int))
    Loader.add_constructor("tag:yaml.org,2002:float", number(base.construct_yaml_float))
    return Loader
