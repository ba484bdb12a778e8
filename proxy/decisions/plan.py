"""All that is decided of a request before anything is fetched, as one value; fetches nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from winnow.document.values import Format, Profile, Recipe
from winnow.jobs.rendering_key import etag_mark
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.decisions import etags
from winnow.proxy.decisions.eligibility import (
    EligibilityInput,
    is_for_a_person,
    may_be_page,
    navigation,
    original_by_choice,
    recipe_for,
)
from winnow.proxy.decisions.policy import (
    AppearanceStyle,
    BarRenderer,
    ImageSigner,
    Policy,
    SiteRule,
    Transform,
)
from winnow.proxy.decisions.preferences import Preferences, RequestMode, from_headers
from winnow.proxy.decisions.request_headers import outgoing
from winnow.proxy.decisions.routing import Face, ForwardRoute
from winnow.proxy.http.messages import OriginRequest, Permit, ResponseHead
from winnow.proxy.http.origins import Target
from winnow.proxy.http.reasons import Reason


@dataclass(frozen=True)
class PlanContext:
    """What else decides over a request than the request itself.

    ``rule`` is that of the site, ``view`` what the client chose for this address.
    ``prefix`` stands before links in the gateway.
    """

    forward: ForwardRoute
    policy: Policy
    permit: Permit
    rule: SiteRule
    view: RequestMode
    prefix: str
    not_navigation: Reason | None
    """The result of ``eligibility.navigation`` for this request."""

    @classmethod
    def of(
        cls, head: RequestHead, forward: ForwardRoute, policy: Policy, permit: Permit, prefix: str
    ) -> PlanContext:
        """As things are now."""
        rule = policy.rule_for(forward.target.origin, head.owner)
        view = policy.view_of(head.owner, forward.target.url)
        return cls(forward, policy, permit, rule, view, prefix, navigation(head.headers))


@dataclass(frozen=True)
class RequestPlan:
    """``recipe`` is what a page would be shown as, ``style`` how its reader likes pages to look.

    ``variant`` is that of the bar (winnow.proxy.decisions.policy.Bars) and the style, ``mark`` the
    digest of all that in our ETags. ``original_by_choice``: pages go through unchanged since a user
    chose so. ``by_reader``: the preferences' mode is what a person clicked for this page.
    """

    head: RequestHead
    setting: PlanContext
    preferences: Preferences
    recipe: Recipe
    may_be_page: bool
    original_by_choice: bool = False
    by_reader: bool = False
    style: bytes = b""
    variant: str = ""
    mark: str = ""

    def case(self, reply: ResponseHead) -> EligibilityInput:
        """What decides whether a response to this request is a page to extract."""
        setting = self.setting
        return EligibilityInput(
            self.head, reply, self.preferences, setting.rule, setting.policy, setting.not_navigation
        )

    @property
    def has_notice(self) -> bool:
        """Whether this is an original that a person asked for, which says so in a line."""
        asked = self.by_reader and self.preferences.mode is RequestMode.ORIGINAL
        return asked and self.preferences.bar and self.head.method == "GET"

    @cached_property
    def order(self) -> OriginRequest:
        """What the origin is sent, but for the request's body."""
        return self.order_to(self.setting.forward.target)

    def order_to(self, target: Target) -> OriginRequest:
        """The same for another address."""
        setting = self.setting
        page = self.may_be_page
        headers = outgoing(self.head, target, setting.prefix, setting.policy, page)
        if page:
            headers = etags.origins_conditions(headers, self.mark)
        else:
            headers = etags.without_ours(headers)
        if self.has_notice:  # a 304 would keep a page on screen that has no line
            headers = headers.without(etags.CONDITIONS)
        return OriginRequest(self.head.method, target, headers, None, setting.permit)


@dataclass(frozen=True)
class Planner:
    """Makes plans; ``bars``, ``looks`` and ``transform`` say what a page's look depends on."""

    transform: Transform
    bars: BarRenderer
    looks: AppearanceStyle
    images: ImageSigner | None = None

    async def __call__(
        self, head: RequestHead, setting: PlanContext, preferences: Preferences | None
    ) -> RequestPlan:
        """``preferences`` are read from the request's fields unless given."""
        plan = self._plain(head, setting, preferences)
        return await self._marked(plan) if plan.may_be_page else plan

    def _plain(
        self, head: RequestHead, setting: PlanContext, preferences: Preferences | None
    ) -> RequestPlan:
        policy, rule = setting.policy, setting.rule
        by_reader = preferences is not None and is_for_a_person(head)
        preferences = with_prefix(
            preferences or from_headers(head.headers, policy.recipe), setting.prefix
        )
        preferences = _face_to_face(preferences, setting.forward.face is not Face.GATEWAY)
        recipe = recipe_for(preferences, rule, policy)
        if setting.view is not RequestMode.AUTO and preferences.mode is RequestMode.AUTO:
            by_reader = setting.not_navigation is None
            preferences = replace(preferences, mode=setting.view) if by_reader else preferences
        chosen = original_by_choice(head, preferences, rule, policy, setting.not_navigation)
        is_page = not chosen and may_be_page(head, preferences, setting.not_navigation)
        return RequestPlan(head, setting, preferences, recipe, is_page, chosen, by_reader)

    async def _marked(self, plan: RequestPlan) -> RequestPlan:
        """The plan with the style of the page, the variant of its bar and the digest of all."""
        style = self._style(plan)
        variant = (self.bars.variant(plan.head) if plan.preferences.bar else "") + style.decode()
        if self.images and has_own_images(plan.recipe):
            variant += self.images.variant(plan.head.owner)
        fingerprint = await self.transform.fingerprint(plan.recipe)
        mark = etag_mark(fingerprint, variant, plan.setting.rule.transform_anyway)
        return replace(plan, style=style, variant=variant, mark=mark)

    def _style(self, plan: RequestPlan) -> bytes:
        """How the reader likes pages to look, where the page is made by us."""
        recipe = plan.recipe
        is_styled = recipe.format is Format.HTML and recipe.profile is not Profile.BASIC
        return self.looks(plan.head, recipe.link_prefix) if is_styled else b""


def with_prefix(preferences: Preferences, prefix: str) -> Preferences:
    """The preferences with links that lead through the gateway, where there is a prefix."""
    return (
        replace(preferences, recipe=replace(preferences.recipe, link_prefix=prefix))
        if prefix
        else preferences
    )


@lru_cache(maxsize=64)
def _face_to_face(preferences: Preferences, live: bool) -> Preferences:
    return replace(preferences, recipe=replace(preferences.recipe, live=live))


def has_own_images(recipe: Recipe) -> bool:
    """Whether the images of a page are cross-site ones, from our own origin."""
    is_basic = recipe.format is Format.HTML and recipe.profile is Profile.BASIC
    return is_basic and not recipe.link_prefix
