"""Runs the tests of the integrations with the real libraries, in separate environments.

python tools/integrations.py                    every group; see GROUPS
python tools/integrations.py trees lightning    a group, or the group of one library and that library's tests only
python tools/integrations.py --list

The libraries are large, and some have conflicting requirements. So each group has an environment below
build/integrations/, which also finds the packages of the current one (seamark, torch, pytest …). It is kept until its
list of packages changes. The tests of a library that cannot be installed are skipped, and its name is printed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / "build" / "integrations"
# As a dependency of another package, torch would bring gigabytes of CUDA; use the installed one.
CONSTRAINTS = ("torch==2.13.0",)


@dataclass(frozen=True)
class Library:
    """A library: its packages, and the test file that needs it."""

    name: str
    packages: tuple[str, ...]
    # The tests run once for each of these sets of variables.
    environments: tuple[Mapping[str, str], ...] = ({},)
    # Installed without dependencies.
    bare: tuple[str, ...] = ()
    # Packages of npm, into node_modules of the environment.
    npm: tuple[str, ...] = ()

    @property
    def listed(self) -> str:
        return " ".join(self.packages + self.bare + self.npm)

    @property
    def test(self) -> Path:
        return ROOT / "tests" / "integrations" / f"test_{self.name}.py"


@dataclass(frozen=True)
class Group:
    name: str
    libraries: tuple[Library, ...]
    why: str = field(compare=False)

    @property
    def folder(self) -> Path:
        return ENVIRONMENTS / self.name

    @property
    def python(self) -> Path:
        return self.folder / "bin/python"


KERAS_BACKENDS = tuple({"KERAS_BACKEND": backend} for backend in ("torch", "jax", "tensorflow"))
GROUPS = (
    Group(
        "trees",
        (
            Library("sklearn", ("scikit-learn>=1.5",)),
            # The package xgboost requires CUDA's communication library; this one does not.
            Library("xgboost", ("xgboost-cpu>=3",)),
            Library("lightgbm", ("lightgbm>=4.5",)),
            Library("catboost", ("catboost>=1.2",)),
            Library("optuna", ("optuna>=4",)),
            # For the methods of the Projector.
            Library("projections", ("scikit-learn>=1.5", "umap-learn>=0.5.7", "scipy")),
            # For the analyses of examples, whose numbers must be theirs.
            Library("fairlearn", ("fairlearn>=0.12", "scikit-learn>=1.5")),
        ),
        why="no deep-learning framework needed",
    ),
    Group(
        "torch",
        (
            Library("lightning", ("lightning>=2.5",)),
            Library("transformers", ("transformers>=5", "accelerate>=1.10")),
            Library("accelerate", ("accelerate>=1.10",)),
            Library("ignite", ("pytorch-ignite>=0.5",)),
            Library("stable_baselines3", ("stable-baselines3>=2.6",)),
            # Only the dependencies of a Learner: torchvision and spacy would each install another torch.
            Library(
                "fastai",
                ("fastcore", "fasttransform", "fastprogress", "matplotlib", "pandas", "requests", "scikit-learn"),
                bare=("fastai>=2.8", "fastdownload"),
            ),
        ),
        why="built on torch",
    ),
    Group(
        "tensorflow",
        (
            Library("keras", ("tensorflow-cpu>=2.21", "keras>=3.12", "jax>=0.6"), environments=KERAS_BACKENDS),
            Library(
                "profiles", ("tensorflow-cpu>=2.21", "keras>=3.12", "jax>=0.6", "grpcio"), environments=KERAS_BACKENDS
            ),
            Library("clu", ("tensorflow-cpu>=2.21", "clu>=0.0.12", "jax>=0.6")),
            Library("arrays", ("tensorflow-cpu>=2.21", "jax>=0.6")),
            Library("tensorflow_graphs", ("tensorflow-cpu>=2.21",)),
            Library("tensorflow_examples", ("tensorflow-cpu>=2.21",)),
            Library("tensorflow_checkpoints", ("tensorflow-cpu>=2.21", "keras>=3.12")),
            Library("graphs", ("keras>=3.12", "jax>=0.6", "flax>=0.10"), environments=({"KERAS_BACKEND": "jax"},)),
        ),
        why="TensorFlow, to compare with its own summaries",
    ),
    Group(
        "models",
        (
            Library(
                "predict",
                ("scikit-learn>=1.5", "xgboost-cpu>=3", "lightgbm>=4.5", "keras>=3.12", "pandas>=2.2"),
                environments=({"KERAS_BACKEND": "torch"},),
            ),
        ),
        why="models that What-If asks, in one environment as users have it",
    ),
    Group("video", (Library("videos", ("moviepy>=2", "imageio>=2.29")),), why="an older Pillow than the others have"),
    Group("team", (Library("oidc", (), npm=("oidc-provider@9",)),), why="a certified OpenID provider"),
    Group(
        "buckets",
        (
            Library("azure", ("azure-storage-blob>=12",), npm=("azurite@3",)),
            Library("tensorboard_buckets", ("boto3>=1.34",)),
        ),
        why="emulators and file systems of object stores",
    ),
    Group("trackers", (Library("aim", ("aim>=3.29",)),), why="another tracker that runs are mirrored to"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="groups or libraries; all without")
    parser.add_argument("--list", action="store_true", help="print the groups and their packages")
    args = parser.parse_args()
    if args.list:
        print("\n".join(listing()))
        return 0
    return run(list(selected(args.names)))


def listing() -> Iterator[str]:
    for group in GROUPS:
        yield f"{group.name}: {group.why}"
        yield from (f"  {library.name}: {library.listed}" for library in group.libraries)


def selected(names: Sequence[str]) -> Iterator[tuple[Group, Library]]:
    """Every library that is named, directly or by its group."""
    known = {group.name for group in GROUPS} | {library.name for group in GROUPS for library in group.libraries}
    for name in names:
        if name not in known:
            raise SystemExit(f"no such group or library: got '{name}', want one of {', '.join(sorted(known))}")
    for group in GROUPS:
        for library in group.libraries:
            if not names or group.name in names or library.name in names:
                yield group, library


def run(wanted: Sequence[tuple[Group, Library]]) -> int:
    tested: list[str] = []
    skipped: list[str] = []
    failed: list[str] = []
    for group, library in wanted:
        reason = install(group, library)
        if reason:
            skipped.append(library.name)
            print(f"skipped {library.name}: could not install {library.listed}: {reason}")
            continue
        passed = all(tests_pass(group, library, variables) for variables in library.environments)
        (tested if passed else failed).append(library.name)
    print(f"integrations passed: {', '.join(tested) or 'none'}; skipped: {', '.join(skipped) or 'none'}; ", end="")
    print(f"failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


# The environments


def install(group: Group, library: Library) -> str:
    """Installs the library into its group's environment, if necessary. Returns the reason of a failure, or ""."""
    make_environment(group)
    stamp = group.folder / f"{library.name}.stamp"
    wanted = fingerprint(library)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return ""
    print(f"installing {library.listed} into {group.folder.relative_to(ROOT)}", flush=True)
    constraints = group.folder / "constraints.txt"
    constraints.write_text("\n".join(CONSTRAINTS), encoding="utf-8")
    reason = pip(group, "--constraint", str(constraints), *library.packages) if library.packages else ""
    if not reason and library.bare:
        reason = pip(group, "--no-deps", *library.bare)
    if not reason and library.npm:
        reason = npm(group, *library.npm)
    if not reason:
        stamp.write_text(wanted, encoding="utf-8")
    return reason


def make_environment(group: Group) -> None:
    if group.python.exists():
        return
    venv.create(group.folder, with_pip=False, symlinks=True)
    own = Path(sysconfig.get_path("purelib", "venv", {"base": str(group.folder), "platbase": str(group.folder)}))
    # addsitedir also reads .pth files, which editable installs use.
    behind = [f"site.addsitedir({path!r})" for path in site.getsitepackages()]
    (own / "behind.pth").write_text(f"import site; {'; '.join(behind)}\n", encoding="utf-8")


def fingerprint(library: Library) -> str:
    requirements = json.dumps([library.packages, library.bare, library.npm, CONSTRAINTS, sys.version])
    return hashlib.sha256(requirements.encode()).hexdigest()


def pip(group: Group, *arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--python", str(group.python), "install", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    complaints = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return complaints[0].removeprefix("ERROR: ") if complaints else f"pip ended with {done.returncode}"


def npm(group: Group, *packages: str) -> str:
    program = shutil.which("npm")
    if program is None:
        return "npm is not installed"
    command = [program, "install", "--no-audit", "--no-fund", "--prefix", str(group.folder), *packages]
    done = subprocess.run(command, capture_output=True, text=True, cwd=group.folder)
    return "" if done.returncode == 0 else f"npm ended with {done.returncode}"


# The tests


def tests_pass(group: Group, library: Library, variables: Mapping[str, str]) -> bool:
    settings = " ".join(f"{name}={value}" for name, value in variables.items())
    print(f"== {library.name} {settings}".rstrip(), flush=True)
    # Without downloads, and independent of the settings of the user's shell.
    quiet = {"HF_HUB_OFFLINE": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "OMP_NUM_THREADS": "2"}
    environment = {**os.environ, **quiet, **variables, "SEAMARK_TEST_LIBRARY": library.name}
    command = [str(group.python), "-m", "pytest", "-p", "no:cacheprovider", str(library.test)]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
