"""Keeps secrets out of what a run remembers: command lines, configurations, addresses, diffs and tracebacks.

Names decide first (`--api-key`, `password=`), then the look of a value (tokens of well-known services). It is better to
hide one harmless value too many than to show one key: what was hidden says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

HIDDEN = "[hidden]"

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ALWAYS = frozenset((
    "password", "passwd", "passphrase", "pwd", "secret", "secrets", "credential", "credentials", "apikey",
    "authorization", "bearer", "cookie",
))  # fmt: skip
# A "key" is a secret when one of these words stands before it; `sort_key` and `key_dim` are none.
_KEY_OWNERS = frozenset((
    "api", "access", "account", "auth", "aws", "azure", "client", "encryption", "gcp", "hf", "hub", "license",
    "openai", "private", "secret", "service", "signing", "ssh", "storage", "subscription", "wandb",
))  # fmt: skip
# A "token" is one unless it belongs to a vocabulary.
_VOCABULARY = frozenset((
    "pad", "padding", "eos", "bos", "unk", "mask", "masked", "sep", "cls", "start", "stop", "end", "begin",
    "special", "image", "img", "audio", "video", "prefix", "suffix", "decoder", "encoder", "first", "last", "next",
    "prev", "previous", "new", "per", "max", "min", "num", "n", "class", "register", "word", "sub", "user",
    "system", "assistant", "tool", "boi", "eoi", "bot", "eot", "eom",
))  # fmt: skip
_LOOKS = re.compile(
    r"""
      \b(?:sk|rk|pk)[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9]{16,}[A-Za-z0-9_-]*   # OpenAI, Anthropic, Stripe
    | \bgh[opsur]_[A-Za-z0-9]{16,} | \bgithub_pat_\w{16,} | \bglpat-[\w-]{16,}
    | \bhf_[A-Za-z0-9]{16,} | \bxox[abprs]-[\w-]{10,} | \bAIza[\w-]{30,} | \bya29\.[\w-]{20,}
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                                      # JSON web tokens
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----(?:.*?-----END[ ][A-Z ]*PRIVATE[ ]KEY-----)?
    | \b[Bb]earer\s+[\w.~+/-]{8,}=*
    """,
    re.VERBOSE | re.DOTALL,
)
_ADDRESS_LOGIN = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*://)[^\s/@'\"]+@")
_QUERY = re.compile(r"([?&;])([\w.-]+)=([^&;#\s'\"]+)")
# `name = value` and `"name": value` in free text: in a diff, in a message, in an argument like `--env=API_KEY=…`.
_ASSIGNED = re.compile(
    r"""(?P<name>[A-Za-z][\w.-]*)(?P<sign>["']?\s*[=:]\s*)(?P<quote>["']?)(?P<value>[^\s"',;&]{4,})"""
)


def is_secret_name(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    for before, word in zip(["", *words], words, strict=False):
        if word in _ALWAYS or (word in ("key", "keys") and before in _KEY_OWNERS):
            return True
    if words and words[-1] in ("token", "tokens"):
        before = words[-2] if len(words) > 1 else ""
        # Many tokens are counted, one is a secret.
        return before not in _VOCABULARY if words[-1] == "token" else before in _KEY_OWNERS
    return bool(words) and words[-1] in ("auth", "pat") and len(words) <= 2


def text(value: str) -> str:
    """Free text without logins in addresses and without what looks like a key."""
    value = _ADDRESS_LOGIN.sub(rf"\1{HIDDEN}@", value)
    value = _QUERY.sub(lambda m: f"{m[1]}{m[2]}={HIDDEN}" if is_secret_name(m[2]) else m[0], value)
    value = _LOOKS.sub(HIDDEN, value)
    return _without_assigned(value)


def _without_assigned(value: str) -> str:
    parts, at = [], 0
    while match := _ASSIGNED.search(value, at):
        is_harmless = not match["quote"] and re.fullmatch(r"[\d.]+|[Tt]rue|[Ff]alse|[Nn]one|null", match["value"])
        is_hidden = match["value"].startswith(HIDDEN)
        if is_secret_name(match["name"]) and not is_harmless and not is_hidden:
            parts += [value[at : match.start("value")], HIDDEN]
            at = match.end("value")
        else:
            # What stands behind a harmless name may be a name itself: `--env=API_KEY=…`.
            parts.append(value[at : match.end("sign")])
            at = match.end("sign")
    return "".join([*parts, value[at:]])


def command(arguments: Sequence[str]) -> tuple[str, ...]:
    """A command line: `--api-key X`, `--api-key=X`, `api.key=X`, `-p X` for passwords by name only."""
    hidden: list[str] = []
    hide_next = False
    for argument in arguments:
        name, sign, value = argument.partition("=")
        if hide_next and not argument.startswith("--"):
            hidden.append(HIDDEN)
        elif sign and value and is_secret_name(name):
            hidden.append(f"{name}={HIDDEN}")
        else:
            hidden.append(text(argument))
        hide_next = argument.startswith("-") and not sign and is_secret_name(name)
    return tuple(hidden)


def mapping(values: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration: values under secret names are hidden, at any depth; numbers and flags are none."""
    return {key: _value(key, value) for key, value in values.items()}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return mapping({str(key): item for key, item in value.items()})
    if isinstance(value, list | tuple):
        return [_value(name, item) for item in value]
    if isinstance(value, str):
        return HIDDEN if value and is_secret_name(name) else text(value)
    return value


def address(url: str) -> str:
    """A repository's address without user name, password and query; `git@host:path` is an address without a secret."""
    scheme, sign, rest = url.partition("://")
    if not sign:
        return text(url.partition("?")[0])
    rest = rest.partition("?")[0].partition("#")[0]
    authority, slash, path = rest.partition("/")
    return text(f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}")
