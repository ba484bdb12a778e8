"""evaluation/measuring/repetition.py: words said twice in a row of twelve."""

from hypothesis import given
from hypothesis import strategies as st

from winnow.evaluation.measuring.repetition import RUN, repeated_share

TEXT = [f"w{number}" for number in range(40)]


def test_a_text_once_has_nothing_twice() -> None:
    assert repeated_share(TEXT) == repeated_share([]) == 0.0


def test_a_second_copy_is_half_of_the_words() -> None:
    assert repeated_share(TEXT + TEXT) == 0.5


def test_shorter_runs_are_chance() -> None:
    assert repeated_share(TEXT + TEXT[: RUN - 1]) == 0.0
    assert repeated_share(TEXT + TEXT[:RUN]) == RUN / (len(TEXT) + RUN)


@given(st.lists(st.sampled_from("ab"), max_size=80))
def test_it_is_a_share(words: list[str]) -> None:
    assert 0.0 <= repeated_share(words) <= 1.0
