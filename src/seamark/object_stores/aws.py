"""S3: the shared files of AWS (~/.aws/config, ~/.aws/credentials, AWS_PROFILE), which obstore does not read.

Keys in the environment, a web identity, and the identity of a container or an instance are obstore's own. A profile
with a role or a single sign-on needs requests that boto3 knows: the extra `seamark[aws]`.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from configparser import ConfigParser, Error
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from seamark.object_stores.settings import CredentialsError, Settings, is_set, is_true

# Other programs replace keys in the files before they expire.
REREAD_SECS = 300
PROCESS_SECS = 60
# A profile with one of these gets its keys by requests.
NEEDS_BOTO3 = ("role_arn", "sso_session", "sso_start_url", "login_session")

Profile = Mapping[str, str]


def find_settings() -> Settings:
    """Raises CredentialsError."""
    profile = read_profile()
    config: dict[str, str] = {}
    if (region := profile.get("region")) and not is_set("AWS_REGION", "AWS_DEFAULT_REGION"):
        config["region"] = region
    has_endpoint = is_set("AWS_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3")
    if "endpoint_url" in profile and not has_endpoint and not is_true("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"):
        config["endpoint"] = profile["endpoint_url"]
    if is_true("AWS_SKIP_SIGNATURE") or is_set("AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE"):
        return Settings(config)
    if any(name in profile for name in NEEDS_BOTO3):
        return Settings(config, boto3_credentials)
    if "aws_access_key_id" in profile or "credential_process" in profile:
        return Settings(config, profile_credentials)
    is_in_container = is_set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI")
    if is_true("AWS_EC2_METADATA_DISABLED") and not is_in_container:
        raise CredentialsError(NO_CREDENTIALS)
    return Settings(config)


NO_CREDENTIALS = (
    "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE, "
    "or AWS_SKIP_SIGNATURE=true for a public bucket"
)


def read_profile() -> Profile:
    """The settings of the user's profile; empty if there is none. Raises CredentialsError."""
    named = os.environ.get("AWS_PROFILE") or os.environ.get("AWS_DEFAULT_PROFILE")
    name = named or "default"
    config = read_file("AWS_CONFIG_FILE", "config")
    keys = read_file("AWS_SHARED_CREDENTIALS_FILE", "credentials")
    section = name if name == "default" and config.has_section(name) else f"profile {name}"
    if named and not config.has_section(section) and not keys.has_section(name):
        raise CredentialsError(f"no profile has the name in AWS_PROFILE: '{named}'")
    found = {**items(config, section), **items(keys, name)}
    if endpoint := service_endpoint(config, found.get("services", "")):
        found["endpoint_url"] = endpoint
    return found


def read_file(variable: str, name: str) -> ConfigParser:
    path = Path(os.environ.get(variable) or Path("~/.aws") / name).expanduser()
    parser = ConfigParser(interpolation=None, strict=False, default_section="")
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
    except OSError:  # most users have none
        pass
    except (Error, UnicodeDecodeError):
        # Not the parser's message: it has the line, and so perhaps a key.
        raise CredentialsError(f"this file is not as AWS describes it: '{path}'") from None
    return parser


def items(parser: ConfigParser, section: str) -> dict[str, str]:
    return dict(parser.items(section)) if parser.has_section(section) else {}


def service_endpoint(config: ConfigParser, services: str) -> str:
    """The endpoint of S3 in a section [services NAME], whose settings are nested: `s3 =`, then indented lines."""
    for line in items(config, f"services {services}").get("s3", "").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "endpoint_url":
            return value.strip()
    return ""


def profile_credentials() -> dict[str, Any]:
    """Reads the files again, since other programs replace what expires. Raises CredentialsError."""
    profile = read_profile()
    if "aws_access_key_id" not in profile:
        return process_credentials(profile.get("credential_process", ""))
    secret = profile.get("aws_secret_access_key")
    if not secret:
        raise CredentialsError("the profile has an aws_access_key_id without an aws_secret_access_key")
    return {
        "access_key_id": profile["aws_access_key_id"],
        "secret_access_key": secret,
        "token": profile.get("aws_session_token"),
        "expires_at": datetime.now(UTC) + timedelta(seconds=REREAD_SECS),
    }


def process_credentials(command: str) -> dict[str, Any]:
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, timeout=PROCESS_SECS, check=True)
        found = json.loads(done.stdout)
        expires_at = datetime.fromisoformat(found["Expiration"]) if found.get("Expiration") else None
        return {
            "access_key_id": str(found["AccessKeyId"]),
            "secret_access_key": str(found["SecretAccessKey"]),
            "token": found.get("SessionToken"),
            "expires_at": expires_at,
        }
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, AttributeError) as error:
        # Neither the command nor what it printed: both may have keys in them.
        reason = type(error).__name__
        raise CredentialsError(f"the credential_process of the profile gave no credentials ({reason})") from None


def boto3_credentials() -> dict[str, Any]:
    """Raises CredentialsError."""
    if find_spec("boto3") is None:
        raise CredentialsError("the profile has a role or a single sign-on: pip install 'seamark[aws]'")
    from boto3.session import Session
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        found = Session().get_credentials()
        frozen = found.get_frozen_credentials() if found is not None else None
    except (BotoCoreError, ClientError) as error:
        raise CredentialsError(f"the profile gave no credentials ({type(error).__name__})") from None
    if frozen is None:
        raise CredentialsError(NO_CREDENTIALS)
    return {
        "access_key_id": frozen.access_key,
        "secret_access_key": frozen.secret_key,
        "token": frozen.token,
        "expires_at": datetime.now(UTC) + timedelta(seconds=REREAD_SECS),
    }
