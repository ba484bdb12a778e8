"""The table of bounds in docs/http.md says what the settings and the code say."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from winnow.config.feature_settings import FeatureSettings
from winnow.config.setting_list import entries
from winnow.config.sources.units import format_duration, format_size
from winnow.feature_list import sections_of
from winnow.jobs.pool import PoolLimits
from winnow.proxy.access.memory_account import MemoryAccount
from winnow.proxy.server import sockets
from winnow.proxy.server.requests import client_limits

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text()
TABLE = TEXT.partition("### Bounds\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| ([^|`]+) \| ([^|]+) \| `([\w.]+)` \| ([^|]+) \|$", TABLE, re.MULTILINE)
SIZES = re.compile(
    r"MAX_(HELLO|LINE|HEAD|SECTION|REQUEST_SECTION)$|MOST_SECTIONS|STREAM_WINDOW|PIECE|_MAX_HEADER|_FORM|_AHEAD|LONGEST_HEAD|LIMIT$|LARGEST_U|"
    r"largest_|least_rate|max_page|max_memory|cache\.(memory|renderings)|request_memory"
)
SETTINGS = entries(sections_of(FeatureSettings()))
TIMES = re.compile(r"(?i)seconds|idle|timeout|deadline|patience|half_closed")


def value_of(where: str) -> tuple[str, Any]:
    """A setting's default, a module's constant or a field's default, with its name."""
    if where in SETTINGS:
        return where, SETTINGS[where].default
    owner, _, name = where.rpartition(".")
    module, _, kind = owner.rpartition(".")
    if kind[:1].isupper():
        cls = getattr(import_module(module), kind)
        return where, next(each.default for each in fields(cls) if each.name == name)
    return where, getattr(import_module(owner), name)


def written(named: tuple[str, Any]) -> str:
    """A value as the table writes it."""
    where, value = named
    if SIZES.search(where):
        return format_size(value)
    return format_duration(value) if TIMES.search(where) else f"{value:,}"


def test_there_is_a_table() -> None:
    assert len(ROWS) > 60
    assert len(ROWS) == TABLE.count("\n| ") - 1  # each line of it is one that is understood


@pytest.mark.parametrize(("bound", "where"), [(row[1], row[2]) for row in ROWS])
def test_each_bound_is_the_one_in_force(bound: str, where: str) -> None:
    assert bound == written(value_of(where))


def bounds_of_clients() -> set[str]:
    """The bounds of the modules that hold nothing else."""
    found = set()
    for module in (client_limits, sockets):
        for name, thing in vars(module).items():
            if isinstance(thing, float) and name.isupper() and name != "UPLOAD_IDLE":
                found.add(f"{module.__name__}.{name}")
            if is_dataclass(thing) and getattr(thing, "__module__", "") == module.__name__:
                found |= {
                    f"{module.__name__}.{name}.{each.name}"
                    for each in fields(thing)
                    if isinstance(each.default, float)
                }
    return found


def test_no_bound_of_clients_is_left_out() -> None:
    aliases = {
        "winnow.proxy.server.requests.client_limits.ClientBounds.upload_idle",  # UPLOAD_IDLE
        "winnow.proxy.server.requests.client_limits.ClientBounds.head",  # HEAD_SECONDS
        "winnow.proxy.server.requests.client_limits.ClientBounds.stalled",  # STALLED_SECONDS
        "winnow.proxy.server.requests.client_limits.ClientBounds.rate_seconds",  # RATE_SECONDS
        "winnow.proxy.server.requests.client_limits.LeastRate.seconds",  # the same
        "winnow.proxy.server.requests.client_limits.TunnelLimits.rate",  # RATE_SECONDS
        "winnow.proxy.server.requests.client_limits.TunnelLimits.idle",  # server.tunnel_idle
    }
    assert bounds_of_clients() - aliases <= {row[2] for row in ROWS}


def test_settings_and_their_defaults_in_the_code_agree() -> None:
    limits, settings = PoolLimits(), SETTINGS
    assert limits.queue_seconds == settings["extraction.queue_seconds"].default
    assert limits.deadline == settings["extraction.deadline"].default
    assert limits.waiting == settings["extraction.max_waiting"].default
    assert limits.waiting_each == settings["extraction.max_waiting_per_client"].default
    account = MemoryAccount()
    assert account.each == settings["server.request_memory_per_client"].default
    assert account.most == settings["server.request_memory"].default
    assert client_limits.TunnelLimits().idle == settings["server.tunnel_idle"].default
