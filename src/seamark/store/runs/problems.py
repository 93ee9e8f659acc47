"""Problems of event files as sentences for the user."""

from __future__ import annotations

from seamark import _core
from seamark.store.discover.roots import LogRoot
from seamark.store.read.event_file import EventFile, ReadFailure
from seamark.store.read.file_state import RecordProblem
from seamark.store.status import Problem, Severity


def file_problems(file: EventFile) -> list[Problem]:
    """Returns all known problems of one file."""
    path = file.shown_path
    state = file.state
    found = [_record_problem(file, path, problem) for problem in state.problems]
    if state.problem_count > len(state.problems):
        more = state.problem_count - len(state.problems)
        message = f"{more} more records are damaged; only the first {len(state.problems)} are listed: '{path}'"
        found.append(Problem(Severity.ERROR, message, path, run=file.run.name))
    if file.failure is not None:
        found.append(Problem(Severity.ERROR, _failure_message(file.failure, path), path, run=file.run.name))
    return found


def unreadable_folder(root: LogRoot, folder: str, reason: str) -> Problem:
    path = root.shown_path(folder)
    return Problem(Severity.ERROR, f"this folder cannot be read ({reason}); runs in it are not shown: '{path}'", path)


def _failure_message(failure: ReadFailure, path: str) -> str:
    if failure.is_internal:
        return (
            f"a defect of Seamark stopped it from reading this event file ({failure.reason}); please report it with "
            f"the traceback from the terminal of the server: '{path}'"
        )
    return f"this event file cannot be read ({failure.reason}): '{path}'"


def _record_problem(file: EventFile, path: str, problem: RecordProblem) -> Problem:
    code, offset, length, got, want = problem
    if is_not_event_file(code, offset):
        message = f"this is not an event file, though its name has 'tfevents'; it is ignored: '{path}'"
        return Problem(Severity.WARNING, message, path, run=file.run.name, offset=offset)
    severity = Severity.WARNING if code == _core.PROBLEM_BAD_VALUE else Severity.ERROR
    if code == _core.PROBLEM_LENGTH_CRC:
        what = f"length checksum mismatch: got 0x{got:08x}, want 0x{want:08x} at byte {offset}"
        so = "the rest of the file is skipped"
    elif code == _core.PROBLEM_DATA_CRC:
        what = f"data checksum mismatch: got 0x{got:08x}, want 0x{want:08x} at byte {offset}"
        so = f"this record of {length} bytes is skipped"
    elif code == _core.PROBLEM_BAD_EVENT:
        what = f"not a valid event message at byte {offset}"
        so = f"this record of {length} bytes is skipped"
    elif code == _core.PROBLEM_TOO_LONG:
        what = f"a record that is too long: got {length} bytes, want at most {want}, or fewer parts, at byte {offset}"
        so = "it is skipped"
    else:
        what = f"a scalar that is not one number at byte {offset}"
        so = "it is kept as a tensor"
    return Problem(severity, f"{what}; {so}: '{path}'", path, run=file.run.name, offset=offset)


def is_not_event_file(code: int, offset: int) -> bool:
    """A file that does not begin with a record was written by another program (Unity's `.meta`, an editor's backup)."""
    return code == _core.PROBLEM_LENGTH_CRC and offset == 0
