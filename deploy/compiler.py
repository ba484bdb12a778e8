"""Prints what compiles C for this Python: the compiler and Python's headers, where they are here.

``make`` compares it with what it printed at the last installation.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path


def main() -> int:
    """Print a line that changes where a compiler or the headers come or go."""
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    header = Path(sysconfig.get_path("include"), "Python.h")
    found = shutil.which(shlex.split(named)[0]) or "no compiler"
    sys.stdout.write(f"{found}, {header if header.exists() else 'no Python.h'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
