"""What depends on one reading of the settings: worker pool, origins' connections, caches."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.compose.ad_lists import ads_of
from winnow.compose.caches import cached_sender, renderings_of, shared_transform
from winnow.compose.factories import client_of, pool_of
from winnow.compose.process.shares import share_of
from winnow.compose.run_state import RunState
from winnow.config.settings import Settings
from winnow.feature import Drawing
from winnow.feature_list import drawing_of
from winnow.jobs.pool import Pool
from winnow.jobs.quality import QualityLimits
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.caching.renderings import CachingTransform
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Sender
from winnow.proxy.learning.teaching import LearningTransform
from winnow.proxy.observability.events import ObservedSender
from winnow.proxy.upstream.ad_list_updates import AdLists
from winnow.proxy.upstream.connections.resolver import Resolver
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.transforms.method_inputs import MethodInputsTransform
from winnow.transforms.page_sheets import PageSheets
from winnow.transforms.parent_probe import with_parent_probe
from winnow.transforms.pooled import ExtractorIdentities, PooledTransform, PooledWorkers


def transform_of(settings: Settings, state: RunState, pool: Pool) -> Transform:
    """The transform of the worker pool, with learning and the renderings that others share."""
    transform: Transform = PooledTransform(pool, QualityLimits.of(settings.extraction))
    if state.learning:
        transform = LearningTransform(transform, state.learning)
    return shared_transform(transform, settings)


@dataclass(frozen=True)
class Backend:
    """What depends on the settings: the worker pool and the origins' connections.

    ``client`` is on the wire, ``sender`` the cache before it. ``replies`` and ``renderings`` are
    the caches in memory.
    """

    settings: Settings
    pool: Pool
    client: OriginClient
    sender: Sender
    transform: Transform
    ads: AdLists | None
    replies: MemoryStorage
    renderings: CachingTransform | None
    drawing: Drawing | None

    async def end_extraction(self) -> None:
        """End its processes and caches: a long download needs its connections alone."""
        await self.transform.aclose()
        await self.pool.aclose()
        await self.replies.aclose()

    async def aclose(self) -> None:
        """End its processes and connections."""
        if self.ads:
            await self.ads.aclose()
        await self.sender.aclose()
        await self.end_extraction()


def backend_of(settings: Settings, state: RunState, resolver: Resolver | None) -> Backend:
    """Raises ConfigError if the caches cannot be as the settings say."""
    own = share_of(settings, state.shared.processes)
    pool, client = pool_of(own), client_of(own, resolver)
    replies = MemoryStorage(own.cache.memory)
    observed = ObservedSender(client, state.observability.observe)
    sender = cached_sender(observed, own, replies, state.shared.bus)
    transform = transform_of(own, state, pool)
    renderings = renderings_of(transform, own)
    transform = with_parent_probe(renderings or transform, sender)
    sheets = PageSheets(Fetcher(sender, Policy), PooledWorkers(pool))
    transform = MethodInputsTransform(transform, ExtractorIdentities(pool).of, sheets)
    drawing = drawing_of(own, client.connector, sender, PooledWorkers(pool))
    transform = drawing.before(transform) if drawing else transform
    ads = ads_of(own, sender)
    return Backend(own, pool, client, sender, transform, ads, replies, renderings, drawing)
