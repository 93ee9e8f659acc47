"""Sends messages by SMTP. An admin of the server sets which server, with which account."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from seamark.team.database import Transaction
from seamark.team.notify.webhook import DeliveryError

TIMEOUT_SECS = 15.0
SETTING = "smtp"
MAX_SUBJECT = 150
ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+")


class SmtpSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`security`: STARTTLS on an ordinary port, TLS from the start, or none in a trusted network."""

    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65_535)] = 587
    user: str = ""
    password: str = ""
    sender: str = ""
    security: Literal["starttls", "tls", "none"] = "starttls"


def read_smtp(transaction: Transaction) -> SmtpSettings:
    row = transaction.row("SELECT value FROM server_values WHERE name = ?", SETTING)
    return msgspec.json.decode(row[0], type=SmtpSettings) if row else SmtpSettings()


def write_smtp(transaction: Transaction, settings: SmtpSettings) -> None:
    transaction.execute(
        "INSERT INTO server_values VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        SETTING,
        msgspec.json.encode(settings).decode(),
    )


def send_email(settings: SmtpSettings, recipient: str, text: str, link: str) -> None:
    """Raises DeliveryError."""
    if not settings.host or not settings.sender:
        raise DeliveryError("this server sends no mail: an admin has to set its SMTP server")
    message = compose(settings.sender, recipient, text, link)
    try:
        with connect(settings) as server:
            if settings.user:
                server.login(settings.user, settings.password)
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(f"the mail server refused the message ({type(error).__name__})") from None


def compose(sender: str, recipient: str, text: str, link: str) -> EmailMessage:
    message = EmailMessage()
    # One line: a line end in a name would begin another header.
    subject = " ".join(text.split())
    message["Subject"] = subject if len(subject) <= MAX_SUBJECT else f"{subject[:MAX_SUBJECT]}…"
    message["From"] = sender
    message["To"] = recipient
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2] or "seamark")
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"{text}\n\n{link}\n" if link else f"{text}\n")
    return message


def connect(settings: SmtpSettings) -> smtplib.SMTP:
    if settings.security == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(settings.host, settings.port, timeout=TIMEOUT_SECS, context=context)
    server = smtplib.SMTP(settings.host, settings.port, timeout=TIMEOUT_SECS)
    if settings.security == "starttls":
        try:
            server.starttls(context=ssl.create_default_context())
        except BaseException:
            server.close()
            raise
    return server


def is_address(text: str) -> bool:
    return ADDRESS.fullmatch(text) is not None
