"""Secrets are hidden, other text stays readable."""

from __future__ import annotations

import pytest

from seamark.write.run.secrets import redact

SECRET = "hunter2hunter2"


@pytest.mark.parametrize(
    "name",
    ["api_key", "API-KEY", "apiKey", "--api-key", "openai.api_key", "OPENAI_API_KEY", "password", "db_password", "token", "hf_token", "auth-token",
     "GITHUB_TOKEN", "client_secret", "aws_secret_access_key", "private_key", "accessKey", "credentials", "wandb_key", "authorization",
     "bot_token", "user_token", "telegramBotToken", "db_pass", "pass", "DB_PW", "pw", "smtp.pass", "userPass", "creds", "X_API_KEY",
     "anthropic_key", "session_cookie", "ssl_key", "basic_auth"],
)  # fmt: skip
def test_names_of_secrets_are_recognized(name: str) -> None:
    assert redact.is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["lr", "key_dim", "num_keys", "sort_key", "key", "max_tokens", "tokens", "num_tokens", "tokenizer", "pad_token", "eos_token", "mask_token",
     "token_embedding", "author", "secretary", "monkey", "", "🙂", "token_dim", "num_passes", "bypass", "bypass_rate", "forward_pass",
     "num_pass", "passes", "lowpass", "low_pass", "passthrough", "first_pass", "n_tokens", "tokens_per_sec", "new_token", "key_size", "keys",
     "label_key", "image_key", "compass", "pwm", "authors", "pattern", "patience", "path", "pat_h", "special_tokens", "num_key_value_heads"],
)  # fmt: skip
def test_names_of_hyperparameters_are_not_secrets(name: str) -> None:
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


# In free text: what must go, and what must stay.


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["X_API_KEY"]="{}"',
        "os.environ['WANDB_API_KEY'] = '{}'",
        'os.environ.setdefault("HF_TOKEN", "{}")',
        'os.putenv("DB_PASS", "{}")',
        'headers = {{"Authorization": "Basic {}"}}',
        "headers = {{'Authorization': f'Token {}'}}",
        "curl -H 'Authorization: Basic {}' https://example.org",
        "Cookie: a=1; session={}",
        'password = "correct horse {} staple"',
        "password = 'it\\'s {}'",
        'api_key: str = "{}"',
        'api_key: str | None = "{}"',
        'token: typing.Optional[str] = "{}"',
        'parser.add_argument("--api-key", type=str, default="{}")',
        'body = "{{\\"api_key\\": \\"{}\\"}}"',
        'secret = """one\n{}\nthree"""',
        "db_pass: {}",
        "export SMTP_PW={}",
        "bot_token={}",
        'connect(user="me", password="{}")',
        '{{"private_key_id": "x", "private_key": "{}"}}',
        "machine: {{credentials: {}}}",
    ],
)
def test_free_text_loses_the_whole_secret(line: str) -> None:
    secret = f"{SECRET} and {SECRET}" if '"{}' in line or "'{}" in line else SECRET
    shown = redact.text(f"+lr = 0.1\n+{line.format(secret)}\n+epochs = 3\n")
    assert "hunter2" not in shown and redact.HIDDEN in shown
    assert shown.startswith("+lr = 0.1\n+") and shown.endswith("\n+epochs = 3\n")


@pytest.mark.parametrize(
    "line",
    [
        "max_tokens=512",
        "token_dim = 'large'",
        "num_passes: 3",
        'tokenizer = "bert-base-uncased"',
        "bypass = 'layer-norm-residual'",
        "forward_pass: bfloat16",
        'pad_token = "<pad>"',
        'user_token = "<|user|>"',
        'bot_token: "[ASSISTANT]"',
        "assistant_token = 'Assistant:'",
        'sort_key = "validation_accuracy"',
        'key = "validation/accuracy_top_5"',
        'hf_token = os.environ["HF_TOKEN"]',
        "password = getpass.getpass()",
        "client = Client(api_key=api_key, token=args.token)",
        "def load(api_key: str, password: str | None = None) -> None:",
        "pass",
        "    pass  # nothing: to do",
        "compass: north-north-west",
        "see https://example.org/a?page=3&sort_key=name",
        "commit 3213345a5e86ec9f0d8be44f3a1bb2d9e2a7c1f0",
        'paths = ["/etc/passwd", "out/x"]',
        "self._token = token",
        "login(token=TOKEN, has_token=True, needs_password=self.locked)",
        "def login(has_token: bool, cookie_path: str = '/runs') -> None:",
        'client.get(f"/x?token={TOKEN}&password=${PASSWORD}", headers={"cookie": header}).status',
        'password = "<your password>"',
    ],
)
def test_free_text_keeps_code_and_hyperparameters(line: str) -> None:
    assert redact.text(line) == line


def test_a_configuration_hides_whole_subtrees_and_keys_by_their_parents() -> None:
    config = {
        "credentials": {"user": SECRET, "nested": {"x": [SECRET]}, "port": 5432},
        "auth": {"type": "basic", "login": SECRET},
        "openai": {"key": SECRET, "model": "gpt"},
        "slack": {"bot_token": SECRET, "user_token": SECRET},
        "db": {"pass": SECRET, "pw": 123456, "password": 123456, "host": "h"},
        "store": {"key": "Zk3pQ9rT1vX5yB7nM2wL8"},
    }
    shown = redact.mapping(config)
    assert "hunter2" not in str(shown) and "123456" not in str(shown) and "Zk3p" not in str(shown)
    assert shown["credentials"]["port"] == 5432
    assert (shown["openai"]["model"], shown["db"]["host"]) == ("gpt", "h")


def test_a_configuration_keeps_its_hyperparameters() -> None:
    config = {
        "max_tokens": 512,
        "token_dim": 64,
        "num_passes": 2,
        "tokenizer": {"name": "bpe", "pad": {"token": "<pad>"}, "user_token": "<|user|>"},
        "bypass": "residual",
        "token": {"embedding": "rotary", "dim": 3},
        "attention": {"key": "k_proj", "keys": ["a", "b"], "key_dim": 64},
        "two_pass": "yes",
        "forward_pass": {"dtype": "bf16"},
        "secretary_problem": "on",
        "path": "data/train",
        "tokens": ["<s>", "</s>"],
    }
    assert redact.mapping(config) == config


def test_long_lines_take_no_longer_than_they_are_long() -> None:
    """A pattern that backtracks would take hours for each of these."""
    for line in ("a" * 500_000, "a." * 250_000, "sk-a-" * 100_000, "a:" * 200_000, "x://" * 100_000, "BEGIN " * 80_000):
        assert redact.text(line) == line
    assert "hunter2" not in redact.text(f"{'a.b-' * 100_000} password='{SECRET}'")
