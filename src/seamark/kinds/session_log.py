"""Session logs: when a TensorFlow session started, stopped or saved a checkpoint."""

from dataclasses import dataclass
from enum import IntEnum

from seamark.format import messages
from seamark.kinds.payload import known, parse


class SessionStatus(IntEnum):
    UNSPECIFIED = 0
    START = 1
    STOP = 2
    CHECKPOINT = 3


@dataclass(frozen=True, slots=True)
class SessionLog:
    status: SessionStatus
    checkpoint_path: str = ""
    message: str = ""


def encode(log: SessionLog) -> messages.SessionLog:
    return messages.SessionLog(status=log.status, checkpoint_path=log.checkpoint_path, msg=log.message)


def decode(data: bytes) -> SessionLog:
    message = parse(messages.SessionLog, data, "session log")
    return SessionLog(known(SessionStatus, message.status), message.checkpoint_path, message.msg)
