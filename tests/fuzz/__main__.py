"""``python -m tests.fuzz``: inputs for the page pipeline, the request front, and both sides' heads.

The first input that is not survived is made small, shown, and ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import faulthandler
import sys
import time
import warnings
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning

from tests.fuzz.heads import run
from tests.fuzz.odd_targets import all_arrive, odd_targets
from tests.fuzz.pages import pages, recipes
from tests.fuzz.requests import AT_ONCE, requests
from tests.fuzz.targets import front_door, page_is_survived
from tests.proxy.proxies import proxying

ROUND: Final = 1000
"""Inputs of one seed: Hypothesis remembers them all, so that one round must not be endless."""
STUCK: Final = 300.0
"""Seconds of wall time after which compiled code that never returns is shown and ended."""


def fuzz(
    test: Callable[..., None], inputs: int, seconds: float, first: int, each: int, **given_by: Any
) -> tuple[int, int]:
    """Try ``inputs`` inputs or for ``seconds``; return how many there were, and the next seed.

    ``each`` inputs are one call of ``test``.

    Raises what ``test`` raised for the smallest input that was found to do so.
    """
    tried, start, number = 0, time.monotonic(), first

    def counted(**values: Any) -> None:
        nonlocal tried
        tried += each
        faulthandler.dump_traceback_later(STUCK, exit=True)
        test(**values)

    while tried < inputs and time.monotonic() - start < seconds:
        round_ = settings(
            max_examples=max(1, min(ROUND, inputs - tried) // each),
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        seed(number)(round_(given(**given_by)(counted)))()
        number += 1
        sys.stdout.write(f"\r{tried} inputs, {tried / (time.monotonic() - start):.0f}/s ")
        sys.stdout.flush()
    faulthandler.cancel_dump_traceback_later()
    return tried, number


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--inputs", type=int, default=100_000, help="for each target")
    parser.add_argument("--heads", type=int, default=1_000_000, help="of requests, and of replies")
    parser.add_argument("--seconds", type=float, default=7200, help="for each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=["pages", "requests", "targets", "heads"])
    asked = parser.parse_args()
    warnings.simplefilter("ignore", HypothesisWarning)  # of inputs that are long to show
    bounds = (asked.inputs, asked.seconds, asked.seed)
    if asked.only in (None, "heads"):
        tried, requested, replied = run(asked.heads, asked.seconds, asked.seed)
        told(f"heads of each side ({requested} and {replied} went on)", tried, asked.seed + 1)
    if asked.only in (None, "targets"):
        told("targets", asyncio.run(targets(asked.inputs, asked.seed)), asked.seed + 1)
    if asked.only in (None, "pages"):
        told("pages", *fuzz(page_is_survived, *bounds, 1, page=pages, recipe=recipes))
    if asked.only in (None, "requests"):
        with front_door() as door:
            told("requests", *fuzz(door.survives, *bounds, AT_ONCE, payloads=requests))


async def targets(count: int, first: int) -> int:
    """Send odd but legal targets through a proxy; all must arrive as they are."""
    async with proxying() as proxy:
        await all_arrive(proxy.port, list(islice(odd_targets(first), count)))
    return count


def told(what: str, tried: int, next_seed: int) -> None:
    sys.stdout.write(f"\r{tried} {what}: no crash, no hang (next seed {next_seed})\n")


if __name__ == "__main__":
    main()
