"""A network of its own: a client behind a router on which Winnow runs, by Linux namespaces.

Needs no privilege but that of a user namespace. What the kernel refuses fails the tests.

    client 10.77.0.2 --- 10.77.0.1 router, with Winnow, the packet filter and all origins
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.programs import require_program

HERE, CLIENT, OTHER_CLIENT = "10.77.0.1", "10.77.0.2", "10.78.0.2"
HERE_6, CLIENT_6 = "fd77::1", "fd77::2"
SITE, SECOND, INSIDE, SITE_6 = "9.9.9.9", "9.9.9.10", "10.88.0.1", "2620:fe::9"
"""Addresses of origins: public ones, and a private one."""
HOSTS: Final = f"""\
127.0.0.1 localhost
{SITE} site.test spared.test
{SECOND} second.test
{INSIDE} inside.test
{SITE_6} site6.test
"""
ROUTER: Final = (
    "ip link set lo up",
    "ip link add toclient type veth peer name torouter",
    "ip link set torouter netns {client}",
    "ip link set toclient up",
    f"ip address add {HERE}/24 dev toclient",
    "ip address add 10.78.0.1/24 dev toclient",
    f"ip address add {HERE_6}/64 dev toclient nodad",
    *(f"ip address add {each}/32 dev lo" for each in (SITE, SECOND, INSIDE)),
    f"ip address add {SITE_6}/128 dev lo nodad",
)
CLIENTS: Final = (
    "ip link set lo up",
    "ip link set torouter up",
    f"ip address add {CLIENT}/24 dev torouter",
    f"ip address add {OTHER_CLIENT}/24 dev torouter",
    f"ip address add {CLIENT_6}/64 dev torouter nodad",
    f"ip route add default via {HERE}",
    f"ip route add default via {HERE_6}",
)


@dataclass(frozen=True)
class Network:
    """Two namespaces, by the ids of the processes that hold them."""

    router: int
    client: int
    folder: Path

    def at_router(self, *command: str | Path) -> list[str]:
        """A command as it is to be run on the router."""
        return _inside(self.router, "--mount", "env", f"--chdir={self.folder}", *command)

    def at_client(self, *command: str | Path) -> list[str]:
        return _inside(self.client, *command)

    def filtering(self, *rule: str) -> None:
        """Run iptables, or ip6tables, on the router."""
        _run(self.at_router(*rule))


def _inside(holder: int, *command: str | Path) -> list[str]:
    entered = ("nsenter", f"--target={holder}", "--user", "--preserve-credentials", "--net")
    return [*entered, *map(str, command)]


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    if done.returncode:
        pytest.fail(f"This kernel refuses a namespace: {' '.join(command)}: {done.stderr}")


@contextmanager
def network(folder: Path) -> Iterator[Network]:
    """Make it; fails the test where the kernel does not allow that."""
    for program in ("unshare", "nsenter", "ip", "iptables"):
        require_program(program)
    with (
        _holding(["unshare", "--user", "--map-root-user", "--net", "--mount"]) as router,
        _holding(_inside(router, "unshare", "--net")) as client,
    ):
        made, hosts = Network(router, client, folder), folder / "hosts"
        hosts.write_text(HOSTS)
        _run(made.at_router("mount", "--bind", hosts, "/etc/hosts"))
        for line in ROUTER:
            _run(made.at_router(*line.format(client=client).split()))
        for line in CLIENTS:
            _run(made.at_client(*line.split()))
        yield made


@contextmanager
def _holding(entering: Sequence[str]) -> Iterator[int]:
    """The id of a process in a new namespace; it ends with the context."""
    command = [*entering, "sh", "-c", "echo made; exec cat"]
    holder = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert holder.stdin
    assert holder.stdout
    try:
        if (said := holder.stdout.readline()) != "made\n":
            pytest.fail(f"This kernel refuses a namespace: {' '.join(entering)}: {said}")
        yield holder.pid
    finally:
        holder.stdin.close()
        holder.wait(10)
        holder.stdout.close()
