"""The programs that the full test run needs: Debian's are installed where that is allowed, else we say which miss."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# Program -> Debian package.
NEEDED = {"node": "nodejs", "npm": "npm", "promtool": "prometheus"}


def missing() -> list[str]:
    """Return the programs that are not on the PATH."""
    return [program for program in NEEDED if shutil.which(program) is None]


def install(packages: list[str]) -> None:
    """Install Debian *packages*, quietly; what fails shows in what is missing afterwards."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "-qq", *command], env=environment, check=False, stdout=subprocess.DEVNULL)


def main() -> int:
    """Install what is missing if we may; return 1 if something is missing still."""
    absent = missing()
    if absent and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {', '.join(absent)} ...")
        install([NEEDED[program] for program in absent])
        absent = missing()
    if absent:
        packages = " ".join(sorted({NEEDED[program] for program in absent}))
        print(f"missing: {', '.join(absent)}. The full test run needs them; on Debian: apt-get install {packages}")
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
