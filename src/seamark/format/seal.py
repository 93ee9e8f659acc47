"""Encryption of a site: AES-256-GCM with a key that PBKDF2 derives from a passphrase.

A nonce is derived from the content and its position, so that content that did not change keeps its bytes and a second
publish writes only what changed. A nonce therefore repeats only together with the content, the name and the position.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from typing import Any, Protocol

from msgspec import Struct

ITERATIONS = 600_000
SALT_BYTES = 16
NONCE_BYTES = 12
TAG_BYTES = 16
CHECK = b"seamark site"
CHECK_POSITION = "check"
PADDED_TO = 256 * 1024
FRAMED_TO = 64 * 1024
LENGTH_BYTES = 4


class NoCryptographyError(RuntimeError):
    """The package that encrypts is not installed."""


class WrongPassphraseError(ValueError):
    """The passphrase is not that of the site."""


class Encryption(Struct, frozen=True):
    """What the manifest says in the clear; the fields are those of web/src/data/site/files/manifest.ts."""

    cipher: str
    kdf: str
    iterations: int
    salt: str
    check: str


class Sealer(Protocol):
    """Makes the stored bytes of a blob from its content, and names files."""

    @property
    def overhead(self) -> int: ...
    @property
    def encryption(self) -> Encryption | None: ...
    def seal(self, content: bytes, file: str, offset: int) -> bytes: ...
    def open(self, stored: bytes, file: str, offset: int) -> bytes: ...
    def file_name(self, digest: bytes) -> str: ...
    def padding(self, size: int, file: str) -> bytes: ...
    def framed(self, content: bytes) -> bytes: ...


class PlainSealer:
    """Stores content as it is."""

    overhead = 0
    encryption = None

    def seal(self, content: bytes, file: str, offset: int) -> bytes:
        return content

    def open(self, stored: bytes, file: str, offset: int) -> bytes:
        return stored

    def file_name(self, digest: bytes) -> str:
        return digest.hex()[:32]

    def padding(self, size: int, file: str) -> bytes:
        return b""

    def framed(self, content: bytes) -> bytes:
        return frame(content, 1)


class PassphraseSealer:
    """Every blob is bound to the name of its file and its offset there."""

    overhead = NONCE_BYTES + TAG_BYTES

    def __init__(self, passphrase: str, *, salt: bytes | None = None, iterations: int = ITERATIONS) -> None:
        aead = load_aead()
        salt = os.urandom(SALT_BYTES) if salt is None else salt
        master = hashlib.pbkdf2_hmac("sha256", passphrase.encode(), salt, iterations)
        self._cipher = aead(derive(master, b"seamark site data"))
        self._nonce_key = derive(master, b"seamark site nonces")
        self._name_key = derive(master, b"seamark site names")
        self.encryption: Encryption = Encryption(
            cipher="AES-256-GCM",
            kdf="PBKDF2-SHA256",
            iterations=iterations,
            salt=base64.b64encode(salt).decode(),
            check=base64.b64encode(self._seal(CHECK, CHECK_POSITION.encode())).decode(),
        )

    @classmethod
    def of_site(cls, passphrase: str, encryption: Encryption) -> PassphraseSealer:
        """With the salt of an earlier site. Raises WrongPassphraseError."""
        salt = base64.b64decode(encryption.salt)
        sealer = cls(passphrase, salt=salt, iterations=encryption.iterations)
        if not hmac.compare_digest(sealer.encryption.check, encryption.check):
            raise WrongPassphraseError("the passphrase is not that of the earlier site")
        return sealer

    def seal(self, content: bytes, file: str, offset: int) -> bytes:
        return self._seal(content, position(file, offset))

    def open(self, stored: bytes, file: str, offset: int) -> bytes:
        try:
            content: bytes = self._cipher.decrypt(stored[:NONCE_BYTES], stored[NONCE_BYTES:], position(file, offset))
        except Exception as error:  # cryptography's InvalidTag, which only that package has
            raise ValueError(f"a file of the site was damaged or exchanged: '{file}'") from error
        return content

    def file_name(self, digest: bytes) -> str:
        """Not the digest itself: it would tell what the content is to whoever has the same content."""
        return hmac.new(self._name_key, digest, hashlib.sha256).hexdigest()[:32]

    def padding(self, size: int, file: str) -> bytes:
        """Random bytes up to the next step, so that a file's size says little about its content."""
        missing = -size % PADDED_TO
        return hashlib.shake_256(self._name_key + file.encode()).digest(missing)

    def framed(self, content: bytes) -> bytes:
        """Padded: the length of an index would tell how many entries it has."""
        return frame(content, FRAMED_TO)

    def _seal(self, content: bytes, where: bytes) -> bytes:
        digest = hashlib.sha256(content).digest()
        nonce = hmac.new(self._nonce_key, where + b"\0" + digest, hashlib.sha256).digest()[:NONCE_BYTES]
        sealed: bytes = self._cipher.encrypt(nonce, content, where)
        return nonce + sealed


def frame(content: bytes, multiple: int) -> bytes:
    """The length of the content, the content, and zeros up to a multiple of some length."""
    framed = len(content).to_bytes(LENGTH_BYTES, "little") + content
    return framed + bytes(-len(framed) % multiple)


def unframe(framed: bytes) -> bytes:
    length = int.from_bytes(framed[:LENGTH_BYTES], "little")
    return framed[LENGTH_BYTES : LENGTH_BYTES + length]


def position(file: str, offset: int) -> bytes:
    """What a blob is bound to."""
    return f"{file}:{offset}".encode()


def derive(master: bytes, purpose: bytes) -> bytes:
    """HKDF-SHA256 (RFC 5869) of one block, without a salt, as WebCrypto derives it."""
    extracted = hmac.new(bytes(32), master, hashlib.sha256).digest()
    return hmac.new(extracted, purpose + b"\x01", hashlib.sha256).digest()


def load_aead() -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise NoCryptographyError("--encrypt needs the package cryptography: pip install 'seamark[publish]'") from error
    return AESGCM
