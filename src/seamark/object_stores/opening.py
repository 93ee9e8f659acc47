"""Opens an object store by its address. obstore reads the environment and asks the machine in the cloud for its
identity; what it does not read by itself (profiles of AWS, Azure's connection strings …) is added here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from seamark.object_stores import aws, azure, google
from seamark.object_stores.settings import Settings

CONNECT_SECS = 10


def open_object_store(address: str, *, timeout_secs: float, max_retries: int, retry_secs: float) -> Any:
    """Opens without a request. Raises ValueError or an error of obstore; see `failure_reason`."""
    from obstore.store import from_url  # an extra, which takes long to import

    settings = find_settings(address)
    options: dict[str, Any] = {
        # The user chooses the endpoint, and servers on this machine or in a cluster often have no certificate.
        "client_options": {
            "timeout": timedelta(seconds=timeout_secs),
            "connect_timeout": timedelta(seconds=CONNECT_SECS),
            "allow_http": True,
        },
        "retry_config": {"max_retries": max_retries, "retry_timeout": timedelta(seconds=retry_secs)},
    }
    if settings.config:
        options["config"] = settings.config
    if settings.credentials is not None:
        options["credential_provider"] = settings.credentials
    return from_url(address, **options)


def find_settings(address: str) -> Settings:
    """Raises CredentialsError."""
    by_scheme = {"s3": aws.find_settings, "gs": google.find_settings, "az": azure.find_settings}
    find = by_scheme.get(address.partition("://")[0])
    return find() if find is not None else Settings({})
