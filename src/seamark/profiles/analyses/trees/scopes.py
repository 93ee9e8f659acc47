"""Scopes: a tree of the parts of operator names, such as `model/dense/MatMul`."""

from __future__ import annotations

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.profile import Profile
from seamark.profiles.results import OperatorRow, StackNode, StackTree

MAX_NODES = 20_000


class Scope:
    def __init__(self, name: str) -> None:
        self.name = name
        self.children: dict[str, Scope] = {}
        self.calls = self.total_ns = self.self_ns = 0
        self.device_ns: int | None = None
        self.longest, self.longest_ns = -1, -1

    def add(self, row: OperatorRow) -> None:
        self.calls += row.calls
        self.total_ns += row.self_ns
        if row.device_self_ns is not None:
            self.device_ns = (self.device_ns or 0) + row.device_self_ns
        if row.self_ns > self.longest_ns:
            self.longest, self.longest_ns = row.longest, row.self_ns


def scope_tree(profile: Profile) -> StackTree:
    """Empty if no name has a scope. A scope has the self times of the operators in it, so that they sum up."""
    root = Scope("")
    for row in profile.get(find_operators).rows:
        parts = split_name(row.name)
        # The path of a Python file is no scope.
        if len(parts) < 2 or row.activity == Activity.PYTHON:
            continue
        at = root
        for part in parts:
            at = at.children.setdefault(part, Scope(part))
            at.add(row)
        at.self_ns += row.self_ns
    nodes: list[StackNode] = []
    waiting = [(scope, -1) for scope in reversed(by_time(root))]
    while waiting and len(nodes) < MAX_NODES:
        scope, parent = waiting.pop()
        waiting.extend((child, len(nodes)) for child in reversed(by_time(scope)))
        nodes.append(
            StackNode(
                name=scope.name,
                parent=parent,
                calls=scope.calls,
                total_ns=scope.total_ns,
                self_ns=scope.self_ns,
                device_ns=scope.device_ns,
                activity=int(Activity.MODULE if scope.children else Activity.HOST_OP),
                longest=scope.longest,
            )
        )
    return StackTree(nodes=nodes, is_cut=bool(waiting))


def by_time(scope: Scope) -> list[Scope]:
    return sorted(scope.children.values(), key=lambda child: (-(child.device_ns or 0), -child.total_ns, child.name))


def split_name(name: str) -> list[str]:
    """`jit(f)/transpose(jvp(dense))/dot_general:` in three parts. Slashes inside brackets do not separate."""
    parts, depth, part = list[str](), 0, ""
    for character in name.rstrip(":"):
        depth += (character in "([{") - (character in ")]}")
        if character == "/" and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [found for found in (*parts, part) if found]
