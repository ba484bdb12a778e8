"""The supervisor's side of the bus: passes requests on to all workers and gathers the replies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from winnow.proxy.cluster.bus import MessageLine

PATIENCE: Final = 5.0
"""Seconds for one worker's reply; less than the requesting worker waits."""
Sum = Callable[[Sequence[Any]], Any]
"""The sum of several workers' figures."""


@dataclass(eq=False)
class Member:
    """A worker's line, and the last figures it sent."""

    line: MessageLine
    figures: Any = None


@dataclass
class Hub:
    """``past``: the figures of all workers that have ended."""

    sum_of: Sum
    members: set[Member] = field(default_factory=set)
    past: Any = None

    def join(self, line: MessageLine) -> Member:
        """Add a new worker."""
        member = Member(line)
        self.members.add(member)

        async def others(request: Any) -> list[Any]:
            return await self.ask(request["subject"], request["payload"], besides=member)

        line.subscribe("others", others)
        line.subscribe("past", lambda _: self.past)
        return member

    def leave(self, member: Member) -> None:
        """Remove a worker that has ended; its figures are added to ``past``."""
        self.members.discard(member)
        known = [figures for figures in (self.past, member.figures) if figures is not None]
        self.past = self.sum_of(known) if known else None

    async def ask(self, subject: str, payload: Any, besides: Member | None = None) -> list[Any]:
        """The replies of all workers that came in time."""
        asked = [member.line.ask(subject, payload, PATIENCE) for member in self.members - {besides}]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return [answer for answer in answers if not isinstance(answer, BaseException)]
