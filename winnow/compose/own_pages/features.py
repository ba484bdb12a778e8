"""The own pages of features, each feature's loaded at the first request for one of them."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from winnow.feature import Context, Feature, FeatureError, loaded
from winnow.proxy.app.app import BackgroundTask, Front
from winnow.proxy.observability.events import Observer, Observers
from winnow.proxy.own.catalogue import Catalogue, brought
from winnow.proxy.own.languages import Language
from winnow.proxy.own.router import OwnPages, OwnRequest, OwnResponse

_LOG = logging.getLogger("winnow.features")


def observer_of(
    features: tuple[Feature, ...], context: Callable[[], Context], core: Observer
) -> Observer:
    """What sees the events of requests: the core's, and those of features that have any."""
    named = [each.observers for each in features if each.observers]
    if not named:
        return core
    made = context()
    return Observers((core, *(each for name in named for each in loaded(name)(made))))


def tasks_of(
    features: tuple[Feature, ...], context: Callable[[], Context]
) -> tuple[BackgroundTask, ...]:
    """What features do beside the server."""
    named = [each.task for each in features if each.task]
    return tuple(partial(loaded(name), context()) for name in named)


def front_of(features: tuple[Feature, ...], context: Callable[[], Context]) -> Front | None:
    """What of a feature answers in place of the proxy."""
    return next((loaded(each.front)(context()) for each in features if each.front), None)


def texts_of(features: tuple[Feature, ...]) -> Mapping[Language, tuple[Catalogue, ...]]:
    """The catalogues that packages bring, by language. Raises OSError."""
    folders = [each.texts.partition(":") for each in features if each.texts]
    return {
        language: tuple(brought(package, folder, language) for package, _, folder in folders)
        for language in (Language if folders else ())
    }


@dataclass(eq=False)
class FeatureTasks:
    """Runs the tasks of one app after the other."""

    _running: set[asyncio.Task[None]] = field(default_factory=set)

    async def begin(self, tasks: Iterable[BackgroundTask]) -> None:
        """Those from now on; the ones before end.

        Raises what one ends with in its first step, ConfigError for a taken port: then none of
        these runs, and the ones before go on.
        """
        before, begun = tuple(self._running), [asyncio.create_task(task()) for task in tasks]
        self._running.update(begun)
        await asyncio.sleep(0)  # each takes that step
        failed = next((each for each in begun if each.done() and each.exception()), None)
        for each in begun if failed else before:
            each.cancel()
        for each in begun:
            each.add_done_callback(self._running.discard if failed else self._ended)
        if failed:
            failed.result()

    async def aclose(self) -> None:
        """End them and wait for that."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _LOG.error("The task of a feature has failed.", exc_info=error)


NO_PAGES: Final = OwnPages({})


@dataclass(eq=False)
class FeaturePages:
    """The own pages of features. ``context`` is called in a thread: it imports modules."""

    features: tuple[Feature, ...]
    context: Callable[[], Context]
    _pages: dict[str, OwnPages] = field(default_factory=dict)
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        feature = self.at(request.path)
        return await (await self.loaded(feature) if feature else NO_PAGES)(request)

    def at(self, path: str) -> Feature | None:
        """The feature that has this path; an address of its own goes before one above it."""
        above = None
        for feature in self.features:
            for address in feature.addresses:
                if address.path == path:
                    return feature
                if address.below and path.startswith(address.path):
                    above = feature
        return above

    async def loaded(self, feature: Feature) -> OwnPages:
        """The pages of one feature, loaded now if they are not yet."""
        if feature.name not in self._pages:
            async with self._loading:
                if feature.name not in self._pages:
                    await asyncio.to_thread(self._load, feature)
        return self._pages[feature.name]

    def _load(self, feature: Feature) -> None:
        self._pages[feature.name] = pages_of(feature, self.context())
        gc.freeze()  # no collection need walk over what was imported


def pages_of(feature: Feature, context: Context) -> OwnPages:
    """Raises FeatureError where its pages are not those that it names."""
    pages = loaded(feature.pages)(context)
    named = {address.path for address in feature.addresses}
    if named != set(pages):
        lacking, unnamed = sorted(named - set(pages)), sorted(set(pages) - named)
        raise FeatureError(
            f"{feature.name}: `addresses` without a page: {lacking}; `pages` without an address: "
            f"{unnamed}."
        )
    below = {address.path for address in feature.addresses if address.below}
    return OwnPages(
        {path: page for path, page in pages.items() if path not in below},
        {path: pages[path] for path in below},
    )
