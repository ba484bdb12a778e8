"""``/wpad.dat`` where this computer is named so, and the owner's exceptions in the PAC file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import ask
from winnow.compose.running import running
from winnow.config.server_settings import Server
from winnow.config.settings import Settings, StorageSettings
from winnow.features.setup import SetupSettings


@pytest.mark.parametrize(
    ("host", "status"),
    [("wpad", 200), ("wpad.lan:80", 200), ("WPAD.office.example", 200), ("127.0.0.1:80", 404)],
)
async def test_it_is_there_under_its_name_alone(tmp_path: Path, host: str, status: int) -> None:
    settings = replace(
        Settings(),
        server=Server(port=0),
        storage=StorageSettings(folder=tmp_path),
        of_features=(SetupSettings(direct=("printer.example", "*.office.example")),),
    )
    async with running(settings) as proxy:
        request = f"GET /wpad.dat HTTP/1.1\r\nHost: {host}\r\n\r\n"
        answer = await ask(proxy.port, request.encode())
        assert answer.status == status
        if status == 200:
            assert answer.field("content-type") == "application/x-ns-proxy-autoconfig"
            name = host.partition(":")[0].lower()
            assert f"PROXY {name}:{proxy.port}".encode() in answer.body
            assert b'"printer.example":1' in answer.body
            assert b'"office.example":1' in answer.body
