"""``/-/annotate``: shows the blocks of a page to be labelled, and saves the labels as gold text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from cachetools import TTLCache

from winnow.document.values import Label, Page, Recipe
from winnow.evaluation.gold.annotations import AnnotationFolders
from winnow.feature import Context
from winnow.features.annotate.annotation_form import (
    AnnotationForm,
    annotate_page,
    ask_page,
    saved_page,
)
from winnow.features.annotate.jobs import BlocksJob, LabelledJob, Marked
from winnow.jobs.job_types import Workers
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.etags import of_body
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.form_checks import form_token, posted
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.page_parameters import address_of, recipe_at
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.upstream.fetcher import Fetcher

ANNOTATE: Final = "/-/annotate"
PURPOSE: Final = "annotate {page} {digest}"
LONGEST: Final = 12 * 3600.0
LARGEST: Final = 64 * 1024 * 1024
NO_MARKS: Final = "none"
UNNAMED: Final = "annotator"

Spans = list[tuple[int, int, str]]


class AnnotationStore(Protocol):
    """Saves annotations. Works on files: call it in a thread."""

    def page(self, url: str) -> Page | None: ...

    def spans(self, annotator: str, url: str) -> Spans | None: ...

    def keep(self, annotator: str, page: Page, gold: str, notes: Mapping[str, object]) -> Path: ...

    def is_name(self, annotator: str) -> bool: ...


def _drafts() -> TTLCache[str, Page]:
    return TTLCache(LARGEST, LONGEST, getsizeof=lambda page: len(page.body) + 1000)


@dataclass(frozen=True)
class AnnotatePage:
    """``annotations`` is None where no folder is set; ``may``: whether a client may annotate.

    ``drafts`` are the pages as they were shown, by the digest of their bytes.
    """

    fetcher: Fetcher
    workers: Workers
    policy: Callable[[], Policy]
    tokens: FormTokens
    annotations: AnnotationStore | None
    may: Callable[[str], bool]
    drafts: TTLCache[str, Page] = field(default_factory=_drafts)

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        store = self._store(request)
        if request.head.method == "POST":
            return await self._save(request, store)
        if not request.query.get("url"):
            return shown(ask_page())
        url = address_of(request)
        annotator = request.query.get("annotator", "").strip().lower() or UNNAMED
        if not store.is_name(annotator):
            raise _bad_name()
        return await self._show(request, store, url, annotator)

    def _store(self, request: OwnRequest) -> AnnotationStore:
        if not self.may(request.head.client):
            raise ClientFaultError(
                says("Only signed-in users and programs on this computer can annotate."),
                403,
                "not-local",
            )
        if self.annotations is None:
            raise ClientFaultError(
                says("Annotation is off. Set a folder: annotation.folder."),
                404,
                "annotation-off",
            )
        return self.annotations

    async def _show(
        self, request: OwnRequest, store: AnnotationStore, url: str, annotator: str
    ) -> OwnResponse:
        saved = await asyncio.to_thread(store.page, url)
        page = saved or await self._fetched(request, url)
        digest = of_body(page.body).value
        self._hold(digest, page)
        spans = await asyncio.to_thread(store.spans, annotator, url)
        again = spans is not None
        if request.query.get("marks") == NO_MARKS:
            spans = []
        job = BlocksJob(page, self._recipe(request, url), spans)
        found = await self.workers.run(job)
        fields = {"page": url, "digest": digest}
        token = form_token(self.tokens, request.head.owner, PURPOSE, fields)
        form = AnnotationForm(url, digest, token, annotator, saved is not None, again)
        return shown(annotate_page(form, found))

    async def _fetched(self, request: OwnRequest, url: str) -> Page:
        permit = request.permit
        return replace(await self.fetcher.page(url, permit), url=url)

    def _hold(self, digest: str, page: Page) -> None:
        try:
            self.drafts[digest] = page
        except ValueError:
            raise ClientFaultError(
                says("The page is too large to annotate."), 413, "too-large"
            ) from None

    def _recipe(self, request: OwnRequest, url: str) -> Recipe:
        return recipe_at(request.query, url, request.head.owner, self.policy())

    async def _save(self, request: OwnRequest, store: AnnotationStore) -> OwnResponse:
        fields = await posted(request, self.tokens, PURPOSE)
        page = self.drafts.get(fields.get("digest", ""))
        if page is None:
            raise ClientFaultError(
                says("The page is no longer in memory. Open it and annotate it again."),
                409,
                "no-draft",
            )
        annotator = fields.get("annotator", "").strip().lower()
        if not store.is_name(annotator):
            raise _bad_name()
        found = await self.workers.run(LabelledJob(page, labels_of(fields)))
        place = await _written(store, annotator, page, found, fields.get("type", ""))
        return shown(saved_page(page.url or "", annotator, found, place.name))


def labels_of(fields: Mapping[str, str]) -> dict[int, str]:
    """Label by the number of the block; fields ``b0``, ``b1``, ... Raises ClientFaultError."""
    labels = {label.value for label in Label}
    found = {}
    for name, value in fields.items():
        block = number(name[1:]) if name.startswith("b") else None
        if block is None:
            continue
        if value in labels:
            found[block] = value
        elif value != NO_MARKS:
            raise ClientFaultError(
                says("There is no label {value!r}.", value=value), 400, "bad-form"
            )
    return found


async def _written(
    store: AnnotationStore, annotator: str, page: Page, found: Marked, kind: str
) -> Path:
    notes = {
        "title": found.title,
        "language": found.language,
        "encoding_used": found.encoding,
        "page_type": kind,
        "gold_empty": not found.gold,
    }
    notes = {name: value for name, value in notes.items() if value}
    notes |= {"spans": found.spans, "page_spans": found.page_spans}  # empty: nothing is content
    try:
        return await asyncio.to_thread(store.keep, annotator, page, found.gold, notes)
    except OSError as error:
        raise AnnotationNotSavedError(
            says("The annotation could not be saved: {fault}.", fault=error.strerror)
        ) from error


class AnnotationNotSavedError(ProxyError):
    """The folder of annotations is not writable."""

    status = 500
    reason = "not-saved"


def _bad_name() -> ClientFaultError:
    return ClientFaultError(
        says("An annotator’s name has up to 40 lower-case letters, digits and hyphens."),
        400,
        "bad-name",
    )


def pages(context: Context) -> Mapping[str, OwnPage]:
    folder = context.settings.annotation.folder
    page = AnnotatePage(
        context.fetcher(),
        context.workers,
        context.policy,
        context.tokens,
        AnnotationFolders(folder) if folder else None,
        context.may_annotate,
    )
    return people_pages({ANNOTATE: page})
