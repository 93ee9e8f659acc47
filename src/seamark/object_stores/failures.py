"""Why an object store does not answer, in words without secrets: addresses with signatures and the bodies of answers,
which repeat keys and tokens, are left out.
"""

from __future__ import annotations

import re

NOT_ANSWERING = "it does not answer"
TOO_FAST = "it asks for fewer requests"
_BY_CLASS = {
    "PermissionDeniedError": "access is denied",
    "NotFoundError": "there is no such bucket",
}
_BY_STATUS = {
    "401": "the credentials are missing or wrong",
    "403": "access is denied",
    "404": "there is no such bucket",
    "429": TOO_FAST,
    "503": TOO_FAST,
}
_STATUS = re.compile(r"status code: (\d{3}[A-Za-z ]*)")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")
_OWN_SENTENCE = re.compile(r"CredentialsError: (.*)")
# Requests for the identity of a machine in the cloud, which come last in the chain.
_IDENTITY = ("latest/api/token", "latest/meta-data", "computeMetadata", "metadata/identity")
_SILENT = ("error sending request", "timed out", "operation timed out", "error decoding response body")


def failure_reason(error: Exception) -> str:
    text = str(error).partition("\n\nDebug source:")[0]
    if own := _OWN_SENTENCE.search(text):
        return own[1]
    if any(part in text for part in _IDENTITY):
        return "no credentials were found, and this machine has no identity in the cloud"
    status, code = _STATUS.search(text), _CODE.search(text)
    return (
        _by_code(code[1] if code else "")
        or _BY_CLASS.get(type(error).__name__)
        or _by_status(status[1].strip() if status else "", code[1] if code else "")
        or _by_text(error, text)
    )


def _by_code(code: str) -> str:
    if code in ("SlowDown", "TooManyRequests", "ServerBusy", "RequestLimitExceeded"):
        return TOO_FAST
    if code in ("ExpiredToken", "InvalidToken", "TokenRefreshRequired"):
        return "the credentials have expired"
    if code in ("PermanentRedirect", "AuthorizationHeaderMalformed"):
        return "the bucket is in another region; set AWS_REGION"
    return ""


def _by_status(status: str, code: str) -> str:
    if known := _BY_STATUS.get(status[:3]):
        return known
    return f"{status}, {code}" if status and code else status


def _by_text(error: Exception, text: str) -> str:
    if "redirect without LOCATION" in text:
        return "the bucket is in another region; set AWS_REGION"
    if any(part in text for part in _SILENT):
        return NOT_ANSWERING
    if type(error).__name__ == "UnauthenticatedError":
        return "the credentials are missing or wrong"
    return first_line(text)


def first_line(text: str) -> str:
    """Without addresses, whose parameters may be secrets."""
    words = text.strip().splitlines()[0].split() if text.strip() else ["no reason given"]
    return " ".join(word for word in words if "://" not in word)[:200]
