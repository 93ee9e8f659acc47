"""Log messages: lines that a program wrote into its event file."""

from dataclasses import dataclass
from enum import IntEnum

from seamark.format import messages
from seamark.kinds.payload import known, parse


class Level(IntEnum):
    UNKNOWN = 0
    DEBUGGING = 10
    INFO = 20
    WARN = 30
    ERROR = 40
    FATAL = 50


@dataclass(frozen=True, slots=True)
class LogMessage:
    level: Level
    message: str


def encode(log: LogMessage) -> messages.LogMessage:
    return messages.LogMessage(level=log.level, message=log.message)


def decode(data: bytes) -> LogMessage:
    message = parse(messages.LogMessage, data, "log message")
    return LogMessage(known(Level, message.level), message.message)
