"""What crosses processes arrives as it was sent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.document.values import Format, Known, Page, Profile, Recipe, Rendered
from winnow.jobs.codec import JobFailure, pack_answer, pack_job, unpack_answer, unpack_job

pages = st.builds(Page, st.binary(), st.none() | st.text(), st.none() | st.text())
recipes = st.builds(
    Recipe,
    st.text(),
    st.sampled_from(Format),
    st.sampled_from(Profile),
    st.none() | st.integers(1, 12),
    st.text(),
    known=st.builds(Known, st.binary(), st.binary(), st.integers(), st.booleans()),
)
renderings = st.builds(
    Rendered,
    st.binary(),
    st.text(),
    st.text(),
    reasons=st.lists(st.text()).map(tuple),
    lesson=st.binary(),
)


@given(pages, recipes)
def test_a_job_arrives(page: Page, recipe: Recipe) -> None:
    assert unpack_job(pack_job(page, recipe)) == (page, recipe)


@given(renderings | st.builds(JobFailure, st.text(), st.text()))
def test_an_answer_arrives(answer: Rendered | JobFailure) -> None:
    assert unpack_answer(pack_answer(answer)) == answer
