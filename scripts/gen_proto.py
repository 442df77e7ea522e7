"""Regenerate proto/gen/python from proto/hearts/v1; with `--check`, fail when what is committed differs."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
COMMITTED = PROTO / "gen" / "python"


def generate(target: Path) -> None:
    """Write the generated package `hearts` below *target*."""
    sources = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.glob("hearts/v1/*.proto"))
    options = [f"--{kind}_out={target}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    include = [f"-I{PROTO}", f"-I{files('grpc_tools') / '_proto'}"]
    # The mypy plugins stand beside this interpreter, which need not be on the PATH.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = [sys.executable, "-m", "grpc_tools.protoc", *include, *options, *sources]
    subprocess.run(command, check=True, env=os.environ | {"PATH": path}, stderr=subprocess.DEVNULL)
    for package in ("hearts", "hearts/v1"):
        (target / package / "__init__.py").write_text('"""The wire contract of Hearts Arena, generated."""\n')
    (target / "hearts" / "py.typed").touch()


def differences(one: Path, other: Path) -> list[str]:
    """Return the names that differ between two trees, caches left out."""
    compared = filecmp.dircmp(one, other, ignore=["__pycache__"])
    names = [*compared.left_only, *compared.right_only, *compared.diff_files]
    for name, below in compared.subdirs.items():
        names += [f"{name}/{entry}" for entry in differences(Path(below.left), Path(below.right))]
    return names


def main() -> int:
    """Regenerate, or check; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        if "--check" in sys.argv[1:]:
            stale = differences(fresh, COMMITTED)
            if stale:
                print(f"generated code is stale ({', '.join(stale)}): run `make proto` and commit")
            return 1 if stale else 0
        shutil.rmtree(COMMITTED / "hearts", ignore_errors=True)
        shutil.copytree(fresh / "hearts", COMMITTED / "hearts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
