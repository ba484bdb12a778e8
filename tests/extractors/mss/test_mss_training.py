"""Training keeps counts, can go on, and teaches what its pages show."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.extractors.mss.pages import example, news, text_of
from winnow.document.document import Document
from winnow.extractors.errors import ModelError, ParameterError
from winnow.extractors.mss.mss_extractors import Mss
from winnow.extractors.mss.mss_model import MssModel, TokenEvidence, load_model
from winnow.extractors.mss.mss_training import BITS, COUNTS, MssExample, Training
from winnow.extractors.mss.token_features import features
from winnow.extractors.registry import make

SMALL = dict.fromkeys(BITS, 14)


def examples() -> Iterator[MssExample]:
    return (example(news(seed, site=f"site{seed % 3}"), f"site{seed % 3}") for seed in range(12))


def trained(count: int = 12) -> Training:
    training = Training()
    for _, each in zip(range(count), examples(), strict=False):
        training.add(each)
    return training


def test_a_model_finds_the_article_of_a_site_it_has_not_seen(tmp_path: Path) -> None:
    trained().model({}, SMALL).save(tmp_path)
    page = news(99, site="elsewhere")
    found = text_of(Mss(model=str(tmp_path)), page)
    assert "Story 99 begins" in found
    assert "and so it ended." in found
    assert "Subscribe" not in found


def test_a_saved_model_gives_the_same_odds(tmp_path: Path) -> None:
    model = trained().model({"sources": 3}, SMALL)
    model.save(tmp_path)
    again = MssModel.load(tmp_path)
    seen = model.features(Document.from_html(news(5)))
    assert np.array_equal(
        model.log_odds(seen, TokenEvidence()), again.log_odds(seen, TokenEvidence())
    )
    assert (again.digest, again.manifest["sources"]) == (model.digest, 3)


def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    trained(5).save(tmp_path)
    later = Training.load(tmp_path)
    for index, each in enumerate(examples()):
        if index >= 5:
            later.add(each)
    assert later.model({}).digest == trained().model({}).digest


def test_a_tag_of_one_source_alone_is_unknown() -> None:
    training = Training()
    training.add(example(news(1).replace("<p>", "<p><mark>x</mark>", 1), "one"))
    training.add(example(news(2), "two"))
    common = training.model({}).manifest["tags"]
    assert "p" in common
    assert "mark" not in common


def test_pages_with_nothing_outside_teach_nothing() -> None:
    with pytest.raises(ModelError, match="inside and outside"):
        Training().model({})


def test_a_folder_without_a_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds no model"):
        load_model(str(tmp_path))
    with pytest.raises(ModelError, match="without --update"):
        Training.load(tmp_path)


def test_plain_counts_are_the_published_classifier() -> None:
    """By the definition: relative frequencies, their logarithm, nothing smoothed or rounded."""
    model, pages = trained().plain_model(), list(examples())
    counts: dict[int, list[int]] = {}
    sides = [0, 0]
    for page in pages:
        found = features(page.document, model.common)
        for place, key in enumerate(found.trigrams.tolist()):
            is_outside = not page.first <= place < page.last
            counts.setdefault(key, [0, 0])[is_outside] += 1
            sides[is_outside] += 1
    keys = np.array(sorted(counts), dtype=np.uint64)
    odds, is_seen = model.trigrams.look_up(keys)
    assert is_seen.all()
    for key, value in zip(keys.tolist(), odds.tolist(), strict=True):
        inside, outside = counts[key]
        share = [inside / sides[0], outside / sides[1]]
        expected = np.log(share[0] / share[1]) if all(share) else np.inf if inside else -np.inf
        assert value == pytest.approx(expected, abs=1e-5)
    assert model.prior == pytest.approx(np.log(sides[0] / sides[1]))
    assert model.trigrams.look_up(np.array([1], dtype=np.uint64))[1].tolist() == [False]


def test_the_published_form_works_on_counts_beside_a_model(tmp_path: Path) -> None:
    trained().model({}, SMALL).save(tmp_path)
    with pytest.raises(ModelError, match="holds no counts"):
        make(f"mss:paper=true,model={tmp_path}")
    trained().save(tmp_path / COUNTS)
    paper, usual = (make(f"mss:{each}model={tmp_path}") for each in ("paper=true,", ""))
    assert paper.fingerprint != usual.fingerprint
    found = text_of(paper, news(99, site="elsewhere"))
    assert "Story 99 begins" in found
    assert "and so it ended." in found


def test_the_shipped_model_has_no_counts_and_says_what_to_do() -> None:
    with pytest.raises(ParameterError, match="winnow train mss"):
        make("mss:paper=true")


def test_a_trigram_that_was_seen_counts_in_place_of_its_unigram() -> None:
    model = trained().model({}, SMALL)
    known = model.features(Document.from_html(news(3, behind="<p>Words of another page.</p>")))
    unigrams = model.log_odds(known, TokenEvidence(unigram=True))
    both = model.log_odds(known, TokenEvidence(unigram=True, backoff=True))
    seen = model.trigrams.look_up(known.trigrams)[1]
    assert seen.any()
    assert not seen.all()
    assert np.array_equal(both[~seen], unigrams[~seen])
    assert np.array_equal(both[seen], model.log_odds(known, TokenEvidence())[seen])
