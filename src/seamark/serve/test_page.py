"""Every URL of the page gets the same document, with the right base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import Settings, create_app
from seamark.serve.page import BASE
from seamark.store import LogRoot, Store

INDEX = f"<!doctype html><head>{BASE} /><title>Seamark</title></head>"


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(INDEX)
    return tmp_path


@pytest.fixture(params=["", "/team/runs"])
def prefix(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(static: Path, prefix: str) -> Iterator[TestClient]:
    settings = Settings(static=static, path_prefix=prefix)
    with Store([LogRoot("", static)], index_dir=None, follow=False) as store:
        yield TestClient(create_app(store, settings=settings), base_url="http://localhost")


def root_of(page: str, address: str) -> str:
    """Where a browser looks for "api/runs" when it finds this page at this address."""
    return urljoin(address, page.split('<base href="')[1].split('"')[0])


@pytest.mark.parametrize(
    "path",
    [
        "",
        "run/",
        "run/a",
        "run/lr0.5/seed0",
        "run/a%20b/%F0%9F%8C%8A/%3Cscript%3E",
        "run/one%2Fsegment",
        "run/.hidden/x",
        "compare?runs=a,b/c",
        "compare/",
    ],
)
def test_every_url_of_the_page_has_the_right_base(client: TestClient, prefix: str, path: str) -> None:
    for base in (prefix, f"{prefix}/experiment/any"):
        answer = client.get(f"{base}/{path}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert root_of(answer.text, f"{base}/{path.split('?')[0]}") == f"{base}/"
        assert answer.headers["cache-control"] == "no-cache"


def test_other_urls_are_not_found(client: TestClient, prefix: str) -> None:
    assert client.get(f"{prefix}/runs").status_code == 404
    assert client.get(f"{prefix}/compare.txt").status_code == 404


def test_the_policy_allows_only_our_own_base(client: TestClient, prefix: str) -> None:
    assert "base-uri 'self'" in client.get(f"{prefix}/run/a").headers["content-security-policy"]


def test_the_window_title_is_on_every_page(static: Path) -> None:
    with Store([LogRoot("", static)], index_dir=None, follow=False) as store:
        settings = Settings(static=static, window_title="Ours")
        client = TestClient(create_app(store, settings=settings), base_url="http://localhost")
        for path in ("/", "/run/a/b", "/compare?runs=a"):
            assert "<title>Ours</title>" in client.get(path).text


def test_a_run_page_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        client = TestClient(create_app(store, settings=Settings(static=tmp_path)), base_url="http://localhost")
        assert client.get("/run/a").status_code == 503


def test_the_built_page_has_the_base_that_is_replaced() -> None:
    source = Path(__file__).parents[3] / "web" / "index.html"
    assert source.read_text(encoding="utf-8").count(BASE) == 1
