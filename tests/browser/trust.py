"""A home folder whose Chromium trusts certain authorities, as certutil sets it up for a user."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tests.programs import require_program


async def trusting_home(home: Path, authorities: Mapping[str, bytes]) -> Path:
    """``home``, in which each authority (name to PEM) may vouch for web sites."""
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    await _certutil("-N", "--empty-password", "-d", f"sql:{store}")
    for name, pem in authorities.items():
        file = home / f"{name}.pem"
        file.write_bytes(pem)
        await _certutil("-A", "-n", name, "-t", "C,,", "-i", str(file), "-d", f"sql:{store}")
    return home


async def _certutil(*words: str) -> None:
    program = require_program("certutil")
    process = await asyncio.create_subprocess_exec(program, *words)
    assert await process.wait() == 0
