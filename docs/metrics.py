"""Writes docs/metrics.md: every metric and alert, as the code and deploy/prometheus have them.

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

import yaml
from prometheus_client.core import Metric

from winnow.compose.observing import server_process_figures
from winnow.compose.running import listening
from winnow.config.settings import Settings
from winnow.features.redis.redis_sharing import RedisSharing
from winnow.features.redis.redis_state import RedisState
from winnow.features.redis.settings import RedisSettings

TARGET: Final = Path(__file__).with_name("metrics.md")
_HEAD: Final = """\
# Metrics

What `/-/metrics` exports for Prometheus, written by `python -m docs.metrics`; besides these, what
`prometheus_client` says of the process (`process_*`). Figures of several server processes are added
up: of moments and of what holds or not the least is taken, of waits the longest. What must be there
before it can be exported (the authority, a supervisor) is left out until then.

| metric | type | labels | meaning |
|---|---|---|---|
"""
_ALERTS: Final = """
## Alerts

Of [alerts.yml](../deploy/prometheus/alerts.yml), which promtool tests; what to do then stands in
[operations.md](operations.md#metrics-alerts-dashboard).

| alert | severity | where | for |
|---|---|---|---|
"""


def rows(families: list[Metric]) -> Iterator[str]:
    """Markdown rows by name."""
    for family in sorted(families, key=lambda each: each.name):
        ending = "_total" if family.type == "counter" else ""
        labels = ", ".join(f"`{name}`" for name in getattr(family, "_labelnames", ()))
        meaning = family.documentation
        yield f"| `{family.name}{ending}` | {family.type} | {labels} | {meaning} |\n"


def alerts() -> Iterator[str]:
    """Markdown rows in the order of the file."""
    file = Path(__file__).parents[1] / "deploy" / "prometheus" / "alerts.yml"
    for rule in yaml.safe_load(file.read_text("utf-8"))["groups"][0]["rules"]:
        expression = " ".join(rule["expr"].split()).replace("|", "\\|")
        kind, time = rule["labels"]["severity"], rule.get("for", "")
        yield f"| `{rule['alert']}` | {kind} | `{expression}` | {time} |\n"


async def text() -> str:
    """The whole page."""
    plain = Settings()
    with TemporaryDirectory() as folder:
        settings = replace(
            plain,
            server=replace(plain.server, port=0),
            storage=replace(plain.storage, folder=Path(folder)),
        )
        with_redis = replace(plain, of_features=(RedisSettings(cache="redis://127.0.0.1:1"),))
        async with listening(settings) as proxy:
            await proxy.state.ca.authority()
            (redis,) = proxy.state.stores["redis"]
            assert isinstance(redis, RedisState)
            await redis.ask(RedisSharing(with_redis))
            found = list(proxy.state.observability.metrics.registry.collect())
    processes = server_process_figures({"processes": 1, "restarts": 0})["families"]
    found += [Metric(name, meaning, kind) for name, meaning, kind, _ in processes]
    ours = rows([each for each in found if each.name.startswith("winnow_")])
    return "".join([_HEAD, *ours, _ALERTS, *alerts()])


if __name__ == "__main__":
    TARGET.write_text(asyncio.run(text()))
    sys.stdout.write(f"{TARGET.name}\n")
