"""What two recipes show differently never has one key: in memory, in Redis or as an ETag."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.fingerprints import fingerprint
from winnow.config.settings import Settings
from winnow.document.values import (
    Format,
    MethodOptions,
    Page,
    PartLimits,
    Profile,
    Recipe,
    Rendered,
)
from winnow.engine.pipeline import transform
from winnow.jobs.quality import QualityLimits
from winnow.jobs.rendering_key import etag_mark, memory_key, stored_key
from winnow.proxy.caching.renderings import CachingTransform

WORDS = "The river rose over its banks in the night, and nobody in the village had seen it coming. "
IMAGES = "".join(f'<figure><img src="/{n}.png" width="600" height="400"></figure>' for n in "abc")
PAGE = Page(
    f"""<html lang="en"><head><title>The river</title></head><body><nav><a href="/">Home</a></nav>
<article><h1>The river</h1>{f"<p>{WORDS * 4}</p>" * 12}{IMAGES}
<p class="note">A note that a rule may keep or drop: {WORDS}</p><p><a href="/more">More</a></p>
</article><aside><p class="side">{WORDS}</p></aside></body></html>""".encode(),
    "http://a.test/story",
    "utf-8",
)
BASIC = Recipe("bte", profile=Profile.BASIC, part=PartLimits(1500, 1))
DIFFERENT = [
    (Recipe("bte"), Recipe("bte", keep=("nav",))),
    (Recipe("bte"), Recipe("bte", drop=(".note",))),
    (Recipe("bte", drop=("h1",)), Recipe("bte", drop=(".note",))),
    (BASIC, replace(BASIC, part=PartLimits(4000, 1))),
    (BASIC, replace(BASIC, part=PartLimits(0, 1))),
    (replace(BASIC, part=PartLimits(40_000, 1)), replace(BASIC, part=PartLimits(40_000, 3))),
    (Recipe("bte"), Recipe("lqf")),
    (Recipe("bte"), Recipe("bte", format=Format.TEXT)),
    (Recipe("bte"), Recipe("bte", link_prefix="http://here/")),
    (Recipe("bte"), BASIC),
]


class Direct:
    """The pipeline as the proxy's Transform, in this process."""

    def __init__(self, standard: QualityLimits | None = None) -> None:
        self.standard = standard or QualityLimits()

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        return transform(page, recipe, self.standard)

    async def fingerprint(self, recipe: Recipe) -> str:
        return fingerprint(recipe, self.standard)

    async def aclose(self) -> None:
        pass


def keys(recipe: Recipe, standard: QualityLimits | None = None) -> tuple[object, str, str]:
    made = fingerprint(recipe, standard or QualityLimits())
    return memory_key(PAGE, made), stored_key(PAGE, made), etag_mark(made)


@pytest.mark.parametrize(("one", "two"), DIFFERENT)
async def test_recipes_that_show_a_page_differently_share_no_key(one: Recipe, two: Recipe) -> None:
    assert transform(PAGE, one).body != transform(PAGE, two).body
    assert all(left != right for left, right in zip(keys(one), keys(two), strict=True))
    kept = CachingTransform(Direct(), 1 << 20)
    await kept(PAGE, one)
    assert await kept(PAGE, two) == transform(PAGE, two)


@pytest.mark.parametrize("name", [field.name for field in fields(QualityLimits)])
def test_every_threshold_counts(name: str) -> None:
    strict = replace(QualityLimits(), **{name: getattr(QualityLimits(), name) + 1})
    assert transform(PAGE, Recipe("bte")).poor == ""
    one, two = keys(Recipe("bte")), keys(Recipe("bte"), strict)
    assert all(left != right for left, right in zip(one, two, strict=True))


def test_the_thresholds_are_those_of_the_settings() -> None:
    assert QualityLimits.of(Settings().extraction) == QualityLimits()


recipes = st.builds(
    Recipe,
    extractor=st.sampled_from(["bte", "lqf", "crunch", "crunch:2"]),
    format=st.sampled_from([Format.HTML, Format.PRUNED, Format.TEXT]),
    profile=st.sampled_from(Profile),
    options=st.builds(MethodOptions, st.sampled_from([None, 2, 12]), inner=st.booleans()),
    link_prefix=st.sampled_from(["", "http://here/"]),
    keep=st.sampled_from([(), ("nav",)]),
    drop=st.sampled_from([(), (".note",), ("h1",)]),
    live=st.booleans(),
    pages=st.sampled_from([1, 2]),
    part=st.builds(PartLimits, st.sampled_from([0, 1500, 4000]), st.sampled_from([0, 1, 3])),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(recipes, recipes)
def test_one_key_is_one_rendering(one: Recipe, two: Recipe) -> None:
    if any(left == right for left, right in zip(keys(one), keys(two), strict=True)):
        assert transform(PAGE, one) == transform(PAGE, two)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(recipes, st.sampled_from([field.name for field in fields(Recipe)]), recipes)
def test_a_recipe_changed_in_one_field_is_shown_alike_or_has_keys_of_its_own(
    one: Recipe, name: str, donor: Recipe
) -> None:
    two = replace(one, **{name: getattr(donor, name)})
    if transform(PAGE, one) != transform(PAGE, two):
        assert all(left != right for left, right in zip(keys(one), keys(two), strict=True))
