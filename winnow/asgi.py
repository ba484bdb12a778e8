"""Readers' views of an application's own pages: ``app = ReaderMiddleware(app)`` (docs/asgi.md)."""

from __future__ import annotations

from winnow.compose.caches import renderings_of
from winnow.compose.factories import policy_of, pool_of
from winnow.config.settings import Settings
from winnow.features.asgi.app_response import AsgiApp
from winnow.features.asgi.site_reader import NoSender, SiteReader
from winnow.features.origin.site_links import SiteBar
from winnow.jobs.pool import Pool
from winnow.jobs.quality import QualityLimits
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.transforms.pooled import PooledTransform


class ReaderMiddleware(SiteReader):
    """A SiteReader with processes of its own, which begin with the first page that is asked for.

    The end of the server's lifespan ends them, or ``aclose``.
    """

    def __init__(
        self,
        app: AsgiApp,
        settings: Settings | None = None,
        prefix: str = "/-/",
        *,
        automatic: bool = False,
    ) -> None:
        self._settings = settings or Settings()
        self._made: tuple[Pool, Forwarder] | None = None
        policy = policy_of(self._settings, frozenset(), "winnow")
        super().__init__(app, policy, prefix, automatic=automatic)

    async def forwarder(self) -> Forwarder:
        if self._made is None:
            pool = pool_of(self._settings)
            pool.start()
            transform = PooledTransform(pool, QualityLimits.of(self._settings.extraction))
            shared = renderings_of(transform, self._settings) or transform
            self._made = pool, Forwarder(NoSender(), shared, SiteBar(self.prefix))
        pool, forwarder = self._made
        await pool.begun(pool.limits.start_seconds)
        return forwarder

    async def aclose(self) -> None:
        made, self._made = self._made, None
        if made:
            await made[0].aclose()
