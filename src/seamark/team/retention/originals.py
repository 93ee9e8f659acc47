"""Files that a rule has rewritten: an uploader that still has the original one must not bring the payloads back."""

from __future__ import annotations

from seamark.team.database import Transaction
from seamark.team.retention.rewrite import Original


def note_rewritten(
    transaction: Transaction, project_id: str, run: str, file: str, original: Original, now: float
) -> None:
    """Keeps the first original: what an uploader has is never a file that was rewritten."""
    transaction.execute(
        "INSERT INTO rewritten_files VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, run, file) DO NOTHING",
        *(project_id, run, file, original.length, original.fingerprint, original.hash, now),
    )


def find_original(transaction: Transaction, project_id: str, run: str, file: str) -> Original | None:
    row = transaction.row(
        "SELECT original_bytes, original_fingerprint, original_hash FROM rewritten_files "
        "WHERE project_id = ? AND run = ? AND file = ?",
        *(project_id, run, file),
    )
    return Original(*row) if row else None
