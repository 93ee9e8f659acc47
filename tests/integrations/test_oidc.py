"""Signing in to a team server with a certified OpenID provider, npm's oidc-provider, which requires PKCE."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import httpx2
import pytest
from playwright.sync_api import expect, sync_playwright

from tools.browser import launch
from tools.in_process_team import InProcessTeam, Person, served_in_process_team

NODE = shutil.which("node")
MODULE = Path(sys.prefix) / "node_modules" / "oidc-provider" / "lib" / "index.js"
if NODE is None:
    pytest.skip("node is not installed", allow_module_level=True)
if not MODULE.exists():
    pytest.skip("oidc-provider is not installed; run it with `make test-integrations`", allow_module_level=True)

API = "/team/api"
SECRET = "a secret: 100% +safe"  # not the same when it is quoted for a header
MAX_REDIRECTS = 10
SCRIPT = Path(__file__).with_name("openid_provider.mjs")


@pytest.fixture
def team(tmp_path: Path) -> Iterator[InProcessTeam]:
    with served_in_process_team(tmp_path / "team") as found:
        yield found


@pytest.fixture
def issuer(team: InProcessTeam) -> Iterator[str]:
    command = [str(NODE), str(SCRIPT), MODULE.as_uri(), f"{team.address}{API}/oidc/callback"]
    # On stderr it warns that its keys are only for development.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address, f"the provider did not start: {' '.join(command)}"
        yield address
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def configure(team: InProcessTeam, issuer: str, secret: str = SECRET) -> None:
    settings = {"name": "lab", "label": "Our lab", "issuer": issuer, "client_id": "seamark", "client_secret": secret}
    response = team.person("server").patch(f"{API}/oidc", {**settings, "policy": "domain", "domains": ["example.org"]})
    assert response.status_code == 200, response.text


def begin(team: InProcessTeam) -> tuple[str, Person]:
    started = team.visitor().get(f"{API}/oidc/start?name=lab&next=/settings/profile")
    assert started.status_code == 303, started.text
    return started.headers["location"], Person(team.client, {"cookie": started.headers["set-cookie"].split(";")[0]})


def authorize(address: str, login: str, *, denies: bool = False) -> str:
    """What somebody does at the provider. Returns where it sends the browser back to."""
    issuer = urlsplit(address).netloc
    with httpx2.Client(timeout=60) as browser:
        response = browser.get(address)
        for _ in range(MAX_REDIRECTS):
            if response.status_code == 200:  # the page to sign in, then the one to consent
                response = answer_page(browser, response, login, denies=denies)
                continue
            assert response.status_code in (302, 303), response.text
            address = urljoin(str(response.url), response.headers["location"])
            if urlsplit(address).netloc != issuer:
                return address
            response = browser.get(address)
    raise AssertionError(f"more than {MAX_REDIRECTS} redirects, the last to {address}")


def answer_page(browser: httpx2.Client, page: httpx2.Response, login: str, *, denies: bool) -> httpx2.Response:
    if denies:
        (abort,) = re.findall(r'href="([^"]+/abort)"', page.text)
        return browser.get(urljoin(str(page.url), abort))
    (action,) = re.findall(r'action="([^"]+)"', page.text)
    (prompt,) = re.findall(r'name="prompt" value="(\w+)"', page.text)
    return browser.post(urljoin(str(page.url), action), data={"prompt": prompt, "login": login, "password": "any"})


def come_back(browser: Person, address: str, **changes: str) -> httpx2.Response:
    back = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(back.query).items()}
    return browser.get(f"{back.path}?{urlencode({**query, **changes})}")


def user_of(team: InProcessTeam, response: httpx2.Response) -> dict[str, object]:
    assert response.status_code == 303 and response.headers["location"] == "/settings/profile", response.text
    cookies = [value.split(";")[0] for value in response.headers.get_list("set-cookie")]
    session = next(cookie for cookie in cookies if cookie.startswith("seamark-session="))
    return Person(team.client, {"cookie": session}).get(f"{API}/session").json()["user"]


def test_somebody_signs_in_and_is_known_again(team: InProcessTeam, issuer: str) -> None:
    """The provider sends the email in its user information only, and its own name back (RFC 9207)."""
    configure(team, issuer)
    users = []
    for _ in range(2):
        address, browser = begin(team)
        assert address.startswith(issuer)
        back = authorize(address, "ada")
        assert back.startswith(f"{team.address}{API}/oidc/callback?") and parse_qs(urlsplit(back).query)["iss"]
        users.append(user_of(team, come_back(browser, back)))
    assert users[0] == users[1]
    assert (users[0]["email"], users[0]["name"]) == ("ada@example.org", "Ada Lovelace")


def test_a_browser_goes_to_the_provider_and_comes_back_signed_in(team: InProcessTeam, issuer: str) -> None:
    configure(team, issuer)
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        page = chromium.new_page()
        page.goto(f"{team.address}/sign-in")
        page.get_by_role("link", name="Our lab").click()
        page.locator("[name=login]").fill("ada")
        page.locator("[name=password]").fill("any")
        page.locator("[type=submit]").click()
        page.get_by_role("button", name="Continue").click()
        expect(page).to_have_url(f"{team.address}/")
        expect(page.get_by_role("button", name="Ada Lovelace")).to_be_visible()
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies(team.address)}
        assert cookies["seamark-session"]["httpOnly"] and cookies["seamark-session"]["sameSite"] == "Lax"
        chromium.close()


def test_an_email_that_the_provider_does_not_vouch_for_gets_no_account(team: InProcessTeam, issuer: str) -> None:
    configure(team, issuer)
    address, browser = begin(team)
    denied = come_back(browser, authorize(address, "eve"))
    assert denied.status_code == 403 and "vouch" in denied.text


def test_a_denial_and_a_made_up_or_used_code_do_not_sign_in(team: InProcessTeam, issuer: str) -> None:
    configure(team, issuer)
    address, browser = begin(team)
    denied = come_back(browser, authorize(address, "ada", denies=True))
    assert denied.status_code == 403 and "aborted" in denied.text
    assert "seamark-session" not in denied.headers["set-cookie"]
    address, browser = begin(team)
    back = authorize(address, "ada")
    assert come_back(browser, back, code="made-up").status_code == 403
    # The provider takes a code once.
    assert come_back(browser, back).status_code == 303
    assert come_back(browser, back).status_code == 403


def test_without_the_verifier_the_provider_gives_nothing(team: InProcessTeam, issuer: str) -> None:
    """PKCE: a stolen code, brought back by a browser with its own state, is of no use."""
    configure(team, issuer)
    stolen = parse_qs(urlsplit(authorize(begin(team)[0], "ada")).query)["code"][0]
    address, thief = begin(team)
    refused = come_back(thief, authorize(address, "eve"), code=stolen)
    assert refused.status_code == 403 and "invalid_grant" in refused.text


def test_a_wrong_client_secret_is_named(team: InProcessTeam, issuer: str) -> None:
    configure(team, issuer, secret="wrong")
    address, browser = begin(team)
    refused = come_back(browser, authorize(address, "ada"))
    assert refused.status_code == 403 and "invalid_client" in refused.text
