"""Training keeps counts, can go on, and teaches what its pages show."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.extractors.mss.pages import example, news, text_of
from winnow.document.document import Document
from winnow.extractors.errors import ModelError
from winnow.extractors.mss.mss_extractors import Mss
from winnow.extractors.mss.mss_model import MssModel, TokenEvidence, load_model
from winnow.extractors.mss.mss_training import BITS, MssExample, Training

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
