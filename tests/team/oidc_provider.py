"""A small OpenID provider that can be told to misbehave, for the errors that a good one never makes."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "seamark", "s3cret/with:signs"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


# One takes half a second.
shared_key = functools.cache(new_key)


@dataclass
class Provider:
    """`claims` are added to ID tokens (None removes one), `token` may replace the whole token."""

    address: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    user_info: dict[str, Any] = field(default_factory=dict)
    discovery: dict[str, Any] = field(default_factory=dict)
    sign: Callable[[dict[str, Any]], str] | None = None
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: Any = field(default_factory=shared_key)
    key_id: str = "one"

    def authorize(self, address: str) -> dict[str, str]:
        """What a browser does at the provider: consents. Returns the parameters of the callback."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return {"state": asked["state"], "code": code}

    def new_key(self, key_id: str) -> None:
        self.key, self.key_id = new_key(), key_id

    def id_token(self, nonce: str) -> str:
        now = time.time()
        claims = {
            "iss": self.address,
            "sub": "subject-1",
            "aud": CLIENT_ID,
            "exp": now + 300,
            "iat": now,
            "nonce": nonce,
            "email": "ada@example.org",
            "email_verified": True,
            "name": "Ada Lovelace",
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.sign is not None:
            return self.sign(claims)
        return jwt.encode(claims, self.key, "RS256", headers={"kid": self.key_id})

    def answer(self, path: str, form: dict[str, str], headers: Any) -> tuple[int, Any]:
        self.asked.append(path)
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "jwks_uri": f"{self.address}/keys",
                "userinfo_endpoint": f"{self.address}/user",
                **self.discovery,
            }
        if path == "/keys":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
            return 200, {"keys": [{"kty": "unknown"}, {**public, "kid": self.key_id, "use": "sig"}]}
        if path == "/user":
            return (200, self.user_info) if headers["authorization"] == "Bearer access" else (401, {})
        return self.exchange(form, headers)

    def exchange(self, form: dict[str, str], headers: Any) -> tuple[int, Any]:
        given = base64.b64decode(headers.get("authorization", "").removeprefix("Basic ")).decode()
        if given != "seamark:s3cret%2Fwith%3Asigns":
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form["code"], None)  # a code is good once
        if asked is None or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": self.id_token(asked["nonce"])}


@contextmanager
def running_provider() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            form = {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}
            status, content = provider.answer(urlsplit(self.path).path, form, self.headers)
            body = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
