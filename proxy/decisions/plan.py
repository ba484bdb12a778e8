"""All that is decided of a request before anything is fetched, as one value; fetches nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.document.values import Format, ImageSize, Profile, Recipe
from winnow.jobs.rendering_key import etag_mark
from winnow.proxy.access.private_addresses import is_public_host
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions import etags
from winnow.proxy.decisions.eligibility import (
    EligibilityInput,
    is_for_a_person,
    may_be_page,
    navigation,
    original_by_choice,
)
from winnow.proxy.decisions.policy import (
    AppearanceStyle,
    BarRenderer,
    ImageSigner,
    Policy,
    SiteRule,
    Transform,
    VoiceChoice,
    never_aloud,
)
from winnow.proxy.decisions.request.preferences import Preferences, from_headers
from winnow.proxy.decisions.request.recipe_choice import as_ruled, recipe_for
from winnow.proxy.decisions.request.request_headers import outgoing
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.decisions.request.routing import Face, ForwardRoute
from winnow.proxy.http.messages import OriginRequest, Permit, RequestBody, ResponseHead
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.request_target import Target


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """``recipe``: how a page would be shown; ``style``: the reader's, for reader pages.

    ``prefix`` stands before links in the gateway. ``not_navigation``: the result of
    ``eligibility.navigation``. ``original_by_choice``: a user chose that pages of this address go
    through unchanged. ``variant``: what the bar (BarRenderer) and the style depend on; ``mark``: a
    digest of all that decides how a page is shown, for our ETags. ``by_reader``: the preferences'
    mode is what a person clicked for this page.
    """

    head: RequestHead
    forward: ForwardRoute
    policy: Policy
    rule: SiteRule
    preferences: Preferences
    recipe: Recipe
    not_navigation: Reason | None = None
    prefix: str = ""
    may_be_page: bool = False
    original_by_choice: bool = False
    by_reader: bool = False
    style: bytes = b""
    variant: str = ""
    mark: str = ""

    def case(self, response: ResponseHead) -> EligibilityInput:
        """What decides whether a response to this request is a page to extract."""
        return EligibilityInput(
            self.head,
            response,
            self.preferences,
            self.rule,
            self.policy,
            self.not_navigation,
            self.recipe,
        )

    @property
    def has_notice(self) -> bool:
        """Whether this is an original that a person chose, which gets a notice."""
        chosen = self.by_reader and self.preferences.mode is RequestMode.ORIGINAL
        return chosen and self.preferences.bar and self.head.method == "GET"

    def request_to(self, target: Target, permit: Permit, body: RequestBody | None) -> OriginRequest:
        """The request for the origin."""
        headers = outgoing(self.head, target, self.prefix, self.policy, self.may_be_page)
        if self.may_be_page:
            headers = etags.origins_conditions(headers, self.mark)
        else:
            headers = etags.without_ours(headers)
        if self.has_notice:  # a 304 would keep a page on screen that has no notice
            headers = headers.without(etags.CONDITIONS)
        return OriginRequest(self.head.method, target, headers, body, permit)


@dataclass(frozen=True)
class Planner:
    """Makes plans; ``bars``, ``looks`` and ``transform`` say what a page's look depends on."""

    transform: Transform
    bars: BarRenderer
    looks: AppearanceStyle
    images: ImageSigner | None = None
    voices: VoiceChoice = never_aloud

    async def __call__(
        self,
        head: RequestHead,
        forward: ForwardRoute,
        policy: Policy,
        prefix: str = "",
        preferences: Preferences | None = None,
    ) -> RequestPlan:
        """``preferences`` are read from the request's fields unless given."""
        rule = policy.rule_for(forward.target.origin, head.owner)
        spares = policy.spares_programs and forward.face is not Face.GATEWAY
        not_navigation = navigation(head.headers, spares_programs=spares)
        by_reader = preferences is not None and is_for_a_person(head)
        preferences = preferences or from_headers(head.headers, policy.recipe)
        view = policy.view_of(head.owner, forward.target.url)
        if view is not RequestMode.AUTO and preferences.mode is RequestMode.AUTO:
            by_reader = not_navigation is None
            preferences = replace(preferences, mode=view) if by_reader else preferences
        preferences = as_ruled(preferences, rule, policy)
        live = forward.face is not Face.GATEWAY
        recipe = recipe_for(preferences, rule, policy, prefix, live=live)
        if not prefix and not is_public_host(forward.target.origin.host):
            recipe = replace(recipe, images=ImageSize.AS_SENT)  # signatures are for public ones
        if _may_be_aloud(recipe, preferences) and self.voices(head, prefix):
            recipe = replace(recipe, profile=Profile.VOICE)
        chosen = original_by_choice(head, preferences, rule, policy, not_navigation)
        is_page = not chosen and may_be_page(head, preferences, not_navigation)
        shown = await self._shown(head, recipe, rule, preferences) if is_page else ()
        decided = not_navigation, prefix, is_page, chosen, by_reader
        return RequestPlan(head, forward, policy, rule, preferences, recipe, *decided, *shown)

    async def _shown(
        self, head: RequestHead, recipe: Recipe, rule: SiteRule, preferences: Preferences
    ) -> tuple[bytes, str, str]:
        """Style, variant and mark of a plan."""
        is_styled = recipe.format is Format.HTML and recipe.profile is not Profile.BASIC
        style = self.looks(head, recipe.link_prefix) if is_styled else b""
        variant = (self.bars.variant(head) if preferences.bar else "") + style.decode()
        if recipe.format.is_data:
            part = f"{preferences.max_tokens} {preferences.offset}"
            variant += f"{preferences.fallback} {part}"
        if self.images and has_own_images(recipe):
            variant += self.images.variant(head.owner)
        fingerprint = await self.transform.fingerprint(recipe)
        return style, variant, etag_mark(fingerprint, variant, rule.transform_anyway)


def _may_be_aloud(recipe: Recipe, preferences: Preferences) -> bool:
    """Whether the reader's choice of the profile counts: the request has none of its own."""
    is_usual = recipe.format is Format.HTML and recipe.profile is Profile.READER
    return is_usual and not preferences.named_profile


def has_own_images(recipe: Recipe) -> bool:
    """Whether the images of a page are cross-site ones, from our own origin."""
    return (is_basic(recipe) or bool(recipe.images)) and not recipe.link_prefix


def is_basic(recipe: Recipe) -> bool:
    """Whether a page is written in the profile ``basic``."""
    return recipe.format is Format.HTML and recipe.profile is Profile.BASIC
