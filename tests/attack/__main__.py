"""``make attack``: every attempt of every family, and what got through."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.attack.attempts import Attempt, Outcome, made, sample
from tests.attack.catalogue import families
from tests.attack.network import Network
from tests.attack.worlds import world

ALL, WIDTH = 10**9, 240


async def family(attempts: Sequence[Attempt], folder: Path) -> list[Outcome]:
    """All attempts of a family against a proxy of its own, one after another where they must."""
    async with world(folder) as running:
        beside = (made(attempt, running) for attempt in attempts if attempt.beside)
        outcomes = await asyncio.gather(*beside)
        alone = (attempt for attempt in attempts if not attempt.beside)
        return [*outcomes, *[await made(attempt, running) for attempt in alone]]


def run(attempts: Sequence[Attempt]) -> list[Outcome]:
    """A family's attempts on a loop with a network of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-attack-") as folder,
        asyncio.Runner(loop_factory=Network) as runner,
    ):
        return runner.run(family(attempts, Path(folder)))


def row(*cells: object) -> None:
    """Print a row at once: some families take minutes."""
    sys.stdout.write(f"{cells[0]!s:<40}{cells[1]!s:>10}{cells[2]!s:>14}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--most", type=int, default=ALL, help="attempts of each family")
    parser.add_argument("family", nargs="*", help="only families whose name holds this")
    chosen = parser.parse_args()
    tried = through = 0
    row("family", "attempts", "got through")
    for name, attempts in families().items():
        if chosen.family and not any(word in name for word in chosen.family):
            continue
        outcomes = run(attempts if chosen.most == ALL else sample(attempts, chosen.most))
        lines = [f"    {each}" for each in outcomes if each.through]
        row(name, len(outcomes), len(lines))
        sys.stdout.writelines(f"{line[:WIDTH]}\n" for line in lines)
        tried, through = tried + len(outcomes), through + len(lines)
    row("in all", tried, through)
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
