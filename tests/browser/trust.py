"""A home folder whose Chromium trusts certain authorities, as certutil sets it up for a user."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tests.programs import require_program


async def trusting_home(home: Path, authorities: Mapping[str, bytes]) -> Path:
    """``home``, in which each authority (name to PEM) may vouch for web sites."""
    await trusting_store(home / ".pki" / "nssdb", authorities)
    return home


async def trusting_store(store: Path, authorities: Mapping[str, bytes]) -> None:
    """A folder of NSS, such as Firefox's profile, in which each authority may do so."""
    await asyncio.to_thread(store.mkdir, parents=True)
    await _certutil("-N", "--empty-password", "-d", f"sql:{store}")
    for name, pem in authorities.items():
        file = store / f"{name}.pem"
        await asyncio.to_thread(file.write_bytes, pem)
        await _certutil("-A", "-n", name, "-t", "C,,", "-i", str(file), "-d", f"sql:{store}")


async def _certutil(*words: str) -> None:
    program = require_program("certutil")
    process = await asyncio.create_subprocess_exec(program, *words)
    assert await process.wait() == 0
