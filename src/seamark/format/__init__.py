"""The typed face of the core: steps, tags, forms, and the messages inside event files."""

from seamark.format.types import Form, RunName, Step, Tag, WallTime

__all__ = ["Form", "RunName", "Step", "Tag", "WallTime"]
