"""The address that others in the network can use: a private one, or none is named."""

from __future__ import annotations

import pytest

from winnow.proxy.server.network_address import network_address


@pytest.mark.parametrize(
    ("own", "named"), [("192.168.1.5", "192.168.1.5"), ("93.184.216.34", ""), ("", "")]
)
def test_only_a_private_address_is_named(
    own: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Probe:
        """A datagram socket of a machine with this address, or without a way."""

        def __init__(self, *_: object) -> None:
            pass

        def connect(self, _: object) -> None:
            if not own:
                raise OSError("Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return own, 40_000

        def close(self) -> None:
            pass

    monkeypatch.setattr("socket.socket", Probe)
    assert network_address() == named
