"""Reads the state of the git repository: commit, branch, remote and diff."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from seamark.format.run_record import Git
from seamark.write.run.secrets import redact

DIFF_FILE = "diff.patch"
MAX_DIFF_BYTES = 1_000_000
TIMEOUT_SECS = 5.0
# Files that usually contain secrets.
LEFT_OUT = (
    ".env", ".env.*", "*.env", ".envrc", ".flaskenv", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore",
    "*.kdbx", "*.ppk", "*.asc", "*.gpg", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", "_netrc",
    ".npmrc", ".yarnrc*", ".pypirc", "pip.conf", ".pgpass", ".my.cnf", ".htpasswd", "*.htpasswd", ".git-credentials",
    ".boto", ".s3cfg", ".dockercfg", ".docker/config.json", "kubeconfig*", "*.kubeconfig", "*.tfvars", "*.tfvars.json",
    "*.tfstate*", "*credentials*", "*credential.*", "secret.*", "secrets.*", "*-secret.*", "*-secrets.*", "*_secret.*",
    "*_secrets.*", ".secret*", "secrets/**", ".secrets/**", "*service-account*.json", "*service_account*.json",
    "*serviceaccount*.json", "client_secret*.json", "kaggle.json", ".vault_pass*", "*vault.yml", "*vault.yaml",
)  # fmt: skip
# A diff is split here, so that no value is cut.
HUNK = re.compile(r"^(?=diff --git |@@ )", re.MULTILINE)


def capture(folder: Path, *, with_diff: bool = True) -> tuple[Git, str] | None:
    """The state, and the diff without secrets and up to a limit; None outside a repository."""
    commit = _git(folder, "rev-parse", "--verify", "-q", "HEAD")
    inside = _git(folder, "rev-parse", "--is-inside-work-tree")
    if inside is None or inside.strip() != "true":
        return None
    branch = _git(folder, "symbolic-ref", "--short", "-q", "HEAD") or ""
    state = Git(commit=(commit or "").strip(), branch=branch.strip(), remote=_remote(folder))
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    state.dirty = bool(changed and changed.strip())
    diff = _diff(folder, state) if with_diff and state.dirty and state.commit else ""
    return state, diff


def _diff(folder: Path, state: Git) -> str:
    left_out = [f":(top,exclude,glob,icase)**/{name}" for name in LEFT_OUT]
    diff = _git(folder, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "HEAD", "--", ":/", *left_out)
    if not diff:
        return ""
    size = len(diff.encode())
    # Hunk by hunk: one long regex search would hold the interpreter lock and stop the training.
    shown = "".join(redact.text(hunk) for hunk in HUNK.split(diff[: 2 * MAX_DIFF_BYTES]))
    state.diff_file, state.diff_bytes = DIFF_FILE, len(shown.encode())
    if max(size, state.diff_bytes) > MAX_DIFF_BYTES:
        state.diff_truncated, state.diff_bytes = True, size
        cut = shown.encode()[:MAX_DIFF_BYTES].decode(errors="ignore")
        # Keeps whole lines.
        return cut[: cut.rfind("\n") + 1]
    return shown


def files(folder: Path) -> list[str] | None:
    """The tracked and not ignored files below a folder, relative to it; None outside a repository."""
    listed = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return None if listed is None else sorted({name for name in listed.split("\0") if name})


def _remote(folder: Path) -> str:
    names = (_git(folder, "remote") or "").split()
    if not names:
        return ""
    name = "origin" if "origin" in names else names[0]
    return redact.address((_git(folder, "config", "--get", f"remote.{name}.url") or "").strip())


def _git(folder: Path, *arguments: str) -> str | None:
    """The output of git; None if it is missing, fails or takes too long. Never prompts, never writes its index."""
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        answer = subprocess.run(
            # Settings of the repository can run programs; reading needs none of them.
            ["git", "-c", "core.fsmonitor=false", "-c", "core.quotepath=off", *arguments],
            cwd=folder,
            env={**os.environ, **quiet},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return answer.stdout.decode(errors="replace") if answer.returncode == 0 else None
