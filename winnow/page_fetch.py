"""Fetches one page for the command line, without proxy and cache; bounded in time and size."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from typing import Final

import aiohttp

from winnow.command_errors import CommandError
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.proxy.http.client_context import verifying_context

HEADERS: Final = {
    "Accept": "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
    "User-Agent": "Mozilla/5.0 (compatible; Winnow)",
}
_CHUNK: Final = 1 << 16


def fetch(url: str, settings: Settings) -> Page:
    """Return the page at an http or https address. Raises CommandError."""
    try:
        return asyncio.run(_fetched(url, settings))
    except TimeoutError as error:
        raise CommandError(f"{url} did not answer in time (see upstream.page_timeout)") from error
    except (aiohttp.ClientError, ValueError) as error:
        raise CommandError(f"cannot fetch {url}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return why a page could not be fetched; aiohttp's own words hold reprs of its objects."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            cause = error.certificate_error
            shown = cause.verify_message if isinstance(cause, ssl.SSLCertVerificationError) else ""
            return f"its certificate is not trusted ({shown or cause}; see upstream.ca_bundle)"
        case aiohttp.ClientConnectorError():
            return _os_reason(error.os_error)
        case aiohttp.TooManyRedirects():
            return "it redirects more often than gateway.max_redirects allows"
        case aiohttp.InvalidURL():
            return "this is no http or https address"
        case _:
            return str(error) or type(error).__name__


def _os_reason(error: OSError) -> str:
    """Return the system's words; asyncio puts addresses into its own ("Connect call failed")."""
    if isinstance(error, socket.gaierror) or not error.errno:
        return error.strerror or "no connection could be made"
    return os.strerror(error.errno)


async def _fetched(url: str, settings: Settings) -> Page:
    upstream = settings.upstream
    timeout = aiohttp.ClientTimeout(
        total=upstream.page_timeout,
        connect=upstream.connect_timeout,
        sock_read=upstream.read_timeout,
    )
    context = verifying_context(upstream.ca_bundle)
    async with (
        aiohttp.ClientSession(timeout=timeout, headers=HEADERS) as session,
        session.get(
            url,
            max_redirects=settings.gateway.max_redirects,
            proxy=upstream.proxy or None,
            ssl=context,
        ) as response,
    ):
        if response.status != 200:
            raise CommandError(f"{url} answered with status {response.status}")
        body = await _bounded(response, settings.extraction.max_page)
        return Page(body, str(response.url), response.charset)


async def _bounded(response: aiohttp.ClientResponse, limit: int) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) > limit:
            raise CommandError(f"{response.url} is larger than extraction.max_page allows")
    return bytes(body)
