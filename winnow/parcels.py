"""Pages, recipes and renderings as bytes between processes; knows neither processes nor pages.

A parcel is one line of JSON and the body as it is: no pickles, nothing is copied twice.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from document.values import Format, Page, Profile, Recipe, Rendered


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a page could not be transformed: a reason token and a sentence."""

    reason: str
    message: str


def _pack(fields: dict[str, Any], body: bytes) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" + body


def _unpack(parcel: bytes) -> tuple[dict[str, Any], bytes]:
    line, _, body = parcel.partition(b"\n")
    fields: dict[str, Any] = json.loads(line.decode("utf-8", "surrogatepass"))
    return fields, body


def pack_job(page: Page, recipe: Recipe) -> bytes:
    return _pack({"url": page.url, "charset": page.charset, "recipe": asdict(recipe)}, page.body)


def unpack_job(parcel: bytes) -> tuple[Page, Recipe]:
    fields, body = _unpack(parcel)
    recipe = fields["recipe"]
    recipe["format"], recipe["profile"] = Format(recipe["format"]), Profile(recipe["profile"])
    return Page(body, fields["url"], fields["charset"]), Recipe(**recipe)


def pack_answer(answer: Rendered | Failure) -> bytes:
    fields = asdict(answer)
    body: bytes = fields.pop("body", b"")
    return _pack(fields, body)


def unpack_answer(parcel: bytes) -> Rendered | Failure:
    fields, body = _unpack(parcel)
    if "media_type" not in fields:
        return Failure(**fields)
    fields["reasons"] = tuple(fields["reasons"])
    return Rendered(body=body, **fields)
