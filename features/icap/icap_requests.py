"""Requests by ICAP: written anew so that their responses can be read here, and are for who asks."""

from __future__ import annotations

from winnow.features.icap.icap_reader import IcapBody
from winnow.features.icap.icap_stream import IcapStream
from winnow.features.icap.messages import IcapRequest
from winnow.features.icap.shared_pages import SHOWN
from winnow.proxy.decisions import etags
from winnow.proxy.http.accept import limited_to
from winnow.proxy.http.content_coding import DECODABLE
from winnow.proxy.http.headers import Headers


async def rewritten(stream: IcapStream, body: IcapBody, asked: IcapRequest, mark: str = "") -> None:
    """The request without our entity tags, and with codings that can be read here; 204 if it is.

    ``mark``: of the page that the client may have stored for everybody (``shared_pages``).
    """
    found = stream.head.headers
    headers = asked_anew(found).replaced((SHOWN, mark)) if mark else asked_anew(found)
    if headers == found and asked.takes_204:
        return await stream.unchanged()
    stream.start_request(headers, has_body=asked.has_body)
    while piece := await body.read():
        await stream.write(piece)
    await stream.finish()
    return None


def asked_anew(headers: Headers) -> Headers:
    """The fields of a request whose response may be read here; ours are written by us alone."""
    headers = headers.without((SHOWN,))
    if "accept-encoding" in headers:
        codings = limited_to(headers.joined("accept-encoding"), DECODABLE)
        if codings != headers.joined("accept-encoding"):
            headers = headers.replaced(("Accept-Encoding", codings))
    return etags.without_ours(headers)
