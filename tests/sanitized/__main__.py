"""``make sanitize``: mutated pages and all golden pages on loops built with sanitizers.

    python -m tests.sanitized --build --pages 1000000

``--build`` compiles every loop with AddressSanitizer and UndefinedBehaviorSanitizer into a folder
of its own and starts this program again with these; without it the loops run as they are. Every
page goes through the scanner, which must find lexbor's tree, and through ``auto``; other methods
and what is shown take turns. ``--every`` says how often all of it is compared with the definitions.
The first fault ends the run: the sanitizer's report, or the number of the page. Ctrl-C ends it,
too; ``--seed`` goes on from there.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tests.sanitized import building

SLICE: Final = 1000
"""Pages between two lines of progress."""


def main() -> int:
    asked = _parser().parse_args()
    if asked.build:
        numbers = {"--pages": asked.pages, "--seed": asked.seed, "--every": asked.every}
        return building.run_again([str(part) for pair in numbers.items() for part in pair])
    loops = building.use_sanitized()
    faulthandler.enable()
    compared = import_module("tests.sanitized.compared")  # only now: it imports the loops
    mutated, golden = import_module("tests.fuzz.mutated"), import_module("tests.pages.golden")
    with compared.comparing() as seen:
        for name in golden.names():
            seen.read((Path(golden.FOLDER) / name / "source.html").read_bytes())
        done, start = 0, time.process_time()
        with suppress(KeyboardInterrupt):  # what was done until then is printed
            while done < asked.pages:
                _try(seen, mutated, asked.seed + done, asked.every)
                done += 1
                if not done % SLICE:
                    rate = done / (time.process_time() - start)
                    sys.stdout.write(f"\r{done} pages from {asked.seed}, {rate:.0f}/s of CPU ")
                    sys.stdout.flush()
    rows = [f"  {name:<45}{n:>12}{seen.compared[name]:>12}" for name, n in seen.calls.items()]
    sys.stdout.write(
        f"\r{done} mutated pages from {asked.seed}, {len(golden.names())} golden pages, "
        f"no fault; {len(loops)} modules under sanitizers\n"
        f"  {'compiled loop':<45}{'calls':>12}{'compared':>12}\n" + "\n".join(rows) + "\n"
    )
    return 0


def _try(seen: Any, mutated: Any, seed: int, every: int) -> None:
    page = mutated.page(seed)
    seen.off = bool(seed % every)
    try:
        if seen.off:
            seen.run(page, seed)
        else:
            seen.read(page)
    except Exception:
        sys.stdout.write(f"\npage {seed}: {page!r}\n")
        raise


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.sanitized")
    parser.add_argument("--build", action="store_true", help="with sanitizers")
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first page")
    parser.add_argument(
        "--every",
        type=int,
        default=1000,
        help="compare every call with the loop's definition at one page in so many",
    )
    return parser


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
