"""Writes docs/metrics.md: every metric with its type, labels and meaning, as the code has them.

``python -m docs.metrics``
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from prometheus_client.core import Metric

from winnow.compose.observing import server_process_figures
from winnow.compose.running import listening
from winnow.config.settings import Settings
from winnow.features.redis.redis_sharing import RedisSharing
from winnow.features.redis.redis_state import RedisState

TARGET: Final = Path(__file__).with_name("metrics.md")
_HEAD: Final = """\
# Metrics

What `/-/metrics` exports for Prometheus, written by `python -m docs.metrics`; besides these, what
`prometheus_client` says of the process (`process_*`). Figures of several server processes are added
up: of moments and of what holds or not the least is taken, of waits the longest. What must be there
before it can be exported (the authority, a supervisor) is left out until then. Alerts on them, and
what to do: [operations.md](operations.md).

| metric | type | labels | meaning |
|---|---|---|---|
"""


def rows(families: list[Metric]) -> Iterator[str]:
    """Markdown rows by name."""
    for family in sorted(families, key=lambda each: each.name):
        ending = "_total" if family.type == "counter" else ""
        labels = ", ".join(f"`{name}`" for name in getattr(family, "_labelnames", ()))
        meaning = family.documentation
        yield f"| `{family.name}{ending}` | {family.type} | {labels} | {meaning} |\n"


async def text() -> str:
    """The whole page."""
    plain = Settings()
    with TemporaryDirectory() as folder:
        settings = replace(
            plain,
            server=replace(plain.server, port=0),
            storage=replace(plain.storage, folder=Path(folder)),
        )
        with_redis = replace(plain, cache=replace(plain.cache, redis="redis://127.0.0.1:1"))
        async with listening(settings) as proxy:
            await proxy.state.ca.authority()
            (redis,) = proxy.state.stores["redis"]
            assert isinstance(redis, RedisState)
            await redis.ask(RedisSharing(with_redis))
            found = list(proxy.state.observability.metrics.registry.collect())
    processes = server_process_figures({"processes": 1, "restarts": 0})["families"]
    found += [Metric(name, meaning, kind) for name, meaning, kind, _ in processes]
    return _HEAD + "".join(rows([each for each in found if each.name.startswith("winnow_")]))


if __name__ == "__main__":
    TARGET.write_text(asyncio.run(text()))
    sys.stdout.write(f"{TARGET.name}\n")
