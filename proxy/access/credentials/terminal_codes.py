"""Codes that only the terminal shows on which Winnow runs: proof that its owner makes a change.

A code is the start of an HMAC (RFC 2104) over what it is for and the time, as in RFC 6238, cut to
digits as in RFC 4226, section 5.3.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from winnow.proxy.access.credentials.tokens import FormTokens

STEP: Final = 300
"""Seconds: a code holds for one to two such steps."""
DIGITS: Final = 8
MOST_WRONG: Final = 5
"""Wrong codes in one step, whoever sent them; then no code is right until the next."""


@dataclass(slots=True)
class TerminalCodes:
    """``show`` writes a line where only the owner reads it. Equal for all processes of a key."""

    tokens: FormTokens
    show: Callable[[str], None]
    _step: int = 0
    _wrong: int = 0
    _shown: dict[str, int] = field(default_factory=dict)

    def send(self, purpose: str, what: str, now: datetime) -> None:
        """Show the code for ``purpose``, once a step; ``what`` says what it allows."""
        step, code = _step_at(now), self._code(purpose, _step_at(now))
        if self._shown.get(purpose) != step:
            self._shown = {key: at for key, at in self._shown.items() if at == step}
            self._shown[purpose] = step
            spaced = f"{code[:4]} {code[4:]}"
            self.show(f"Winnow: the code {spaced} allows this change: {what}")

    def holds(self, code: str, purpose: str, now: datetime) -> bool:
        """Whether ``code`` was shown for ``purpose`` at most two steps before ``now``."""
        step = _step_at(now)
        if step != self._step:
            self._step, self._wrong = step, 0
        if self._wrong >= MOST_WRONG:
            return False
        given = "".join(code.split()).encode("utf-8", "replace")
        codes = [self._code(purpose, at).encode() for at in (step, step - 1)]
        if any(hmac.compare_digest(given, each) for each in codes):
            return True
        self._wrong += 1
        return False

    def _code(self, purpose: str, step: int) -> str:
        digest = hmac.digest(self.tokens.key, f"code\n{step}\n{purpose}".encode(), "sha256")
        return f"{int.from_bytes(digest[:8], 'big') % 10**DIGITS:0{DIGITS}d}"


def _step_at(now: datetime) -> int:
    return int(now.timestamp()) // STEP
