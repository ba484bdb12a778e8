"""``make cache-tests``: HTTP's caching rules, case by case, through Winnow and other caches.

Prints what passed of each kind and what of Winnow fails; 1 where a proxy could not be run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from benchmarks.caches import servers
from benchmarks.caches.results import Case, failing, read, resolved, table
from winnow.evaluation.errors import SubjectError

PROXIES: Final[dict[str, Callable[[], AbstractContextManager[str]]]] = {
    "Winnow": servers.winnow,
    "Squid": servers.squid,
    "Traffic Server": servers.traffic_server,
}
_LONGEST: Final = 900.0  # seconds for all cases through one proxy


def main() -> int:
    """Run the cases through each proxy in turn."""
    sys.stdout.write(f"{servers.REQUIREMENTS[0]} (npm), its invalid Expires counted as required\n")
    runs: dict[str, tuple[Case, ...]] = {}
    missing: list[str] = []
    for name, proxy in PROXIES.items():
        try:
            folder = servers.cases_folder()
            with servers.origin(folder) as origin, proxy() as url:
                runs[name] = through(folder, url, origin)
        except SubjectError as error:
            missing.append(f"{name}: {error}")
    sys.stdout.write(table(runs) + "\n")
    others = {name: cases for name, cases in runs.items() if name != "Winnow"}
    sys.stdout.write(f"\nWinnow fails:\n{failing(runs.get('Winnow', ()), others)}\n")
    sys.stderr.writelines(f"Not measured: {reason}\n" for reason in missing)
    return 1 if missing else 0


def through(folder: Path, proxy: str, origin: str) -> tuple[Case, ...]:
    """All cases through one proxy. Raises SubjectError if they end without a result."""
    command = ["node", "--no-warnings", str(folder / "run.mjs"), proxy, origin]
    try:
        done = subprocess.run(  # noqa: S603 - our own script
            command, capture_output=True, text=True, check=False, timeout=_LONGEST
        )
    except subprocess.TimeoutExpired:
        raise SubjectError(f"The cases did not end within {_LONGEST:.0f} s.") from None
    cases = read(done.stdout.splitlines())
    if not cases:
        raise SubjectError(f"The cases gave no result: {done.stderr.strip()[-200:]}")
    return resolved(cases)


if __name__ == "__main__":
    sys.exit(main())
