"""``make attack``: every attempt of every family, and what got through.

With ``--results FILE`` families whose result is there are not tried again: run it in parts, with
names of families, and once without, which prints the sum.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.attack.attempts import Attempt, made, sample
from tests.attack.catalogue import families
from tests.attack.network import Network
from tests.attack.results import Result, Results
from tests.attack.scales import Mirror, Scales
from tests.attack.shadow import Shadow, shadowing
from tests.attack.worlds import World, world

ALL, WIDTH = 10**9, 240


@asynccontextmanager
async def weighing(shadow: Shadow, running: World, each: int) -> AsyncIterator[Scales]:
    """Scales whose sites are others than the attacked proxy's, with the same replies."""
    site, tool = Mirror.of(running.site), Mirror.of(running.tool)
    site.requests = running.site.requests  # scripts of replies look at the last one
    async with site.serving(), tool.serving():
        scales = Scales(shadow, running, site, tool, each)
        await scales.prepare()
        running.network.sent.clear()
        yield scales
        await scales.weigh()


async def family(attempts: Sequence[Attempt], folder: Path, shadow: Shadow, each: int) -> Result:
    """All attempts of a family against a proxy of its own, one after another where they must."""
    async with world(folder) as running:
        async with weighing(shadow, running, each) as scales:
            beside = (made(attempt, running) for attempt in attempts if attempt.beside)
            outcomes = await asyncio.gather(*beside)
            await scales.add("made beside each other")
            for attempt in attempts:
                if not attempt.beside:
                    outcomes.append(await made(attempt, running))
                    await scales.add(attempt.name)
                    running.calm()
        through = [str(outcome) for outcome in outcomes if outcome.through] + scales.through
        return Result(len(outcomes), through, *scales.summary())


def run(attempts: Sequence[Attempt], shadow: Shadow, each: int) -> Result:
    """A family's attempts on a loop with a network of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-attack-") as folder,
        asyncio.Runner(loop_factory=Network) as runner,
    ):
        return runner.run(family(attempts, Path(folder), shadow, each))


def row(name: str, *cells: object) -> None:
    """Print a row at once: some families take minutes."""
    sys.stdout.write(f"{name:<40}{''.join(f'{cell!s:>13}' for cell in cells)}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--most", type=int, default=ALL, help="attempts of each family")
    parser.add_argument("--each", type=int, default=4, help="how often each is weighed at once")
    parser.add_argument("--results", type=Path, help="file of whole families' results")
    parser.add_argument("family", nargs="*", help="only families whose name holds this")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="winnow-shadow-") as folder,
        shadowing(Path(folder)) as shadow,
    ):
        return 1 if attack(chosen, shadow) else 0


def attack(chosen: argparse.Namespace, shadow: Shadow) -> int:
    """How many attempts got through."""
    tried = through = 0
    results = Results(chosen.results)
    row("family", "attempts", "got through", "MiB weighed", "B for a B", "CPU s")
    for name, attempts in families().items():
        if chosen.family and not any(word in name for word in chosen.family):
            continue
        got = results.stored(name, len(attempts))
        if got is None:
            some = attempts if chosen.most == ALL else sample(attempts, chosen.most)
            got = run(some, shadow, chosen.each)
            results.add(name, got)
        weighed = f"{got.sent:.2f}", f"{got.held:.1f}", f"{got.cpu:.1f}"
        row(name, got.attempts, len(got.through), *weighed)
        sys.stdout.writelines(f"    {line[:WIDTH]}\n" for line in got.through)
        tried, through = tried + got.attempts, through + len(got.through)
    row("in all", tried, through)
    return through


if __name__ == "__main__":
    sys.exit(main())
