"""Google Cloud Storage: what obstore does not read of Google's own settings.

A key file, `gcloud auth application-default login` and the identity of a machine in the cloud are obstore's own.
Other forms of application default credentials, such as workload identity federation, need google-auth: the extra
`seamark[google]`.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from seamark.object_stores.settings import CredentialsError, Settings, is_set, is_true

SCOPE = "https://www.googleapis.com/auth/devstorage.read_write"
# The forms of a credentials file that obstore reads.
READ_BY_OBSTORE = ("service_account", "authorized_user")


def find_settings() -> Settings:
    config: dict[str, str] = {}
    if emulator := os.environ.get("STORAGE_EMULATOR_HOST"):  # of Google's own libraries
        config["base_url"] = emulator if "://" in emulator else f"http://{emulator}"
        # Emulators take any token. Without signatures obstore would still ask for one before it writes.
        return Settings(config, lambda: {"token": "emulator", "expires_at": None})
    own = ("GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_PATH", "GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_BEARER_TOKEN")
    if is_true("GOOGLE_SKIP_SIGNATURE") or is_set(*own):
        return Settings(config)
    path = credentials_file()
    if path is None or credentials_type(path) in READ_BY_OBSTORE:
        return Settings({"application_credentials": str(path)} if path is not None else {})
    return Settings(config, google_auth_credentials)


def credentials_file() -> Path | None:
    """The file of application default credentials, where Google's programs look for it."""
    if named := os.environ.get("GOOGLE_APPLICATION_CREDENTIALS"):
        return Path(named)
    folder = Path(os.environ.get("CLOUDSDK_CONFIG") or "~/.config/gcloud").expanduser()
    path = folder / "application_default_credentials.json"
    return path if path.is_file() else None


def credentials_type(path: Path) -> str:
    """Raises CredentialsError."""
    try:
        return str(json.loads(path.read_bytes())["type"])
    except OSError as error:
        raise CredentialsError(f"the credentials cannot be read ({error.strerror}): '{path}'") from None
    except (ValueError, KeyError, TypeError):
        # Not the parser's message: it has a part of the file.
        raise CredentialsError(f"this file has no credentials of Google: '{path}'") from None


def google_auth_credentials() -> dict[str, Any]:
    """Raises CredentialsError."""
    if find_spec("google.auth") is None:
        raise CredentialsError("these credentials of Google need google-auth: pip install 'seamark[google]'")
    import google.auth
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport.requests import Request

    try:
        found, _ = google.auth.default(scopes=[SCOPE])
        found.refresh(Request())
    except GoogleAuthError as error:
        raise CredentialsError(f"Google gave no credentials ({type(error).__name__})") from None
    expires_at = found.expiry.replace(tzinfo=UTC) if found.expiry else datetime.now(UTC) + timedelta(minutes=5)
    return {"token": found.token, "expires_at": expires_at}
