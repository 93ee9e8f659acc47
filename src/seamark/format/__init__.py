"""Types and file formats that all layers share: steps, tags, forms, protobuf messages, run.json, patterns."""

from seamark.format.types import Form, RunName, Step, Tag, WallTime

__all__ = ["Form", "RunName", "Step", "Tag", "WallTime"]
