"""Pages, recipes and renderings as bytes between processes; knows neither processes nor pages.

A parcel is one line of JSON and the body as it is: no pickles, nothing is copied twice.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from winnow.document.values import Format, Known, Page, Profile, Recipe, Rendered

_BYTES: Final = ("memory", "key")
"""The fields of ``Known`` that JSON cannot hold as they are."""
_TAUGHT: Final = ("lesson", "row")
"""Likewise those of ``Rendered``."""


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a page could not be transformed: a reason token and a sentence."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """Something else to be done with a page (engine.tasks); ``options`` are what JSON can hold."""

    name: str
    page: Page
    options: Mapping[str, Any]


def _written(value: bytes) -> str:
    return b64encode(value).decode()


def _pack(fields: dict[str, Any], body: bytes) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" + body


def _unpack(parcel: bytes) -> tuple[dict[str, Any], bytes]:
    line, _, body = parcel.partition(b"\n")
    fields: dict[str, Any] = json.loads(line.decode("utf-8", "surrogatepass"))
    return fields, body


def pack_job(page: Page, recipe: Recipe) -> bytes:
    return _pack(
        {"url": page.url, "charset": page.charset, "recipe": told_recipe(recipe)}, page.body
    )


def unpack_job(parcel: bytes) -> tuple[Page, Recipe] | WorkerTask:
    fields, body = _unpack(parcel)
    page = Page(body, fields["url"], fields["charset"])
    if "task" in fields:
        return WorkerTask(fields["task"], page, fields["options"])
    return page, recipe_from(fields["recipe"])


def told_recipe(recipe: Recipe) -> dict[str, Any]:
    """A recipe as what JSON can hold."""
    told = asdict(recipe)
    known = told["known"]
    return {**told, "known": {**known, **{name: _written(known[name]) for name in _BYTES}}}


def recipe_from(told: Mapping[str, Any]) -> Recipe:
    """A recipe from what ``told_recipe`` and JSON made of it."""
    typed = {"format": Format(told["format"]), "profile": Profile(told["profile"])}
    parts = {name: tuple(told[name]) for name in ("keep", "drop")}
    known = {**told["known"], **{name: b64decode(told["known"][name]) for name in _BYTES}}
    return Recipe(**{**told, **typed, **parts, "known": Known(**known)})


def pack_task(task: WorkerTask) -> bytes:
    page = task.page
    fields = {"task": task.name, "url": page.url, "charset": page.charset}
    return _pack({**fields, "options": dict(task.options)}, page.body)


def pack_result(fields: Mapping[str, Any], body: bytes) -> bytes:
    return _pack({"result": dict(fields)}, body)


def unpack_result(parcel: bytes) -> tuple[dict[str, Any], bytes] | JobFailure:
    fields, body = _unpack(parcel)
    return (fields["result"], body) if "result" in fields else JobFailure(**fields)


def pack_answer(answer: Rendered | JobFailure) -> bytes:
    fields = asdict(answer)
    body: bytes = fields.pop("body", b"")
    if isinstance(answer, Rendered):
        fields |= {name: _written(getattr(answer, name)) for name in _TAUGHT}
    return _pack(fields, body)


def unpack_answer(parcel: bytes) -> Rendered | JobFailure:
    fields, body = _unpack(parcel)
    if "media_type" not in fields:
        return JobFailure(**fields)
    fields["reasons"] = tuple(fields["reasons"])
    fields |= {name: b64decode(fields[name]) for name in _TAUGHT}
    return Rendered(body=body, **fields)
