"""What an attempt is, how it is made within its time, and which are chosen for a short run."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from tests.attack.worlds import World

PATIENCE = 60.0
"""Seconds after which an attempt that has no end has got through."""


@dataclass(frozen=True)
class Attempt:
    """``run`` returns what got through in one sentence, "" for nothing."""

    family: str
    name: str
    run: Callable[[World], Awaitable[str]]
    seconds: float = PATIENCE
    slow: bool = False
    """Whether it is left out of a short run."""
    beside: bool = False
    """Whether it looks at its own connection alone, and may be made beside others."""


@dataclass(frozen=True)
class Outcome:
    attempt: Attempt
    through: str

    def __str__(self) -> str:
        return f"{self.attempt.name}: {self.through}"


async def made(attempt: Attempt, world: World) -> Outcome:
    """The attempt made; one that hangs, or leaves a traceback in the log, got through."""
    try:
        async with asyncio.timeout(attempt.seconds):
            through = await attempt.run(world)
            return Outcome(attempt, through or world.complaint())
    except TimeoutError:
        return Outcome(attempt, f"no end within {attempt.seconds:g} s")
    except Exception as error:  # noqa: BLE001  # an attempt that breaks off has shown nothing
        return Outcome(attempt, f"the attempt broke off: {error!r}")
    finally:
        world.calm()


def sample(attempts: Sequence[Attempt], most: int) -> list[Attempt]:
    """At most so many, the same at each run, spread over the family."""
    quick = [attempt for attempt in attempts if not attempt.slow]
    if len(quick) <= most:
        return quick
    chosen = random.Random(len(quick)).sample(range(len(quick)), most)
    return [quick[number] for number in sorted(chosen)]


def by_family(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.family, []).append(attempt)
    return found
