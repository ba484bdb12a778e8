"""Jobs and results arrive as they were sent; other bytes are an error."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.values import (
    Format,
    MethodOptions,
    Page,
    Profile,
    Recipe,
    Rendered,
    SiteKnowledge,
)
from winnow.features.annotate.jobs import BlocksJob, LabelledJob, Markable, Marked
from winnow.features.books.jobs import BindJob, FillFeedJob, ReadFeedJob
from winnow.features.compare.jobs import (
    Compared,
    MethodTrial,
    OutlineJob,
    PageOutline,
    SideBySideJob,
    TriedMethod,
    TryJob,
)
from winnow.features.render.jobs import FeedItemJob
from winnow.features.small.jobs import SmallPart, SmallPartJob
from winnow.features.why.jobs import Explained, ExplainJob
from winnow.jobs.codec import pack_job, pack_result, unpack_job, unpack_result
from winnow.jobs.job_types import Job, JobFailure
from winnow.jobs.page_jobs import (
    IdentifyJob,
    ParametersJob,
    ShrinkJob,
    TransformJob,
)
from winnow.jobs.rendering_key import ExtractorIdentity
from winnow.jobs.small_gateway import Measure

counts = st.integers(0, 2**53)
pages = st.builds(Page, st.binary(), st.none() | st.text(), st.none() | st.text())
recipes = st.builds(
    Recipe,
    st.text(),
    st.sampled_from(Format),
    st.sampled_from(Profile),
    st.builds(MethodOptions, st.none() | st.integers(1, 12), st.text(), st.booleans()),
    st.text(),
    knowledge=st.builds(
        SiteKnowledge, st.binary(), st.binary(), counts, st.booleans(), st.booleans()
    ),
)
spans = st.lists(st.tuples(counts, counts, st.text()))
tried = st.builds(
    TriedMethod,
    st.builds(MethodTrial, st.text(), counts),
    st.lists(st.tuples(counts, counts)).map(tuple),
    st.lists(st.text()).map(tuple),
)
jobs = st.one_of(
    st.builds(TransformJob, pages, recipes),
    st.builds(OutlineJob, pages, recipes),
    st.builds(TryJob, pages, st.text(), recipes),
    st.builds(SideBySideJob, pages, st.lists(tried).map(tuple), recipes),
    st.builds(ExplainJob, pages, recipes),
    st.builds(BlocksJob, pages, recipes, st.none() | spans),
    st.builds(LabelledJob, pages, st.dictionaries(counts, st.text())),
    st.builds(SmallPartJob, pages, recipes, st.builds(Measure, counts, counts, counts), st.text()),
    st.builds(ReadFeedJob, pages),
    st.builds(FeedItemJob, pages, st.text()),
    st.builds(FillFeedJob, pages, st.dictionaries(st.text(), st.text())),
    st.builds(ShrinkJob, st.binary(), counts, counts, st.text()),
    st.builds(
        BindJob,
        st.lists(st.dictionaries(st.text(), st.none() | st.text())),
        st.text(),
        st.dictionaries(st.text(), st.tuples(st.binary(), st.text())),
    ),
    st.builds(ParametersJob, st.lists(st.text()).map(tuple)),
    st.builds(IdentifyJob, recipes),
)
KINDS = (
    Rendered,
    ExtractorIdentity,
    Compared,
    PageOutline,
    TriedMethod,
    Explained,
    Markable,
    Marked,
    SmallPart,
)
for each in (
    (int, st.integers(-(2**63), 2**63 - 1)),
    (float, st.floats(allow_nan=False)),
):
    st.register_type_strategy(*each)
results = st.one_of(*(st.from_type(kind) for kind in KINDS))


@given(jobs)
def test_a_job_arrives(job: Job[Any]) -> None:
    assert unpack_job(pack_job(job)) == job


@given(results)
def test_a_result_arrives(result: object) -> None:
    assert unpack_result(pack_result(result), type(result)) == result


@given(st.builds(JobFailure, st.text(), st.text()))
def test_a_failure_arrives_instead_of_a_result(failure: JobFailure) -> None:
    assert unpack_result(pack_result(failure), Rendered) == failure


def test_text_that_utf_8_cannot_hold_is_replaced() -> None:
    page = Page(b"", "http://a.test/\udcff", "\udce4")
    recipe = Recipe("\ud83d\ude00", keep=("\udc00",))
    arrived = unpack_job(pack_job(TransformJob(page, recipe)))
    expected = Recipe("\U0001f600", keep=("\ufffd",))
    assert arrived == TransformJob(Page(b"", "http://a.test/\ufffd", "\ufffd"), expected)


def test_a_result_of_another_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="not what was expected"):
        unpack_result(pack_result(("a", "b")), Rendered)


@given(st.binary())
def test_other_bytes_raise_nothing_but_value_error(data: bytes) -> None:
    with suppress(ValueError):
        unpack_job(data)
    with suppress(ValueError):
        unpack_result(data, Rendered)


@given(jobs, st.data())
def test_a_frame_cut_short_is_an_error(job: Job[Any], data: st.DataObject) -> None:
    frame = pack_job(job)
    with pytest.raises(ValueError, match="not what was expected"):
        unpack_job(frame[: data.draw(st.integers(0, len(frame) - 1))])
