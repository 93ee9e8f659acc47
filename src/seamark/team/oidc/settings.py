"""Which providers people may sign in with: a JSON value in the database."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from seamark.plugin import RequestError
from seamark.serve.http.hosts import is_loopback_name
from seamark.team.database import Transaction

ROW = "oidc"
NAME_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
DOMAIN_PATTERN = re.compile(r"[a-z0-9.-]{1,253}")
# invited: who has an account or an invitation. domain: also everybody with an email of one of the domains.
Policy = Literal["invited", "domain"]


class OidcProvider(msgspec.Struct, frozen=True, kw_only=True):
    """`trusts_email`: for providers that do not send email_verified, but own the addresses of their users."""

    name: str
    issuer: str
    client_id: str
    client_secret: str = ""  # "": a public client
    label: str = ""
    scopes: str = "openid email profile"
    policy: Policy = "invited"
    domains: tuple[str, ...] = ()
    trusts_email: bool = False

    def __post_init__(self) -> None:
        if not NAME_PATTERN.fullmatch(self.name):
            raise invalid("a name of a provider has 1 to 32 characters out of a-z, 0-9 and -")
        if not is_safe_address(self.issuer):
            raise invalid("the issuer is an address that begins with https:// (http:// only on this machine)")
        if not self.client_id:
            raise invalid("client_id is missing; the provider shows it where the application is registered")
        if "openid" not in self.scopes.split():
            raise invalid("the scopes must contain openid")
        if not all(DOMAIN_PATTERN.fullmatch(domain) for domain in self.domains):
            raise invalid("domains are names such as example.org, in lower case")
        if self.policy == "domain" and not self.domains:
            raise invalid("the policy domain needs at least one domain")

    @property
    def shown_label(self) -> str:
        return self.label or self.name


def is_safe_address(address: str) -> bool:
    """Over HTTPS, or on the loopback interface: nobody in between reads or changes what is sent."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    if parts.username or parts.password or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback_name(parts.netloc))


def invalid(sentence: str) -> RequestError:
    return RequestError(sentence, code="invalid_parameter")


def read_providers(transaction: Transaction) -> dict[str, OidcProvider]:
    """By name."""
    row = transaction.row("SELECT value FROM server_values WHERE name = ?", ROW)
    providers = msgspec.json.decode(row[0], type=list[OidcProvider]) if row else []
    return {provider.name: provider for provider in providers}


def save_provider(transaction: Transaction, provider: OidcProvider) -> None:
    write(transaction, {**read_providers(transaction), provider.name: provider})


def remove_provider(transaction: Transaction, name: str) -> None:
    """Raises RequestError."""
    providers = read_providers(transaction)
    if providers.pop(name, None) is None:
        raise RequestError(f"there is no provider '{name}'", code="not_found")
    write(transaction, providers)


def write(transaction: Transaction, providers: dict[str, OidcProvider]) -> None:
    transaction.execute("DELETE FROM server_values WHERE name = ?", ROW)
    encoded = msgspec.json.encode(list(providers.values())).decode()
    transaction.execute("INSERT INTO server_values (name, value) VALUES (?, ?)", ROW, encoded)
