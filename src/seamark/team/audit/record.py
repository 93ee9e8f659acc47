"""Adds lines to the audit log."""

from __future__ import annotations

import json
import time
from typing import Any

import msgspec

from seamark.team.access.principal import Principal, User
from seamark.team.database import Transaction
from seamark.team.secret_text import new_id


def record(
    transaction: Transaction,
    principal: Principal,
    action: str,
    *,
    project_id: str | None = None,
    target: str = "",
    **details: Any,
) -> None:
    """Adds a line to the audit log, in the transaction of the change itself."""
    user = principal.user
    transaction.execute(
        "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        new_id(),
        time.time(),
        action,
        user.id if user else None,
        user.email if user else "",
        principal.via,
        principal.address,
        project_id,
        target,
        json.dumps(details),
    )


def acting_as(principal: Principal, user: User) -> Principal:
    """For somebody who is signing in."""
    return msgspec.structs.replace(principal, user=user)
