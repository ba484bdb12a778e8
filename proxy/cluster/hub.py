"""The middle of the line between workers: passes on what one tells, gathers what they answer.

Knows who is there and what each counted last; refuses to know subjects and figures.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from winnow.proxy.cluster.bus import MessageLine

PATIENCE: Final = 5.0
"""Seconds for one worker's answer; less than the asking one waits."""
Sum = Callable[[Sequence[Any]], Any]
"""Many workers' figures made one."""


@dataclass(eq=False)
class Member:
    """A worker's line, and the figures that it told last."""

    line: MessageLine
    figures: Any = None


@dataclass
class Hub:
    """``past``: the figures of all workers that have ended."""

    sum_of: Sum
    members: set[Member] = field(default_factory=set)
    past: Any = None

    def join(self, line: MessageLine) -> Member:
        """A new worker may tell and ask from now on."""
        member = Member(line)
        self.members.add(member)

        async def others(told: Any) -> list[Any]:
            return await self.ask(told["subject"], told["told"], besides=member)

        line.hear("others", others)
        line.hear("past", lambda _: self.past)
        return member

    def leave(self, member: Member) -> None:
        """A worker has ended; what it counted is not lost."""
        self.members.discard(member)
        known = [figures for figures in (self.past, member.figures) if figures is not None]
        self.past = self.sum_of(known) if known else None

    async def ask(self, subject: str, told: Any, besides: Member | None = None) -> list[Any]:
        """The answers of all workers, without those that gave none in time."""
        asked = [member.line.ask(subject, told, PATIENCE) for member in self.members - {besides}]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return [answer for answer in answers if not isinstance(answer, BaseException)]
