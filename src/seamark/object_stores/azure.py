"""Azure: the variables of the `az` command and of Azure's own libraries that obstore does not read.

Keys, signatures, service principals, workload and managed identities are obstore's own.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from seamark.object_stores.settings import CredentialsError, Settings, is_set, is_true

# The variable of `az`, and what obstore calls it.
ALIASES = {"AZURE_STORAGE_ACCOUNT": "account_name", "AZURE_STORAGE_KEY": "account_key"}
CONNECTION_PARTS = {
    "AccountName": "account_name",
    "AccountKey": "account_key",
    "SharedAccessSignature": "sas_key",
    "BlobEndpoint": "endpoint",
}
# With one of these, obstore knows who asks.
IDENTITIES = (
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_ACCESS_KEY",
    "AZURE_STORAGE_MASTER_KEY",
    "AZURE_STORAGE_SAS_KEY",
    "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_STORAGE_TOKEN",
    "AZURE_CLIENT_SECRET",
    "AZURE_STORAGE_CLIENT_SECRET",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_MSI_ENDPOINT",
    "AZURE_IDENTITY_ENDPOINT",
    "IDENTITY_ENDPOINT",
    "AZURE_USE_AZURE_CLI",
)


def find_settings() -> Settings:
    """Raises CredentialsError."""
    config = {name: os.environ[variable] for variable, name in ALIASES.items() if is_set(variable)}
    if text := os.environ.get("AZURE_STORAGE_CONNECTION_STRING"):
        config |= parse_connection(text)
    if is_true("AZURE_SKIP_SIGNATURE") or is_true("AZURE_STORAGE_USE_EMULATOR") or "use_emulator" in config:
        return Settings(config)
    if not config.get("account_name") and not is_set("AZURE_STORAGE_ACCOUNT_NAME"):
        raise CredentialsError("no storage account is given; set AZURE_STORAGE_ACCOUNT_NAME")
    if not (is_set(*IDENTITIES) or "account_key" in config or "sas_key" in config) and is_signed_in():
        config["use_azure_cli"] = "true"
    return Settings(config)


def parse_connection(text: str) -> dict[str, str]:
    """Raises CredentialsError, without the text, which has the key in it."""
    parts = dict(part.partition("=")[::2] for part in text.strip().strip(";").split(";"))
    if parts.get("UseDevelopmentStorage", "").lower() == "true":
        return {"use_emulator": "true"}
    if not parts.get("AccountName") and not parts.get("BlobEndpoint"):
        raise CredentialsError("AZURE_STORAGE_CONNECTION_STRING has neither an AccountName nor a BlobEndpoint")
    found = {name: parts[part] for part, name in CONNECTION_PARTS.items() if parts.get(part)}
    if "EndpointSuffix" in parts and "endpoint" not in found:
        protocol = parts.get("DefaultEndpointsProtocol", "https")
        found["endpoint"] = f"{protocol}://{parts['AccountName']}.blob.{parts['EndpointSuffix']}"
    return found


def is_signed_in() -> bool:
    """Whether `az login` was run here. Without it obstore would ask for the identity of a machine in the cloud."""
    folder = Path(os.environ.get("AZURE_CONFIG_DIR") or "~/.azure").expanduser()
    return shutil.which("az") is not None and (folder / "azureProfile.json").is_file()
