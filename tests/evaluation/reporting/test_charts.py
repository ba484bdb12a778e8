"""Charts are well-formed SVG that say what they show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from winnow.evaluation.reporting.charts import Point, bars, scatter
from winnow.evaluation.reporting.svg import Scale


def titles(chart: str) -> list[str]:
    return [str(found.text) for found in etree.fromstring(chart).iter("title")]


def test_a_bar_for_each_value_with_its_number() -> None:
    chart = bars("F1", {"news": {"bte": 0.5, "dsc <&>": 0.75}, "wiki": {"bte": 0.25}})
    assert titles(chart) == ["F1", "bte: 0.5", "dsc <&>: 0.75", "bte: 0.25"]
    heights = [float(str(bar.get("height"))) for bar in etree.fromstring(chart).iter("rect")][:3]
    assert heights[1] == pytest.approx(3 * heights[2], rel=0.02)


def test_groups_of_bars_stand_apart() -> None:
    chart = etree.fromstring(bars("F1", {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}))
    found = [each for each in chart.iter("rect") if each.find("{*}title") is not None]
    lefts = [float(str(each.get("x"))) for each in found]
    within, between = lefts[1] - lefts[0], lefts[2] - lefts[1]
    assert lefts[3] - lefts[2] == within
    assert between == within + 18


def test_a_point_for_each_subject() -> None:
    points = [Point("bte", 0.9, 0.8, 0), Point("dsc", 0.9, 0.8, 1)]
    assert titles(scatter("P and R", points, "recall", "precision"))[1:] == [
        "bte: recall 0.9, precision 0.800",
        "dsc: recall 0.9, precision 0.800",
    ]


@given(st.lists(st.tuples(st.floats(0.001, 1e4), st.floats(0, 1)), min_size=1, max_size=12))
def test_any_points_are_drawn(places: list[tuple[float, float]]) -> None:
    points = [Point("x", across, up, index) for index, (across, up) in enumerate(places)]
    for logarithmic in (False, True):
        chart = etree.fromstring(scatter("s", points, "a", "b", logarithmic))
        assert len(list(chart.iter("circle"))) == len(points)


@given(st.floats(0, 1), st.floats(0.01, 1e4))
def test_ticks_are_few_and_inside(low: float, span: float) -> None:
    ticks = Scale(low, low + span, 0, 100).ticks()
    assert 1 <= len(ticks) <= 8
    assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in ticks)


def test_a_logarithmic_scale_has_equal_steps_for_equal_factors() -> None:
    scale = Scale(1, 100, 0, 10, logarithmic=True)
    assert [scale(1), scale(10), scale(100)] == pytest.approx([0, 5, 10])
    assert scale.ticks() == [1, 2, 5, 10, 20, 50, 100]
