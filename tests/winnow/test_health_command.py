"""``winnow health`` reads the proxy's own settings: its port, its TLS, its state."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from tests.unhurried import UNHURRIED
from winnow.compose.running import listening
from winnow.config.settings import Settings


async def health(port: int, *flags: str, **environment: str) -> tuple[int | None, str]:
    """Exit code and output of the command."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "winnow", "health", *flags),
        env={"WINNOW_SERVER__PORT": str(port), **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


def settings(folder: Path) -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0, shutdown_grace=1.0),
        extraction=UNHURRIED,
        storage=replace(plain.storage, folder=folder),
    )


async def test_alive_and_ready(tmp_path: Path) -> None:
    async with listening(settings(tmp_path)) as proxy:
        assert await health(proxy.port) == (0, "ok\n")
        assert await health(proxy.port, WINNOW_SERVER__HOST="0.0.0.0") == (0, "ok\n")
        starting = f"winnow: 127.0.0.1:{proxy.port}: starting\n"
        assert await health(proxy.port, "--ready") == (1, starting)
        await proxy.begin(0.01)
        assert await health(proxy.port, "--ready") == (0, "ready\n")
    code, output = await health(proxy.port)
    assert code == 1
    assert f"127.0.0.1:{proxy.port} does not respond" in output


async def test_a_listener_with_tls(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("winnow.example")
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(b"".join(blob.bytes() for blob in certificate.cert_chain_pems))
    certificate.private_key_pem.write_to_path(str(key))
    plain = settings(tmp_path / "data")
    server = replace(plain.server, tls_cert=chain, tls_key=key)
    paths = {"WINNOW_SERVER__TLS_CERT": str(chain), "WINNOW_SERVER__TLS_KEY": str(key)}
    async with listening(replace(plain, server=server)) as proxy:
        assert await health(proxy.port, **paths) == (0, "ok\n")


async def test_a_port_on_the_command_line(tmp_path: Path) -> None:
    async with listening(settings(tmp_path)) as proxy:
        assert await health(1, "--port", str(proxy.port)) == (0, "ok\n")


@pytest.mark.parametrize("word", ["HEALTHCHECK", '"health"'])
def test_the_image_uses_it(word: str) -> None:
    lines = (Path(__file__).parents[2] / "Dockerfile").read_text().splitlines()
    assert [line for line in lines if word in line and "HEALTHCHECK" in line]


async def test_from_an_address_that_is_trusted_as_a_balancer(tmp_path: Path) -> None:
    plain = settings(tmp_path)
    server = replace(plain.server, trusted_proxies=("127.0.0.1",))
    trusted = {"WINNOW_SERVER__TRUSTED_PROXIES": "127.0.0.1"}
    async with listening(replace(plain, server=server)) as proxy:
        assert await health(proxy.port, **trusted) == (0, "ok\n")
        code, output = await health(proxy.port)
        assert (code, "does not respond" in output) == (1, True)
