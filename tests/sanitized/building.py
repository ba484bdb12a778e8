"""The compiled loops built with sanitizers, and Python started so that it runs them.

Knows setuptools, gcc and the dynamic loader; refuses to know what runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / ".run" / "sanitized"
FLAGS: Final = (
    "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1"
)
_VARIABLE: Final = "WINNOW_SANITIZED"


def runtime() -> Path | None:
    """Where gcc keeps AddressSanitizer's library; None where there is no gcc, or no library."""
    try:
        said = subprocess.run(
            ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    found = Path(said.stdout.strip())
    return found if found.is_absolute() else None


def build() -> None:
    """Compile every loop of setup.py into a folder of its own; raises CalledProcessError."""
    flags = {"CFLAGS": f"{FLAGS} -UNDEBUG", "LDFLAGS": FLAGS}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--force"]
    command += ["--build-lib", str(FOLDER), "--build-temp", str(FOLDER / "objects")]
    subprocess.run(command, cwd=ROOT, env=os.environ | flags, check=True)


def run_again(arguments: list[str]) -> int:
    """Build, and run ``python -m tests.sanitized`` with the sanitizers' library loaded first."""
    library = runtime()
    if library is None:
        sys.stderr.write("libasan is not installed (apt-get install gcc)\n")
        return 2
    build()
    environment = os.environ | {
        _VARIABLE: "1",
        "LD_PRELOAD": str(library),
        # Python frees not all at its end; short traces of what was allocated are quicker.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:malloc_context_size=2",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",  # so that Python's objects have red zones, too
    }
    command = [sys.executable, "-m", "tests.sanitized", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


class _Finder:
    """Finds what was built with sanitizers before what stands beside the sources."""

    def __init__(self, paths: dict[str, Path]) -> None:
        self._paths = paths

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        path = self._paths.get(name)
        if path is None:
            return None
        loader = ExtensionFileLoader(name, str(path))
        return spec_from_file_location(name, path, loader=loader)


def use_sanitized() -> list[str]:
    """Let the loops be those with sanitizers if ``run_again`` started this; their names."""
    if _VARIABLE not in os.environ:
        return []
    paths = {
        ".".join([*path.relative_to(FOLDER).parent.parts, path.name.partition(".")[0]]): path
        for path in FOLDER.rglob("_*.so")
    }
    sys.meta_path.insert(0, _Finder(paths))
    return sorted(paths)
