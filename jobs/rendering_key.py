"""The keys of a rendering in memory, in Redis and in ETags: the one module that defines them.

Every field of the recipe and of the quality thresholds counts, those of nested values too, unless
it is listed in ``UNCOUNTED``: a field that is added later counts by itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from hashlib import blake2b, sha256
from types import MappingProxyType
from typing import Final

from winnow.document.values import NO_KNOWLEDGE, Page, Recipe, Rendered

VERSION: Final = "6"
"""Raise it when the same recipe shows the same page differently than before."""
UNCOUNTED: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("SiteKnowledge", "learn"): "asks for what the page teaches; the page is shown alike",
        ("SiteKnowledge", "rows"): "asks for the page as hashes; the page is shown alike",
        ("MethodOptions", "ads"): "only Crunch reads it; its fingerprint holds the digest",
        ("MethodOptions", "inner"): "only Crunch reads it; its fingerprint holds it",
    }
)
"""Class and field, and why a rendering does not depend on it beyond the other parts of the key."""

MemoryKey = tuple[int, int, str | None, str | None, tuple[object, ...], str]
FinishedKey = tuple[int, int, str, int, int, int, str, str, str]


@dataclass(frozen=True, slots=True)
class ExtractorIdentity:
    """A method as a worker knows it: ``fingerprint`` is the extractor's own.

    ``reads_memory``: it reads what was learned of a site (``Recipe.knowledge``). ``reads_fields``:
    of the reader's request (``Page.beside``).
    """

    fingerprint: str
    reads_memory: bool = False
    reads_fields: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def fingerprint(recipe: Recipe, extractor: ExtractorIdentity, quality: Hashable) -> str:
    """A digest (hexadecimal, of fixed length) of all that decides how a page is shown.

    ``quality``: the thresholds, a dataclass. Knowledge of a site counts only where the method
    reads it. Raises TypeError for a field of a type that has no canonical form here.
    """
    if not (extractor.reads_memory and recipe.knowledge.memory):
        recipe = replace(recipe, knowledge=NO_KNOWLEDGE)
    parts = (VERSION, repr(extractor.fingerprint), canonical(recipe), canonical(quality))
    text = "|".join(parts)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def canonical(value: object) -> str:
    """A text that is the same for equal values only; dataclasses by all their counted fields."""
    if is_dataclass(value) and not isinstance(value, type):
        name = type(value).__name__
        counted = [field.name for field in fields(value) if (name, field.name) not in UNCOUNTED]
        texts = [f"{field}={canonical(getattr(value, field))}" for field in counted]
        return f"{name}({','.join(texts)})"
    if isinstance(value, tuple):
        return f"({','.join(map(canonical, value))})"
    if isinstance(value, bytes):
        return blake2b(value, digest_size=16).hexdigest()
    if value is None or isinstance(value, (str, int, float)):
        return repr(value)
    raise TypeError(f"{type(value).__name__} has no canonical form.")


def memory_key(page: Page, fingerprint: str) -> MemoryKey:
    """The key of a rendering within this process.

    The body counts by Python's own hash, SipHash under a key drawn for each process (PEP 456),
    which is several times as fast as a digest and costs nothing for a body hashed before.
    """
    beside = (*page.sheets, *page.beside)
    return hash(page.body), len(page.body), page.url, page.charset, beside, fingerprint


def stored_key(page: Page, fingerprint: str) -> str:
    """The key of a rendering beyond this process: a hexadecimal digest of all of it."""
    parts = repr((page.url, page.charset, *page.sheets, *page.beside, fingerprint))
    digest = blake2b(len(page.body).to_bytes(8, "big"), digest_size=20)
    digest.update(page.body)
    digest.update(parts.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def finished_key(rendered: Rendered, variant: str, coding: str) -> FinishedKey:
    """The key of a rendering with its bar, coded, within this process.

    ``variant``: all that decides about bar and style beyond the rendering.
    """
    body = rendered.body  # Python stores the hash of bytes: it is computed once
    shown = (
        rendered.extractor,
        rendered.words_kept,
        rendered.words_total,
        rendered.left_out,
        rendered.instead,
    )
    return hash(body), len(body), *shown, variant, coding


@lru_cache(maxsize=256)
def etag_mark(fingerprint: str, variant: str = "", transform_anyway: bool = False) -> str:
    """The part of our ETags that holds all that decides how a page is shown, but for the page.

    ``transform_anyway`` counts since a 304 is sent before the response can say no-transform.
    """
    text = f"{fingerprint}|{variant}|{transform_anyway}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
