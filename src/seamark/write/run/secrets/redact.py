"""Removes secrets from recorded command lines, configurations, addresses, diffs, alerts and tracebacks.

First by name (`--api-key`, `password=`), then by the form of a value (tokens of well-known services). Hiding a harmless
value is better than showing a key; hidden values are marked. Every pattern is bounded: a diff may have a line of a
megabyte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from seamark.write.run.secrets.secret_names import (
    hides_everything_below,
    is_bare_key,
    is_password_name,
    is_secret_name,
    is_special_token,
    words_of,
)

HIDDEN = "[hidden]"

_LOOKS = re.compile(
    r"""
      \b(?:sk|rk|pk)[-_](?:[A-Za-z]{1,20}[-_]){0,5}[A-Za-z0-9]{16,}[A-Za-z0-9_-]*   # OpenAI, Anthropic, Stripe
    | \bgh[opsur]_[A-Za-z0-9]{16,} | \bgithub_pat_\w{16,} | \bglpat-[\w-]{16,}
    | \bhf_[A-Za-z0-9]{16,} | \bxox[abprs]-[\w-]{10,} | \bAIza[\w-]{30,} | \bya29\.[\w-]{20,}
    | \bnpm_[A-Za-z0-9]{30,} | \bpypi-[\w-]{30,} | \bSG\.[\w-]{16,}\.[\w-]{16,}
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b
    | \b\d{8,10}:[A-Za-z0-9_-]{35}\b                                         # bots of Telegram
    | \bhttps://hooks\.slack\.com/[\w/]+ | \bhttps://discord(?:app)?\.com/api/webhooks/[\w/-]+
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                                      # JSON web tokens
    | -----BEGIN[ ][A-Z ]{0,40}PRIVATE[ ]KEY-----(?:.{0,20000}?-----END[ ][A-Z ]{0,40}PRIVATE[ ]KEY-----)?
    | \b[Bb]earer\s+[\w.~+/-]{8,}=*
    """,
    re.VERBOSE | re.DOTALL,
)
_ADDRESS_LOGIN = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{0,30}://)[^\s/@'\"]{1,500}@")
_QUERY = re.compile(r"([?&;])([\w.-]{1,100})=([^&;#\s'\"]+)")
# A name and its assignment in free text: in a diff, a message, or an argument like `--env=API_KEY=…`.
_ASSIGNED = re.compile(
    r"""
    (?<!\w)(?P<name>[A-Za-z_][\w.-]{0,100}+)
    (?: ["']?\]?\s{0,20}:\s{0,20}(?:\w{1,20}\.)?(?:str|bytes|Any|SecretStr|Optional\[\w{1,20}\])(?:\s?\|\s?None)?
        \s{0,20}=\s{0,20}(?=[A-Za-z]{0,2}["'])                                    # api_key: str | None = "…"
      | ["']\s{0,20},\s{0,20}(?=[A-Za-z]{0,2}["'])                                # setdefault("API_KEY", "…")
      | ["'][^\n"']{0,80}?\bdefault\s{0,5}=\s{0,5}(?=[A-Za-z]{0,2}["'])         # add_argument("--api-key", default="…")
      | \\{0,2}["']?\]?\s{0,20}(?:=>|:=|==|=|:)[^\S\n]{0,20}                    # API_KEY=… "api_key": … \"api_key\": …
    )
    """,
    re.VERBOSE,
)
_QUOTE = re.compile(r"[A-Za-z]{0,2}(?P<quote>\"\"\"|\'\'\'|\\{0,2}[\"'])")
_WORD = re.compile(r"[^\s\"',;&]{4,}")
# The rest of a header's line, or up to the quote in `curl -H 'Cookie: …'`.
_HEADER_VALUE = re.compile(r"[^\r\n\"']+")
_HEADERS = frozenset(("authorization", "cookie"))
_HARMLESS = re.compile(r"[\d.]+|[Tt]rue\b.*|[Ff]alse\b.*|[Nn]one\b.*|null|(?:bool|bytes|SecretStr)\b.*")
# Placeholders: `{token}`, `${TOKEN}`, `%s`, `<your key>`.
_PLACEHOLDER = re.compile(r"\{[^{}]{0,100}\}|\$\{?\w{1,100}\}?|%\(?\w{0,100}\)?s|<[\w -]{1,100}>|…")
# A variable in an expression: `{"cookie": header})`.
_VARIABLE = re.compile(r"[A-Za-z_][\w.]{0,100}[)}\]]")
# A call or an item, not a literal: `os.environ[`, `getpass(`.
_EXPRESSION = re.compile(r"[A-Za-z_][\w.]*[\[(]")
# A generated value: only such values are hidden under the bare name `key`, which is mostly a column.
_RANDOM = re.compile(r"(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+/_=-]{20,200}|[0-9a-f]{32,128}")
MAX_TRIPLE_QUOTED_CHARACTERS = 10_000


def text(value: str) -> str:
    """Removes logins in addresses, values of secret names and values that look like keys from free text."""
    value = _ADDRESS_LOGIN.sub(rf"\1{HIDDEN}@", value)
    value = _QUERY.sub(lambda m: f"{m[1]}{m[2]}={HIDDEN}" if _is_secret(m[2], m[3]) else m[0], value)
    value = _LOOKS.sub(HIDDEN, value)
    return _without_assigned(value)


def _without_assigned(value: str) -> str:
    parts, at = [], 0
    while match := _ASSIGNED.search(value, at):
        # The value of a harmless name may be an assignment itself: `--env=API_KEY=…`.
        start = end = match.end()
        if is_secret_name(match["name"]) or is_bare_key(match["name"]):
            start, end = _secret_span(match, value)
        parts += [value[at:start], HIDDEN] if end > start else [value[at:start]]
        at = end
    return "".join([*parts, value[at:]])


def _secret_span(match: re.Match[str], value: str) -> tuple[int, int]:
    """The start and end of the secret that is assigned to a name; equal if there is none."""
    name, at = match["name"], match.end()
    before, sign = value[max(0, match.start() - 3) : match.start()].rstrip("-"), value[match.end("name") : at]
    if "," in sign and not before.endswith(("'", '"')):
        return at, at  # two items of a list, such as paths
    is_quoted_name = sign.lstrip("\\").startswith(("'", '"'))
    opened = _QUOTE.match(value, at)
    if opened is not None:
        start, end = opened.end(), _closing_quote(value, opened.end(), opened["quote"])
        return (start, end) if _is_secret(name, value[start:end]) else (at, at)
    is_header = words_of(name)[-1] in _HEADERS and not is_quoted_name
    found = (_HEADER_VALUE if is_header else _WORD).match(value, at)
    if found is None or _HARMLESS.fullmatch(found[0]) or _EXPRESSION.match(found[0]):
        return at, at
    # `api_key=args.api_key` and `self._token = token` pass a secret on without containing it.
    is_same_name = _variable(found[0]) == _variable(name) or (is_quoted_name and _VARIABLE.match(found[0]))
    return (at, found.end()) if _is_secret(name, found[0]) and not is_same_name else (at, at)


def _variable(name: str) -> str:
    return name.rstrip(")}]").rpartition(".")[2].strip("_").lower()


def _closing_quote(value: str, at: int, quote: str) -> int:
    """The end of a quoted string: at its quote or at the end of the line; with three quotes on a later line."""
    if len(quote) == 3:
        end = value.find(quote, at, at + MAX_TRIPLE_QUOTED_CHARACTERS)
        if end >= 0:
            return end
    while at < len(value) and value[at] not in "\r\n" and not value.startswith(quote, at):
        at += 2 if value[at] == "\\" else 1
    return min(at, len(value))


def _is_secret(name: str, value: str) -> bool:
    if not value or value.startswith(HIDDEN) or _PLACEHOLDER.fullmatch(value):
        return False
    if is_secret_name(name):
        return not is_special_token(name, value)
    return is_bare_key(name) and _RANDOM.fullmatch(value) is not None


def command(arguments: Sequence[str]) -> tuple[str, ...]:
    """Hides secrets of a command line: `--api-key X`, `--api-key=X`, `api.key=X`."""
    hidden: list[str] = []
    hide_next = False
    for argument in arguments:
        name, sign, value = argument.partition("=")
        if hide_next and not argument.startswith("--"):
            hidden.append(HIDDEN)
        elif sign and value and is_secret_name(name) and not is_special_token(name, value):
            hidden.append(f"{name}={HIDDEN}")
        else:
            hidden.append(text(argument))
        hide_next = argument.startswith("-") and not sign and is_secret_name(name)
    return tuple(hidden)


def mapping(values: Mapping[str, Any], *, parent: str = "", hides_all: bool = False) -> dict[str, Any]:
    """Hides values under secret names at any depth, and all text below names like `credentials`."""
    return {key: _value(key, value, parent, hides_all) for key, value in values.items()}


def _value(name: str, value: Any, parent: str, hides_all: bool) -> Any:
    # `openai: {key: …}` is treated as `openai_key`, and `pad: {token: …}` as `pad_token`.
    full_name = f"{parent}_{name}" if parent and len(words_of(name)) == 1 else name
    if isinstance(value, Mapping):
        below = {str(key): item for key, item in value.items()}
        return mapping(below, parent=name, hides_all=hides_all or hides_everything_below(name))
    if isinstance(value, list | tuple):
        return [_value(name, item, parent, hides_all) for item in value]
    if isinstance(value, str):
        is_hidden = hides_all or _is_secret(full_name, value) or (is_bare_key(name) and _is_secret(name, value))
        return HIDDEN if value and is_hidden else text(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return HIDDEN if is_number and is_password_name(full_name) else value


def address(url: str) -> str:
    """A repository's address without user name, password and query; `git@host:path` has no secret."""
    scheme, sign, rest = url.partition("://")
    if not sign:
        return text(url.partition("?")[0])
    rest = rest.partition("?")[0].partition("#")[0]
    authority, slash, path = rest.partition("/")
    return text(f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}")
