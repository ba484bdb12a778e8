"""Pages that teach: what they taught is handed on, and what was learned is in the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.document.values import NO_KNOWLEDGE, Page, Recipe, Rendered
from winnow.proxy.decisions.policy import RuleFor, SiteRule, Transform
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin
from winnow.proxy.learning.service import LearningService


@dataclass(frozen=True)
class LearningTransform:
    """A Transform that hands on what its pages taught."""

    transform: Transform
    learning: LearningService

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        rendered = await self.transform(page, recipe)
        if not rendered.lesson and not rendered.row:
            return rendered
        self.learning.take(page.url, rendered.lesson, rendered.row)
        return replace(rendered, lesson=b"", row=b"")

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own."""
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        await self.transform.aclose()


def with_learning(rule_for: RuleFor, learning: LearningService) -> RuleFor:
    """The rules with what was learned of the sites."""

    def rule(origin: Origin, owner: str) -> SiteRule:
        found, knowledge = rule_for(origin, owner), learning.knowledge(origin)
        return replace(found, knowledge=knowledge) if knowledge is not NO_KNOWLEDGE else found

    return rule


def may_teach(request: Headers, reply: Headers) -> bool:
    """Whether a page may be learned from: no-store and pages with credentials may not."""
    return "authorization" not in request and "no-store" not in reply.items("cache-control")
