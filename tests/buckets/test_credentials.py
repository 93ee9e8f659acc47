"""Where credentials come from, and that they appear nowhere. SeaweedFS checks signatures; moto does not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

import seamark
from seamark.object_stores.aws import NO_CREDENTIALS
from seamark.store import Store, parse_logdir
from seamark.upload.bucket_pusher import BucketPusher
from seamark.upload.errors import UploadError
from tests.buckets.bucket import KEY, SECRET, Bucket, log
from tools.fault_proxy import Answer, FaultProxy, Seen, fault_proxy
from tools.in_process import served_in_process
from tools.s3_server import S3Server

WRONG = "very-secret-8f3a"


@pytest.fixture
def home(bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Without credentials in the environment. The bucket has one run."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name)
    log(tmp_path / "logs" / "a", 1)
    bucket.upload(tmp_path / "logs")
    folder = tmp_path / "home" / ".aws"
    folder.mkdir(parents=True)
    return folder


def problem_of(address: str) -> str:
    with Store(parse_logdir(address), index_dir=None, follow=False) as store:
        (problem,) = store.problems()
    return problem.message


def test_the_default_profile(bucket: Bucket, home: Path) -> None:
    (home / "config").write_text(f"[default]\nregion = us-east-1\nendpoint_url = {bucket.proxy.address}\n")
    (home / "credentials").write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    assert [run.name for run in seamark.open(bucket.address)] == ["a"]


def test_a_named_profile_with_a_section_of_services(
    bucket: Bucket, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "work")
    (home / "config").write_text(
        "[default]\nregion = nowhere\n[profile work]\nregion = us-east-1\nservices = mine\n"
        f"aws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n"
        f"[services mine]\ns3 =\n  endpoint_url = {bucket.proxy.address}\nec2 =\n  endpoint_url = http://127.0.0.1:1\n"
    )
    assert [run.name for run in seamark.open(bucket.address)] == ["a"]


def test_a_profile_with_a_process(bucket: Bucket, home: Path) -> None:
    printed = json.dumps({"Version": 1, "AccessKeyId": KEY, "SecretAccessKey": SECRET})
    (home / "keys.json").write_text(printed)
    command = f"{sys.executable} -c \"print(open('{home / 'keys.json'}').read())\""
    (home / "config").write_text(f"[default]\nendpoint_url = {bucket.proxy.address}\ncredential_process = {command}\n")
    assert [run.name for run in seamark.open(bucket.address)] == ["a"]


def test_a_profile_with_a_role_is_asked_of_boto3(bucket: Bucket, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("boto3")
    token = f"<Credentials><AccessKeyId>{KEY}</AccessKeyId><SecretAccessKey>{SECRET}</SecretAccessKey>"
    token += "<SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>"
    body = f"<AssumeRoleResponse><AssumeRoleResult>{token}</AssumeRoleResult></AssumeRoleResponse>".encode()
    bucket.proxy.fault = lambda seen: Answer(200, body) if seen.method == "POST" else None
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", bucket.proxy.address)
    (home / "config").write_text(
        f"[default]\nregion = us-east-1\nendpoint_url = {bucket.proxy.address}\nrole_arn = arn:aws:iam::1:role/reader\n"
        f"source_profile = base\n[profile base]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n"
    )
    seamark.open(bucket.address)
    assert any(seen.method == "POST" for seen in bucket.proxy.seen)
    listings = [seen for seen in bucket.proxy.seen if seen.is_listing]
    assert listings and all(seen.headers["x-amz-security-token"] == "session" for seen in listings)


def test_the_identity_of_a_container_and_of_an_instance(
    bucket: Bucket, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_EC2_METADATA_DISABLED")
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket.proxy.address)
    keys = {"AccessKeyId": KEY, "SecretAccessKey": SECRET, "Token": "session", "Expiration": "2099-01-01T00:00:00Z"}
    with fault_proxy(bucket.proxy.address) as identity:
        identity.fault = lambda seen: identity_answer(seen, keys)
        with monkeypatch.context() as container:
            container.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{identity.address}/container")
            container.setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", str(home / "token"))
            (home / "token").write_text("token")
            seamark.open(bucket.address)
        monkeypatch.setenv("AWS_METADATA_ENDPOINT", identity.address)
        seamark.open(bucket.address)
        paths = [seen.path for seen in identity.seen]
    assert paths[0] == "/container"
    assert "/latest/api/token" in paths
    listings = [seen for seen in bucket.proxy.seen if seen.is_listing]
    assert len(listings) == 2
    assert all(seen.headers["x-amz-security-token"] == "session" for seen in listings)


def identity_answer(seen: Seen, keys: dict[str, str]) -> Answer:
    if seen.path.endswith("/api/token"):
        return Answer(200, b"token")
    if seen.path.endswith("/security-credentials/"):
        return Answer(200, b"reader")
    return Answer(200, json.dumps({"Code": "Success", "Type": "AWS-HMAC", **keys}).encode())


@pytest.mark.parametrize(
    ("config", "profile", "said"),
    [
        ("", "", NO_CREDENTIALS),
        ("", "missing", "no profile has the name in AWS_PROFILE: 'missing'"),
        (f"aws_secret_access_key = {WRONG}\n[", "", "this file is not as AWS describes it: "),
        (f"[default]\naws_access_key_id = {WRONG}", "", "without an aws_secret_access_key"),
        (f"[default]\ncredential_process = false {WRONG}", "", "gave no credentials (CalledProcessError)"),
    ],
)
def test_what_is_missing_is_said(
    bucket: Bucket, home: Path, monkeypatch: pytest.MonkeyPatch, config: str, profile: str, said: str
) -> None:
    (home / "config").write_text(config)
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket.proxy.address)
    monkeypatch.setenv("AWS_PROFILE", profile)
    message = problem_of(bucket.address)
    assert said in message
    assert WRONG not in message


@pytest.fixture
def strict(server: S3Server) -> None:
    if "moto" in type(server).__name__.lower():
        pytest.skip("moto accepts any signature")


def test_wrong_credentials_appear_nowhere(
    strict: None, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", WRONG)
    monkeypatch.setenv("AWS_SESSION_TOKEN", f"{WRONG}-token")
    assert problem_of(bucket.address).startswith("the bucket cannot be read (access is denied)")
    with served_in_process(bucket.address) as served:
        pages = [urlopen(f"{served.rstrip('/')}{path}").read().decode() for path in ("/", "/api/runs", "/api/problems")]
    with pytest.raises(UploadError, match="the bucket cannot be written") as found:
        log(tmp_path / "run", 1)
        BucketPusher(bucket.address, tmp_path / "run", report=lambda key, text: None).push(is_last=True)
    assert WRONG not in "".join([*pages, caplog.text, str(found.value)])


def test_a_token_that_the_server_repeats_appears_nowhere(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    body = f"<Error><Code>ExpiredToken</Code><Message>expired</Message><Token-0>{WRONG}</Token-0></Error>"
    bucket.proxy.fault = lambda seen: Answer(400, body.encode())
    message = problem_of(bucket.address)
    assert message.startswith("the bucket cannot be read (the credentials have expired)")
    assert WRONG not in message
    bucket.proxy.fault = lambda seen: Answer(400, body.replace("ExpiredToken", "Odd").encode())
    assert problem_of(bucket.address).startswith("the bucket cannot be read (400 Bad Request, Odd)")


def test_a_public_bucket(bucket: Bucket, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket.proxy.address)
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", "true")
    with Store(parse_logdir(bucket.address), index_dir=None, follow=False):
        assert bucket.proxy.seen
    assert not any("authorization" in {name.lower() for name in seen.headers} for seen in bucket.proxy.seen)


# Google and Azure


@pytest.fixture
def recorder(clean_environment: None) -> Iterator[FaultProxy]:
    """Records requests and refuses them."""
    with fault_proxy("http://127.0.0.1:1") as proxy:
        proxy.fault = lambda seen: Answer(403)
        yield proxy


def test_the_emulator_variable_of_google(recorder: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", recorder.address)
    assert problem_of("gs://logs/x").startswith("the bucket cannot be read (access is denied): 'gs://logs/x'")
    assert recorder.seen[0].path.startswith("/logs?")


def test_gcloud_application_default_credentials(
    recorder: FaultProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "home" / ".config" / "gcloud"
    folder.mkdir(parents=True)
    file = folder / "application_default_credentials.json"
    file.write_text(json.dumps({"type": "external_account", "secret": WRONG}))
    monkeypatch.setenv("GOOGLE_BASE_URL", recorder.address)
    message = problem_of("gs://logs/x")
    assert "Google gave no credentials" in message or "pip install 'seamark[google]'" in message
    file.write_text("{" + WRONG)
    message = problem_of("gs://logs/x")
    assert "this file has no credentials of Google" in message
    assert WRONG not in message


def test_a_connection_string_of_azure(recorder: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = f"BlobEndpoint={recorder.address}/account"
    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", f"AccountName=account;AccountKey={'A' * 86}==;{endpoint}")
    assert problem_of("az://logs/x").startswith("the bucket cannot be read (access is denied): 'az://logs/x'")
    assert recorder.seen[0].path.startswith("/account/logs?")
    assert recorder.seen[0].headers["authorization"].startswith("SharedKey account:")


def test_a_signature_of_azure_is_never_shown(recorder: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "account")
    monkeypatch.setenv("AZURE_STORAGE_SAS_TOKEN", f"sv=2022-11-02&sig={WRONG}")
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", f"{recorder.address}/account")
    for status in (400, 403, 409, 503):
        recorder.fault = lambda seen, status=status: Answer(status, f"<Error>sig={WRONG}</Error>".encode())
        assert WRONG not in problem_of("az://logs/x")
    assert WRONG in recorder.seen[0].path  # it was sent


def test_az_login(recorder: FaultProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "az"
    program.parent.mkdir()
    printed = json.dumps({"accessToken": WRONG, "expiresOn": "2099-01-01 00:00:00.000000", "tokenType": "Bearer",
                          "subscription": "s", "tenant": "t"})  # fmt: skip
    program.write_text(f"#!/bin/sh\necho '{printed}'\n")
    program.chmod(0o755)
    (tmp_path / "home" / ".azure").mkdir(parents=True)
    (tmp_path / "home" / ".azure" / "azureProfile.json").write_text("{}")
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "account")
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", f"{recorder.address}/account")
    assert WRONG not in problem_of("az://logs/x")
    assert recorder.seen[0].headers["authorization"] == f"Bearer {WRONG}"


def test_azure_without_an_account(recorder: FaultProxy) -> None:
    assert "no storage account is given; set AZURE_STORAGE_ACCOUNT_NAME" in problem_of("az://logs/x")
