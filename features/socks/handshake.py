"""The messages of SOCKS5 (RFC 1928) and of its passwords (RFC 1929)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import ip_address
from typing import Final

from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.request_target import Origin, parse_authority
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

VERSION: Final = 5
OPEN, PASSWORD, NONE_FITS = 0, 2, 0xFF
"""Methods of authentication (RFC 1928, section 3)."""
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4


class SocksReply(IntEnum):
    """RFC 1928, section 6."""

    SUCCEEDED = 0
    FAILED = 1
    NOT_ALLOWED = 2
    UNREACHABLE = 4
    REFUSED = 5
    NO_SUCH_COMMAND = 7
    NO_SUCH_ADDRESS = 8

    def packed(self) -> bytes:
        """As sent: the address that it was bound to is nobody's business."""
        return bytes((VERSION, self, 0, _IPV4)) + bytes(6)


class SocksError(ProxyError):
    """The client cannot be served; ``answer`` tells it why."""

    def __init__(self, message: str, answer: bytes = b"") -> None:
        super().__init__(message)
        self.answer = answer


@dataclass
class SocksClient:
    """Reads what a client sends, which waits for each answer."""

    wire: OriginConnection

    async def methods(self) -> bytes:
        """Those that it offers. Raises SocksError for another protocol."""
        version, count = await self._take(2)
        if version != VERSION:
            raise SocksError("This port speaks SOCKS5 alone.")
        return await self._take(count)

    async def credentials(self) -> str:
        """Name and password as the value of Proxy-Authorization (RFC 7617)."""
        await self.wire.send(bytes((VERSION, PASSWORD)))
        version, length = await self._take(2)
        name = await self._take(length)
        password = await self._take((await self._take(1))[0])
        if version != 1 or b":" in name:
            raise SocksError("The password is not one of RFC 1929.", b"\1\1")
        return "Basic " + b64encode(name + b":" + password).decode()

    async def wanted(self) -> Origin:
        """Where it wants to connect to. Raises SocksError."""
        version, command, _, kind = await self._take(4)
        sizes = {_IPV4: 4, _IPV6: 16}
        size = (await self._take(1))[0] if kind == _NAME else sizes.get(kind, 0)
        host, port = await self._take(size), int.from_bytes(await self._take(2), "big")
        if version != VERSION or command != _CONNECT:
            raise SocksError("BIND and UDP are not offered.", SocksReply.NO_SUCH_COMMAND.packed())
        try:
            name = host.decode("ascii") if kind == _NAME else str(ip_address(host))
            return parse_authority(f"[{name}]:{port}" if ":" in name else f"{name}:{port}", "http")
        except (ProxyError, ValueError) as error:
            raise SocksError("No such address.", SocksReply.NO_SUCH_ADDRESS.packed()) from error

    async def _take(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = await self.wire.receive()
            if not piece:
                raise ConnectionResetError("The client left during the handshake.")
            data += piece
        self.wire.unread(data[size:])
        return data[:size]
