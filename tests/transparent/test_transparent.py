"""Connections that the packet filter redirects are served as a proxy's, and reach no more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest
import trustme

from benchmarks.load.programs import STARTED
from tests.programs import require_program
from tests.transparent.network import (
    CLIENT,
    HERE,
    INSIDE,
    OTHER_CLIENT,
    SECOND,
    SITE,
    SITE_6,
    Network,
    network,
)

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
PORT = 8081
SETTINGS = f"""\
[server]
host = "{{host}}"
transparent_port = {PORT}
[access]
open_to = ["127.0.0.0/8", "10.77.0.0/24", "fd77::/64"]
[interception]
hosts = ["site.test", "site6.test"]
[upstream]
ca_bundle = "{{bundle}}"
connect_timeout = 20
[storage]
folder = "{{folder}}"
[extraction]
processes = 1
"""
REDIRECT = ("-p", "tcp", "-m", "multiport", "--dports", "80,443,8000")
TO_WINNOW = ("-j", "REDIRECT", "--to-ports", str(PORT))


@dataclass(frozen=True)
class World:
    """The network with Winnow in it; ``theirs``: a file of the authority of all origins."""

    network: Network
    theirs: Path
    ours: Path
    log: Path

    def curl(self, address: str, url: str, *options: str | Path) -> str:
        """What curl prints of a URL whose host is at ``address``: heads and bodies."""
        names = url.partition("://")[2].partition("/")[0]
        host, _, port = names.partition(":")
        ports = (port,) if port else ("80", "443")
        at = f"[{address}]" if ":" in address else address
        resolved = [each for one in ports for each in ("--resolve", f"{host}:{one}:{at}")]
        command = ("curl", "-sSi", "--max-time", "60", *resolved, *options, url)
        done = subprocess.run(
            self.network.at_client(*command), capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr


@contextmanager
def _running(command: list[str], log: IO[str], ready: str) -> Iterator[None]:
    with subprocess.Popen(
        command,
        env={**os.environ, **STARTED, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            assert said.startswith(ready), said + Path(log.name).read_text()
            yield
        finally:
            process.terminate()


def _authority(folder: Path) -> tuple[Path, Path]:
    """The certificate of all origins with its key, and who signed it."""
    authority, shown, trusted = trustme.CA(), folder / "origins.pem", folder / "theirs.pem"
    names = ("site.test", "spared.test", "second.test", "site6.test", SITE)
    authority.issue_cert(*names).private_key_and_cert_chain_pem.write_to_path(shown)
    authority.cert_pem.write_to_path(trusted)
    return shown, trusted


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    require_program("curl")
    folder = tmp_path_factory.mktemp("transparent")
    shown, theirs = _authority(folder)
    data, config, log = folder / "data", folder / "winnow.toml", folder / "log"
    config.write_text(SETTINGS.format(host="", bundle=theirs, folder=data))
    with network(folder) as net, log.open("w") as written:
        net.filtering("iptables", "-t", "nat", "-A", "PREROUTING", *REDIRECT, *TO_WINNOW)
        python = Path(sys.executable)
        origins = net.at_router(python, "-m", "tests.transparent.origins", shown)
        winnow = net.at_router(python, "-m", "winnow", "serve", "--config", config)
        with (
            _running(origins, written, "listening"),
            _running(winnow, written, "Winnow listens"),
        ):
            world = World(net, theirs, folder / "ours.pem", log)
            pem = world.curl(HERE, f"http://{HERE}:8080/-/ca.crt", "--no-include")
            world.ours.write_text(pem)
            yield world


def test_a_page_over_plain_http_is_extracted(made: World) -> None:
    got = made.curl(SITE, "http://site.test/story", "-H", "Winnow-Mode: extract")
    assert "Winnow-Action: extracted" in got


def test_the_origin_gets_a_request_in_origin_form(made: World) -> None:
    got = made.curl(SITE, "http://site.test/a?b=c%20d")
    assert f"{SITE} GET /a?b=c%20d HTTP/1.1 Host: site.test" in got
    assert "Via: 1.1 winnow" in got


def test_tls_of_a_host_that_is_opened_is_intercepted(made: World) -> None:
    asked = ("--cacert", made.ours, "-H", "Winnow-Mode: extract")
    got = made.curl(SITE, "https://site.test/story", *asked)
    assert "HTTP/2 200" in got
    assert "winnow-action: extracted" in got.lower()


def test_tls_of_other_hosts_is_a_tunnel_to_where_the_client_connected(made: World) -> None:
    """Also where the name would lead elsewhere."""
    got = made.curl(SECOND, "https://spared.test/x", "--cacert", made.theirs)
    assert f"{SECOND} GET /x HTTP/1.1 Host: spared.test" in got
    assert "Winnow-" not in got


def test_tls_without_a_server_name_is_a_tunnel(made: World) -> None:
    got = made.curl(SITE, f"https://{SITE}/x", "--cacert", made.theirs)
    assert f"{SITE} GET /x HTTP/1.1 Host: {SITE}" in got


def test_a_foreign_host_is_resolved_here(made: World) -> None:
    """So what is stored for a name is from an address of that name (CVE-2009-0801)."""
    got = made.curl(SITE, "http://second.test/x")
    assert f"{SECOND} GET /x HTTP/1.1 Host: second.test" in got


def test_another_port_counts_as_the_client_s(made: World) -> None:
    got = made.curl(SITE, "http://site.test:8000/x")
    assert f"{SITE} GET /x HTTP/1.1 Host: site.test:8000" in got


@pytest.mark.parametrize(
    "options",
    [
        ("-H", "Host: site.test:8000"),
        ("--request-target", "https://site.test/"),
        ("--request-target", "http://site.test:8000/"),
        ("-X", "CONNECT", "--request-target", "second.test:443"),
        ("-X", "CONNECT", "--request-target", "127.0.0.1:8080"),
    ],
)
def test_no_other_port_is_reached(made: World, options: tuple[str, ...]) -> None:
    assert "HTTP/1.1 421 " in made.curl(SITE, "http://site.test/", *options)


@pytest.mark.parametrize("host", ["site.test/x", "a@site.test", "site.test#", "site test"])
def test_a_malformed_host_is_a_400(made: World, host: str) -> None:
    got = made.curl(SITE, "http://site.test/-/health", "-H", f"Host: {host}")
    assert "HTTP/1.1 400 " in got


def test_no_private_address_is_reached(made: World) -> None:
    assert "HTTP/1.1 403 " in made.curl(INSIDE, f"http://{INSIDE}/")
    assert "HTTP/1.1 403 " in made.curl(INSIDE, "http://site.test/", "-H", f"Host: {INSIDE}")


def test_no_name_leads_from_a_public_address_to_a_private_one(made: World) -> None:
    assert "HTTP/1.1 403 " in made.curl(SITE, "http://inside.test/")


def test_nor_does_tls_without_interception(made: World) -> None:
    got = made.curl(INSIDE, "https://spared.test/", "--cacert", made.theirs)
    assert "curl: (35)" in got or "curl: (56)" in got


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_who_is_not_let_in_gets_nothing(made: World, scheme: str) -> None:
    got = made.curl(SITE, f"{scheme}://site.test/-/health", "-k", "--interface", OTHER_CLIENT)
    assert "HTTP/1.1 403 " in got if scheme == "http" else "curl: (35)" in got
    assert SITE + " GET" not in got


def test_a_connection_that_nobody_redirected_is_closed(made: World) -> None:
    got = made.curl(HERE, f"http://site.test:{PORT}/")
    assert "HTTP/" not in got


def test_our_own_pages_are_at_their_name(made: World) -> None:
    """Where the network's name server has one for it, whatever that is."""
    assert "Winnow" in made.curl(SITE, "http://winnow.internal/-/setup")


def test_ipv6(made: World) -> None:
    made.network.filtering("ip6tables", "-t", "nat", "-A", "PREROUTING", *REDIRECT, *TO_WINNOW)
    got = made.curl(SITE_6, "http://site6.test/x")
    assert f"{SITE_6} GET /x HTTP/1.1 Host: site6.test" in got


def test_our_own_connections_redirected_to_us_end(made: World) -> None:
    """The rule of OUTPUT lacks the exemption of Winnow's user."""
    rule = ("OUTPUT", *REDIRECT, *TO_WINNOW)
    made.network.filtering("iptables", "-t", "nat", "-A", *rule)
    try:
        plain = made.curl(SITE, "http://site.test/looped")
        tls = made.curl(SITE, "https://spared.test/looped", "--cacert", made.theirs)
    finally:
        made.network.filtering("iptables", "-t", "nat", "-D", *rule)
    assert "HTTP/1.1 508 " in plain or "HTTP/1.1 502 " in plain
    assert "curl: (35)" in tls or "curl: (56)" in tls
    assert "redirects Winnow's own connections" in made.log.read_text()
    assert CLIENT not in made.log.read_text()
