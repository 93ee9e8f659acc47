"""No secret gets through, and what is none stays readable."""

from __future__ import annotations

import pytest

from seamark.write.run import redact

SECRET = "hunter2hunter2"


@pytest.mark.parametrize(
    "name",
    ["api_key", "API-KEY", "apiKey", "--api-key", "openai.api_key", "OPENAI_API_KEY", "password", "db_password", "token", "hf_token", "auth-token",
     "GITHUB_TOKEN", "client_secret", "aws_secret_access_key", "private_key", "accessKey", "credentials", "wandb_key", "authorization"],
)  # fmt: skip
def test_names_of_secrets_are_known(name: str) -> None:
    assert redact.is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["lr", "key_dim", "num_keys", "sort_key", "key", "max_tokens", "tokens", "num_tokens", "tokenizer", "pad_token", "eos_token", "mask_token",
     "token_embedding", "author", "secretary", "monkey", "", "🙂"],
)  # fmt: skip
def test_names_of_a_training_are_none(name: str) -> None:
    assert not redact.is_secret_name(name)


@pytest.mark.parametrize(
    "words",
    [["--api-key", SECRET], ["--api-key=" + SECRET], ["-token", SECRET], ["model.password=" + SECRET], [f"--env=API_KEY={SECRET}"],
     [f"https://me:{SECRET}@example.org/x"], ["--url", f"https://example.org/x?token={SECRET}&a=1"], ["--header", f"Authorization: Bearer {SECRET}"],
     ["AKIA" + "ABCDEFGHIJKLMNOP"], ["ghp_" + "a1B2" * 9], ["sk-proj-" + "a1B2" * 9], ["hf_" + "a1B2" * 9], ["xoxb-1234567890-" + SECRET]],
)  # fmt: skip
def test_secrets_on_the_command_line_are_hidden(words: list[str]) -> None:
    shown = " ".join(redact.command(["python", "train.py", "--lr", "0.1", *words]))
    assert shown.startswith("python train.py --lr 0.1 ")
    assert redact.HIDDEN in shown
    for part in (SECRET, "ABCDEFGHIJKLMNOP", "a1B2"):
        assert part not in shown


def test_a_flag_behind_a_flag_without_a_value_is_shown() -> None:
    assert redact.command(["--use-auth-token", "--lr", "0.1"]) == ("--use-auth-token", "--lr", "0.1")


def test_a_command_line_without_secrets_is_shown_as_it_was() -> None:
    words = ("python", "-m", "train", "--lr=0.1", "--max_tokens", "512", "data=a/b", "opt.key_dim=3", "a b", "")
    assert redact.command(words) == words


def test_a_configuration_hides_strings_under_secret_names_at_any_depth() -> None:
    config = {
        "lr": 0.1,
        "hub": {"token": SECRET, "tokens": 7, "password": ""},
        "keys": ["a"],
        "api_keys": [SECRET, "b"],
        "db": f"pg://u:{SECRET}@h/d",
    }
    shown = redact.mapping(config)
    assert SECRET not in str(shown)
    assert shown["hub"] == {"token": redact.HIDDEN, "tokens": 7, "password": ""}
    assert (shown["lr"], shown["keys"], shown["api_keys"]) == (0.1, ["a"], [redact.HIDDEN, redact.HIDDEN])


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"https://me:{SECRET}@example.org/a/b.git", "https://example.org/a/b.git"),
        (f"https://{SECRET}@example.org:8443/a.git?private_token={SECRET}", "https://example.org:8443/a.git"),
        ("git@example.org:a/b.git", "git@example.org:a/b.git"),
        ("ssh://git@example.org/a.git", "ssh://example.org/a.git"),
        ("/srv/git/a.git", "/srv/git/a.git"),
        ("", ""),
    ],
)
def test_addresses_lose_their_logins(url: str, shown: str) -> None:
    assert redact.address(url) == shown


def test_a_diff_hides_literals_and_keeps_code() -> None:
    diff = f'+API_KEY = "{SECRET}"\n+lr = 0.1\n+password: {SECRET}\n+eos_token = "</s>"\n+token = None\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n'
    shown = redact.text(diff)
    assert SECRET not in shown and "abc" not in shown
    assert "+lr = 0.1\n" in shown and '+eos_token = "</s>"' in shown and "+token = None" in shown
