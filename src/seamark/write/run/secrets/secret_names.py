"""Recognizes names of secrets: `api_key`, `db_pass`, `bot_token`, but not `sort_key`, `forward_pass`, `pad_token`."""

from __future__ import annotations

import re
from itertools import pairwise

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
MAX_NAME_CHARACTERS = 200

# Always secret, also with other words around them.
_ALWAYS = frozenset((
    "password", "passwd", "passphrase", "passcode", "pwd", "secret", "secrets", "credential", "credentials", "creds",
    "apikey", "apikeys", "authorization", "bearer",
))  # fmt: skip
# Secret only as the last word: `cookie_path` is not one.
_LAST = frozenset(("cookie", "cookies"))
# `has_token` is a flag; `use_auth_token` may be the token itself.
_FLAGS = frozenset(("has", "is", "needs", "wants"))
# Names whose values are secret even if they are numbers.
_PASSWORDS = frozenset(("password", "passwd", "passphrase", "passcode", "pwd", "pass", "pw"))
# A "key" is a secret after one of these words; `sort_key` and `key_dim` are not.
_KEY_OWNERS = frozenset((
    "access", "account", "admin", "anthropic", "api", "auth", "aws", "azure", "client", "cohere", "comet", "datadog",
    "deploy", "encryption", "gcp", "gemini", "github", "gitlab", "google", "groq", "hf", "hmac", "hub", "huggingface",
    "kaggle", "license", "master", "mistral", "neptune", "openai", "openrouter", "pinecone", "private", "replicate",
    "root", "rsa", "secret", "sendgrid", "sentry", "service", "signing", "slack", "ssh", "ssl", "storage", "stripe",
    "subscription", "tls", "twilio", "vault", "wandb", "webhook",
))  # fmt: skip
# A "token" is a secret unless it belongs to a vocabulary.
_VOCABULARY = frozenset((
    "pad", "padding", "eos", "bos", "unk", "mask", "masked", "sep", "cls", "start", "stop", "end", "begin",
    "special", "image", "img", "audio", "video", "prefix", "suffix", "decoder", "encoder", "first", "last", "next",
    "prev", "previous", "new", "per", "max", "min", "num", "n", "class", "register", "word", "sub", "boi", "eoi", "eot",
    "eom",
))  # fmt: skip
# A token of a chat template or of a service: depends on the value.
_CHAT_ROLES = frozenset(("user", "bot", "system", "assistant", "tool"))
# A "pass" over the data, or through a network, is not a secret.
_PASSES = frozenset((
    "all", "alpha", "backward", "band", "by", "each", "eval", "every", "final", "first", "forward", "fwd", "bwd",
    "high", "last", "low", "max", "min", "multi", "n", "next", "num", "one", "per", "previous", "second", "single",
    "third", "total", "train", "training", "two", "warmup",
))  # fmt: skip
_SPECIAL_TOKEN = re.compile(r"\s*(?:<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|[^\w\s]*[A-Za-z ]{1,20}[^\w\s]*)\s*")


def words_of(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name[-MAX_NAME_CHARACTERS:])]


def is_secret_name(name: str) -> bool:
    words = words_of(name)
    if not words or words[0] in _FLAGS:
        return False
    if words[-1] in _LAST:
        return True
    if any(word in _ALWAYS for word in words):
        return True
    if any(word in ("key", "keys") and before in _KEY_OWNERS for before, word in pairwise(words)):
        return True
    before, last = words[-2] if len(words) > 1 else "", words[-1]
    if last == "token":
        return before not in _VOCABULARY
    if last == "tokens":  # many tokens are counted, one is a secret
        return before in _KEY_OWNERS
    if last in ("pass", "pw"):
        return before not in _PASSES
    return last in ("auth", "pat") and len(words) <= 2


def is_password_name(name: str) -> bool:
    """True if even a number is a secret."""
    words = words_of(name)
    return bool(words) and words[-1] in _PASSWORDS and is_secret_name(name)


def is_bare_key(name: str) -> bool:
    """The bare name `key`: mostly a column or an entry, sometimes a secret; the value decides."""
    return words_of(name) == ["key"]


def hides_everything_below(name: str) -> bool:
    """True for `credentials: {…}` and `auth: {…}`; below `token: {…}` each name is checked."""
    words = words_of(name)
    return is_secret_name(name) and bool(words) and words[-1] not in ("token", "tokens", "key", "keys", "pass", "pw")


def is_special_token(name: str, value: str) -> bool:
    """True for `user_token: "<|user|>"`, a token of a chat template."""
    words = words_of(name)
    is_of_role = len(words) > 1 and words[-1] == "token" and words[-2] in _CHAT_ROLES
    return is_of_role and len(value) <= 40 and _SPECIAL_TOKEN.fullmatch(value) is not None
