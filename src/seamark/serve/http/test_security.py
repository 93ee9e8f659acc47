"""Access: Host and Origin headers, and the token of a server on the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import Settings, create_app
from seamark.serve.http.hosts import host_check
from seamark.serve.http.security import frame_policy
from seamark.store import LogRoot, Store

TOKEN = "correct-horse"
PAGE = {"accept": "text/html,*/*"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "index.html").write_text("<!doctype html><title>Seamark</title>")
    settings = Settings(
        is_allowed_host=host_check("0.0.0.0", has_token=True), token=TOKEN, static=tmp_path, path_prefix="/runs"
    )
    store = Store([LogRoot("", tmp_path / "logs")], index_dir=None, follow=False)
    with TestClient(
        create_app(store, settings=settings), base_url="http://machine:6006", follow_redirects=False
    ) as client:
        yield client


def test_requests_without_the_token_are_rejected(client: TestClient) -> None:
    for path in ("/runs/", "/runs/api/runs", "/runs/api/events", "/runs/data/runs", "/", "/nothing"):
        assert client.get(path).status_code == 401, path
    assert client.get("/runs/api/runs?token=wrong").status_code == 401
    assert client.get("/runs/api/runs", headers={"cookie": "seamark-1=wrong; =;;"}).status_code == 401
    assert "terminal" in client.get("/runs/", headers=PAGE).text
    assert client.patch("/runs/api/state", json={"version": 0}).status_code == 401


def test_the_page_that_asks_for_the_token_is_styled_without_it(client: TestClient) -> None:
    page = client.get("/runs/", headers=PAGE)
    assert '<link rel="stylesheet" href="locked.css">' in page.text
    assert "'unsafe-inline'" not in page.headers["content-security-policy"]
    for path in ("/runs/locked.css", "/locked.css", "/runs/run/locked.css"):
        style = client.get(path)
        assert (style.status_code, style.headers["content-type"].split(";")[0]) == (200, "text/css")


def test_the_first_visit_sets_a_cookie_and_removes_the_token_from_the_url(client: TestClient) -> None:
    answer = client.get(f"/runs/?smoothing=0.5&token={TOKEN}", headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs/?smoothing=0.5")
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/runs/"))
    assert "<title>Seamark" in client.get("/runs/", headers=PAGE).text
    assert client.get("/runs/api/runs").status_code == 200


def test_a_link_on_another_site_leads_to_a_page_that_refreshes(client: TestClient) -> None:
    answer = client.get(f'/runs/?q="<x>&token={TOKEN}', headers={**PAGE, "sec-fetch-site": "cross-site"})
    assert answer.status_code == 200
    assert answer.headers["refresh"].startswith("0;url=/runs/?q=")
    assert TOKEN not in answer.text and "<x>" not in answer.text


def test_a_program_may_send_the_token_each_time(client: TestClient) -> None:
    assert client.get(f"/runs/api/runs?token={TOKEN}").status_code == 200
    assert client.get("/runs/api/runs", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_the_redirect_never_leads_to_another_server(client: TestClient) -> None:
    answer = client.get(f"http://machine:6006//evil.example/?token={TOKEN}", headers=PAGE)
    assert answer.headers["location"] == "/evil.example/"


def test_a_page_of_another_server_can_neither_change_nor_read(client: TestClient) -> None:
    client.get(f"/runs/?token={TOKEN}", headers=PAGE)
    for origin in ("http://evil.example", "null", "http://machine:6007", "vscode-webview://x", "chrome-extension://x"):
        read = client.get("/runs/api/runs", headers={"origin": origin})
        assert read.status_code == 200
        assert not any(name.startswith("access-control-") for name in read.headers)
        assert read.headers["cross-origin-resource-policy"] == "same-origin"
        assert client.patch("/runs/api/state", json={"version": 0}, headers={"origin": origin}).status_code == 403
        assert client.post("/runs/api/table", json={}, headers={"origin": origin}).status_code == 403
        assert client.options("/runs/api/state", headers={"origin": origin}).status_code == 403
    assert client.get("/runs/api/runs", headers={"origin": "http://machine:6006"}).status_code == 200


def test_pages_of_an_allowed_proxy_may_send_changes(tmp_path: Path) -> None:
    settings = Settings(trusted_names=("Proxy.Example",))
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    client = TestClient(create_app(store, settings=settings), base_url="http://localhost:6006")
    for origin, status in [("https://proxy.example", 200), ("https://proxy.example:8443", 200), ("https://a.b", 403)]:
        assert client.post("/api/table", json={}, headers={"origin": origin}).status_code == status


def test_the_error_for_a_host_names_the_flag(tmp_path: Path) -> None:
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    client = TestClient(create_app(store), base_url="http://evil.example:6006")
    answer = client.get("/api/runs")
    assert answer.status_code == 403
    sentence = "Host 'evil.example:6006' is not allowed; add it with --allow_host"
    assert answer.json() == {"error": sentence, "code": "forbidden"}


@pytest.mark.parametrize(
    ("host", "has_token", "header", "expected"),
    [
        ("localhost", False, "localhost:6006", True),
        ("localhost", False, "evil.example", False),
        ("::1", False, "[::1]:6006", True),
        ("::1", False, "evil.example", False),
        ("localhost", False, "proxy.example", True),
        ("0.0.0.0", True, "machine.example:6006", True),
        ("0.0.0.0", True, "bad host", False),
        ("0.0.0.0", False, "10.1.2.3:6006", True),
        ("0.0.0.0", False, "evil.example", False),
        ("0.0.0.0", False, "proxy.example", True),
        ("0.0.0.0", False, "seamark", True),
        ("0.0.0.0", False, "seamark.team.svc.cluster.local:6006", True),
        ("0.0.0.0", False, "box.internal", True),
        ("0.0.0.0", False, "local.evil.example", False),
        ("0.0.0.0", False, "", False),
        ("localhost", False, "seamark", False),
        ("box.example", False, "box.example:80", True),
    ],
)
def test_which_hosts_are_allowed(host: str, has_token: bool, header: str, expected: bool) -> None:
    assert host_check(host, has_token=has_token, allowed=["Proxy.Example"])(header) is expected


def test_only_named_pages_may_frame_ours(tmp_path: Path) -> None:
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)

    def policy(*framed_by: str) -> str:
        app = create_app(store, settings=Settings(framed_by=framed_by))
        answer = TestClient(app, base_url="http://localhost:6006").get("/api/runs")
        return answer.headers["content-security-policy"].split("; ")[-1]

    assert policy() == "frame-ancestors 'self'"
    assert policy("local").startswith("frame-ancestors 'self' http://localhost:* http://127.0.0.1:* ")
    assert policy("https://hub.example:8000", "vscode-webview:").endswith(
        "'self' https://hub.example:8000 vscode-webview:"
    )


@pytest.mark.parametrize(
    "origin", ["*", "https://a; script-src *", "https://*", "'unsafe-inline'", "a b", "https://a/b", ""]
)
def test_only_origins_get_into_the_policy(origin: str) -> None:
    with pytest.raises(ValueError, match="want 'local', or origins"):
        frame_policy([origin])


def test_a_star_allows_any_name() -> None:
    check = host_check("localhost", has_token=False, allowed=["*"])
    assert check("hub.example") and check("localhost:1") and not check("bad host")


@pytest.mark.parametrize("others", ['x={"a":1}', "a[0]=1", "bad cookie; =;", 'q="unclosed'])
def test_malformed_cookies_of_other_programs_are_ignored(client: TestClient, others: str) -> None:
    cookie = client.get(f"/runs/?token={TOKEN}", headers=PAGE).headers["set-cookie"].split(";")[0]
    client.cookies.clear()
    for header in (f"{others}; {cookie}", f"{cookie}; {others}"):
        assert client.get("/runs/api/runs", headers={"cookie": header}).status_code == 200
    assert client.get("/runs/api/runs", headers={"cookie": others}).status_code == 401


def test_an_invalid_origin_and_a_second_host_are_rejected(client: TestClient) -> None:
    client.get(f"/runs/?token={TOKEN}", headers=PAGE)
    for origin in ("http://[bad", "http://]", "[", ""):
        assert client.patch("/runs/api/state", json={"version": 0}, headers={"origin": origin}).status_code == 403
    hosts = [("host", "machine:6006"), ("host", "evil.example")]
    assert client.get("/runs/api/runs", headers=hosts).status_code == 403


@pytest.mark.parametrize(
    ("path", "target"),
    [("/runs/run/%E6%97%A5%E6%9C%AC", "/runs/run/%E6%97%A5%E6%9C%AC"), ("/%09/evil.example", "/%09/evil.example")],
)
def test_a_link_leads_to_the_quoted_path(client: TestClient, path: str, target: str) -> None:
    here = client.get(f"{path}?token={TOKEN}", headers=PAGE)
    assert here.headers["location"] == target
    elsewhere = client.get(f"{path}?token={TOKEN}", headers={**PAGE, "sec-fetch-site": "cross-site"})
    assert elsewhere.headers["refresh"] == f"0;url={target}"


def test_an_internal_error_has_the_form_and_the_headers_of_every_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    monkeypatch.setattr(store, "progress", lambda: 1 / 0)
    client = TestClient(create_app(store), base_url="http://localhost", raise_server_exceptions=False)
    answer = client.get("/api/progress")
    assert answer.status_code == 500 and answer.json()["code"] == "internal"
    assert answer.json()["error"].startswith("the server failed (ZeroDivisionError)")
    (record,) = [record for record in caplog.records if record.name.startswith("seamark.")]
    assert record.getMessage() == "GET /api/progress failed" and record.exc_info is not None
    assert (
        answer.headers["x-content-type-options"] == "nosniff"
        and "default-src" in answer.headers["content-security-policy"]
    )
