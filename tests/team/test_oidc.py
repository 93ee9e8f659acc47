"""Signing in by OpenID Connect: who gets in, and every way in which a provider's answer can be wrong.

A certified provider is in tests/integrations/test_oidc.py.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest

from tests.team.oidc_provider import CLIENT_ID, CLIENT_SECRET, Provider, new_key, running_provider
from tools.in_process_team import ORIGIN, InProcessTeam, Person

API = "/team/api"
VISION = f"{API}/projects/lab/vision"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as found:
        yield found


@pytest.fixture
def configured(team: InProcessTeam, provider: Provider) -> InProcessTeam:
    configure(team, provider, policy="domain", domains=["example.org"])
    return team


def configure(team: InProcessTeam, provider: Provider, **changes: object) -> None:
    settings = {"name": "local", "issuer": provider.address, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
    response = team.person("server").patch(f"{API}/oidc", {**settings, **changes})
    assert response.status_code == 200, response.text


def begin(person: Person, query: str = "") -> tuple[str, str]:
    """Where the browser is sent, and its cookie."""
    response = person.get(f"{API}/oidc/start?name=local{query}")
    assert response.status_code == 303, response.text
    assert "HttpOnly" in response.headers["set-cookie"]
    return response.headers["location"], response.headers["set-cookie"].split(";")[0]


def sign_in(team: InProcessTeam, provider: Provider, *, query: str = "", person: Person | None = None):
    person = person or team.visitor()
    address, cookie = begin(person, query)
    cookies = "; ".join(filter(None, [person.headers.get("cookie", ""), cookie]))
    return person.get(f"{API}/oidc/callback", params=provider.authorize(address), headers={"cookie": cookies})


def user_of(team: InProcessTeam, response) -> dict[str, object]:
    cookies = [value.split(";")[0] for value in response.headers.get_list("set-cookie")]
    session = next(cookie for cookie in cookies if cookie.startswith("seamark-session="))
    return Person(team.client, {"cookie": session}).get(f"{API}/session").json()["user"]


def test_a_person_of_the_domain_gets_an_account_and_comes_back_to_it(
    configured: InProcessTeam, provider: Provider
) -> None:
    assert configured.visitor().get(f"{API}/session").json()["oidc"] == [
        {"name": "local", "label": "local", "address": "/team/api/oidc/start?name=local"}
    ]
    first = sign_in(configured, provider, query="&next=/p/lab/vision/%3Frun%3Da%26b")
    assert first.status_code == 303 and first.headers["location"] == "/p/lab/vision/?run=a&b"
    user = user_of(configured, first)
    assert (user["email"], user["name"], user["is_server_admin"]) == ("ada@example.org", "Ada Lovelace", False)
    provider.claims = {"email": "renamed@elsewhere.net"}  # the subject counts, not the email
    assert user_of(configured, sign_in(configured, provider))["id"] == user["id"]


def test_the_request_has_pkce_state_and_nonce(configured: InProcessTeam) -> None:
    address, _ = begin(configured.visitor())
    query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert query["response_type"] == "code" and query["code_challenge_method"] == "S256"
    assert query["redirect_uri"] == f"{ORIGIN}{API}/oidc/callback"
    assert min(len(query[name]) for name in ("state", "nonce", "code_challenge")) >= 32


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.example"},
        {"aud": "another application"},
        {"aud": [CLIENT_ID, "other"], "azp": "other"},
        {"exp": time.time() - 3600},
        {"iat": time.time() + 3600},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"exp": None},
        {"sub": None},
    ],
    ids=lambda claims: "-".join(claims),
)
def test_an_id_token_with_a_wrong_claim_is_rejected(
    configured: InProcessTeam, provider: Provider, claims: dict[str, object]
) -> None:
    provider.claims = claims
    response = sign_in(configured, provider)
    assert response.status_code == 403 and "ID token" in response.json()["error"]


def test_a_token_without_a_signature_of_the_provider_is_rejected(configured: InProcessTeam, provider: Provider) -> None:
    stranger = Provider(key=new_key())
    for sign in (
        lambda claims: jwt.encode(claims, None, "none"),
        lambda claims: jwt.encode(claims, CLIENT_SECRET * 3, "HS256", headers={"kid": "one"}),
        lambda claims: jwt.encode(claims, stranger.key, "RS256", headers={"kid": "one"}),
        lambda claims: jwt.encode(claims, stranger.key, "RS256", headers={"kid": "unknown"}),
        lambda claims: "no token",
    ):
        provider.sign = sign
        response = sign_in(configured, provider)
        assert response.status_code == 403 and "ID token" in response.json()["error"]


def test_a_new_key_of_the_provider_is_fetched(configured: InProcessTeam, provider: Provider) -> None:
    now = [0.0]
    configured.team.oidc._monotonic = lambda: now[0]
    assert sign_in(configured, provider).status_code == 303
    provider.new_key("two")
    assert sign_in(configured, provider).status_code == 403  # not more often than every half minute
    now[0] += 31
    assert sign_in(configured, provider).status_code == 303
    assert provider.asked.count("/keys") == 2 and provider.asked.count("/.well-known/openid-configuration") == 1


def test_the_answer_counts_only_in_the_browser_that_began(configured: InProcessTeam, provider: Provider) -> None:
    address, cookie = begin(configured.visitor())
    _, other_cookie = begin(configured.visitor())
    parameters = provider.authorize(address)
    visitor = configured.visitor()
    assert visitor.get(f"{API}/oidc/callback", params=parameters).status_code == 403
    assert visitor.get(f"{API}/oidc/callback", params=parameters, headers={"cookie": other_cookie}).status_code == 403
    assert (
        visitor.get(f"{API}/oidc/callback", params=parameters, headers={"cookie": "seamark-oidc=%"}).status_code == 403
    )
    mixed_up = {**parameters, "iss": "https://elsewhere.example"}
    assert visitor.get(f"{API}/oidc/callback", params=mixed_up, headers={"cookie": cookie}).status_code == 403
    assert visitor.get(f"{API}/oidc/callback", params=parameters, headers={"cookie": cookie}).status_code == 303
    # The provider accepts a code once.
    assert visitor.get(f"{API}/oidc/callback", params=parameters, headers={"cookie": cookie}).status_code == 403


def test_what_the_provider_refuses_is_shown_as_text(configured: InProcessTeam, provider: Provider) -> None:
    address, cookie = begin(configured.visitor())
    parameters = {"state": provider.authorize(address)["state"], "error": "access_denied", "error_description": "<b>no"}
    headers = {"cookie": cookie, "accept": "text/html"}
    response = configured.visitor().get(f"{API}/oidc/callback", params=parameters, headers=headers)
    assert response.status_code == 403 and "&lt;b&gt;no" in response.text and "<b>" not in response.text


def test_only_a_vouched_email_of_the_domain_makes_an_account(configured: InProcessTeam, provider: Provider) -> None:
    provider.user_info = {"sub": "subject-1"}
    for claims in (
        {"email_verified": False},
        {"email_verified": None},
        {"email": "ada@example.org.evil.net"},
        {"email": "ada@sub.example.org"},
        {"email": None},
    ):
        provider.claims = claims
        response = sign_in(configured, provider)
        assert response.status_code == 403, claims
        assert "account" in response.json()["error"] or "vouch" in response.json()["error"]
    provider.claims = {"email_verified": None}
    configure(configured, provider, trusts_email=True)
    assert sign_in(configured, provider).status_code == 303


def test_the_email_may_come_from_the_user_information(configured: InProcessTeam, provider: Provider) -> None:
    provider.claims = {"email": None, "email_verified": None}
    provider.user_info = {"sub": "somebody else", "email": "ada@example.org", "email_verified": True}
    assert "somebody else" in sign_in(configured, provider).json()["error"]
    provider.user_info["sub"] = "subject-1"
    assert user_of(configured, sign_in(configured, provider))["email"] == "ada@example.org"


def test_by_invitation_only(team: InProcessTeam, provider: Provider) -> None:
    configure(team, provider)
    assert "invitation" in sign_in(team, provider).json()["error"]
    link = team.person("admin").post(f"{VISION}/invitations", {"role": "writer"}).json()["link"]
    code = link.rsplit("/", 1)[1]
    response = sign_in(team, provider, query=f"&invitation={code}")
    assert response.status_code == 303 and user_of(team, response)["email"] == "ada@example.org"
    members = team.person("admin").get(f"{VISION}/members").json()["members"]
    assert ("ada@example.org", "writer") in {(member["email"], member["role"]) for member in members}
    provider.claims = {"sub": "subject-2", "email": "second@example.org"}
    assert sign_in(team, provider, query=f"&invitation={code}").status_code == 404  # used


def test_an_account_with_a_password_is_linked_only_from_inside(configured: InProcessTeam, provider: Provider) -> None:
    provider.claims = {"email": "writer@example.org"}
    response = sign_in(configured, provider)
    assert response.status_code == 409 and "sign in to it as before" in response.json()["error"]
    linked = sign_in(configured, provider, person=configured.person("writer"))
    assert linked.status_code == 303
    assert user_of(configured, sign_in(configured, provider))["email"] == "writer@example.org"
    # Somebody else's identity does not move to another account.
    again = sign_in(configured, provider, person=configured.person("viewer"))
    assert user_of(configured, again)["email"] == "writer@example.org"


def test_a_disabled_user_stays_out(configured: InProcessTeam, provider: Provider) -> None:
    user = user_of(configured, sign_in(configured, provider))
    assert configured.person("server").patch(f"{API}/users/{user['id']}", {"disabled": True}).status_code == 200
    assert "disabled" in sign_in(configured, provider).json()["error"]


@pytest.mark.parametrize(
    "page", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "elsewhere", "/\n//x"]
)
def test_nobody_is_sent_to_another_site(configured: InProcessTeam, provider: Provider, page: str) -> None:
    visitor = configured.visitor()
    started = visitor.get(f"{API}/oidc/start", params={"name": "local", "next": page})
    cookie = started.headers["set-cookie"].split(";")[0]
    parameters = provider.authorize(started.headers["location"])
    done = visitor.get(f"{API}/oidc/callback", params=parameters, headers={"cookie": cookie})
    assert done.status_code == 303 and done.headers["location"] == "/"


def test_a_provider_that_does_not_answer_well_gets_a_sentence(team: InProcessTeam, provider: Provider) -> None:
    configure(team, provider)
    for discovery, sentence in (
        ({"issuer": "https://elsewhere.example"}, "the issuer exactly as configured"),
        ({"token_endpoint": "http://elsewhere.example/token"}, "https"),
    ):
        provider.discovery = discovery
        if "issuer" in discovery:
            response = team.visitor().get(f"{API}/oidc/start?name=local")
        else:
            response = sign_in(team, provider)
        assert response.status_code == 403 and sentence in response.json()["error"]
    configure(team, provider, name="gone", issuer="http://127.0.0.1:9")
    assert "cannot be reached" in team.visitor().get(f"{API}/oidc/start?name=gone").json()["error"]
    assert team.visitor().get(f"{API}/oidc/start?name=unknown").status_code == 404


def test_a_wrong_client_secret_is_named(team: InProcessTeam, provider: Provider) -> None:
    configure(team, provider, client_secret="wrong")
    assert "invalid_client" in sign_in(team, provider).json()["error"]


def test_the_settings_never_show_the_secret_and_reject_nonsense(team: InProcessTeam, provider: Provider) -> None:
    configure(team, provider, label="Our lab")
    server = team.person("server")
    response = server.get(f"{API}/oidc")
    (listed,) = response.json()["providers"]
    assert listed["label"] == "Our lab" and listed["has_client_secret"] and CLIENT_SECRET not in response.text
    assert listed["callback"] == f"{ORIGIN}{API}/oidc/callback"
    for change in (
        {"issuer": "http://example.org", "client_secret": "x"},
        {"issuer": "https://elsewhere.example"},  # without its own secret
        {"scopes": "email"},
        {"policy": "domain"},
        {"domains": ["Not A Domain"]},
        {"client_id": ""},
    ):
        assert server.patch(f"{API}/oidc", {"name": "local", **change}).status_code == 400, change
    assert server.patch(f"{API}/oidc", {"name": "local", "remove": True}).json() == {"providers": []}
    assert server.patch(f"{API}/oidc", {"name": "local", "remove": True}).status_code == 404
    for name in ("admin", "outsider"):
        assert team.person(name).get(f"{API}/oidc").status_code == 403
