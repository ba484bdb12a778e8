"""Requests by ICAP: written anew so that their responses can be read here, and are for who asks."""

from __future__ import annotations

from winnow.features.icap.icap_reader import IcapBody
from winnow.features.icap.icap_stream import IcapStream
from winnow.features.icap.messages import IcapRequest
from winnow.proxy.decisions import etags
from winnow.proxy.http.accept import limited_to
from winnow.proxy.http.content_coding import DECODABLE
from winnow.proxy.http.headers import Headers


async def rewritten(
    stream: IcapStream, body: IcapBody, asked: IcapRequest, *, is_stored: bool = True
) -> None:
    """The request without our entity tags, and with codings that can be read here; 204 if it is.

    ``is_stored``: what the client has stored for everybody may answer it.
    """
    found = stream.head.headers
    headers = asked_anew(found)
    if not is_stored:
        headers = headers.replaced(("Cache-Control", "no-cache"))
    if headers == found and asked.takes_204:
        return await stream.unchanged()
    stream.start_request(headers, has_body=asked.has_body)
    while piece := await body.read():
        await stream.write(piece)
    await stream.finish()
    return None


def asked_anew(headers: Headers) -> Headers:
    """The fields of a request whose response may be read here."""
    if "accept-encoding" in headers:
        codings = limited_to(headers.joined("accept-encoding"), DECODABLE)
        if codings != headers.joined("accept-encoding"):
            headers = headers.replaced(("Accept-Encoding", codings))
    return etags.without_ours(headers)
