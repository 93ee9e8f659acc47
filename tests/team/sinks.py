"""Small servers that keep what they are sent: a webhook and a mail server."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class WebhookSink:
    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/hooks/secret"
        self.messages: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.status = 200


@contextmanager
def webhook_sink() -> Iterator[WebhookSink]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            sink.requests.append(f"{self.command} {self.path} {self.headers['content-type']}")
            sink.messages.append(json.loads(body))
            self.send_response(sink.status)
            self.send_header("location", "http://127.0.0.1:1/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        sink = WebhookSink(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield sink
        finally:
            server.shutdown()
            thread.join()


class MailSink:
    def __init__(self, port: int) -> None:
        self.port = port
        self.mails: list[tuple[str, str]] = []  # recipient and text
        self.refuses = False


@contextmanager
def mail_sink() -> Iterator[MailSink]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 sink")
            recipient = ""
            while line := self.rfile.readline().decode().rstrip("\r\n"):
                command = line.upper()
                if command.startswith("RCPT TO:"):
                    recipient = line[8:].strip().strip("<>")
                    self.say("550 no" if sink.refuses else "250 ok")
                elif command == "DATA":
                    self.say("354 go on")
                    sink.mails.append((recipient, self.read_mail()))
                    self.say("250 ok")
                elif command == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 ok")

        def read_mail(self) -> str:
            lines = []
            while (line := self.rfile.readline().decode().rstrip("\r\n")) != ".":
                lines.append(line)
            return "\n".join(lines)

        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        sink = MailSink(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield sink
        finally:
            server.shutdown()
            thread.join()
