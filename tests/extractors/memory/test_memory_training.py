"""What a model keeps, and that it comes back from its files as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.document.values import MEDIA
from winnow.extractors.errors import ModelError
from winnow.extractors.memory.article_structure import Fault
from winnow.extractors.memory.labelled_instances import BODY, GARBAGE, HEADING, TITLE
from winnow.extractors.memory.memory_extractor import Labelling, Memory, confidence, in_order
from winnow.extractors.memory.memory_model import MemoryModel
from winnow.extractors.memory.memory_training import MemoryExample, learn
from winnow.extractors.memory.text_slots import slots_of
from winnow.extractors.memory.voting import elected
from winnow.extractors.registry import make

TEXT = "The river rose in the night and by morning the lower road was under water."


def page(seed: int) -> Document:
    story = "".join(f"<p>{TEXT[seed:]} {TEXT}</p>" for _ in range(4))
    links = "<ul><li><a href=/>Home</a><li><a href=/a>News</a></ul>"
    return Document.from_html(f"<body>{links}<h1>Story {seed}</h1>{story}{links}</body>")


def example(seed: int) -> MemoryExample:
    document = page(seed)
    slots = slots_of(document)
    labels = np.zeros(len(slots), dtype=np.int32)
    for place, owner in zip(slots.place, document.pieces.owner, strict=True):
        kind = {"h1": TITLE, "p": BODY}.get(document.name_of(int(owner)), GARBAGE)
        labels[place] = kind
    return MemoryExample.of(document, slots, labels, str(seed), f"site {seed % 3}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model")
    learn([example(seed) for seed in range(6)], 1000, {"from": "here"}).save(path)
    return path


@pytest.mark.parametrize("options", ["", "algorithm=igtree,", "k=3,w=x2,"])
def test_a_page_like_the_taught_ones_is_labelled(folder: Path, options: str) -> None:
    extraction = make(f"memory:{options}model={folder}").extract(page(9))
    assert extraction.title == "Story 9"
    assert [span.label for span in extraction.spans] == ["title", "body"]
    assert extraction.reasons == ()
    assert extraction.confidence > 0


def test_a_picture_between_two_texts_of_the_body_stays(folder: Path) -> None:
    story = f"<p>{TEXT} {TEXT}</p>"
    pictured = f"<img src=logo><h1>Story 9</h1>{story}<img src=a>{story}<img src=b>"
    document = Document.from_html(f"<body>{pictured}<ul><li><a href=/>Home</a></ul></body>")
    spans = Memory(model=str(folder)).extract(document).spans
    shown = [document.text[span.start : span.end] for span in spans]
    assert "".join(shown).count(MEDIA) == 1
    assert f"{TEXT}\n\n{MEDIA}" in "".join(shown)


def test_explain_names_the_class_that_a_block_is_most_like(folder: Path) -> None:
    document = page(9)
    rules = [reason.rule for reason in Memory(model=str(folder)).explain(document)]
    assert rules[0].startswith("Most like stored garbage, ")
    assert any(each.startswith("Most like stored body text, ") for each in rules)
    tree = Memory("igtree", model=str(folder)).explain(document)
    assert "The tree takes it for titles." in [reason.rule for reason in tree]


def test_a_page_unlike_any_article_is_refused(folder: Path) -> None:
    extraction = Memory(model=str(folder)).extract(Document.from_html("<a href=/>Home</a>"))
    assert extraction.spans == ()
    assert extraction.confidence == 0


def labelling(distance: float, dropped: float) -> Labelling:
    return Labelling(np.zeros(0, dtype=np.int32), np.zeros(0), distance, dropped)


def test_far_neighbours_long_texts_left_out_and_faults_lower_the_confidence() -> None:
    best = confidence(labelling(0.0, 0.0), ())
    assert best == 1
    worse = [labelling(0.2, 0.0), labelling(0.0, 0.4)]
    assert all(confidence(one, ()) < best for one in worse)
    assert confidence(worse[0], (Fault.NO_TITLE,)) < confidence(worse[0], ())
    assert confidence(labelling(1.0, 1.0), tuple(Fault)) == 0


def test_a_model_comes_back_as_it_was_saved(folder: Path) -> None:
    model = learn([example(seed) for seed in range(6)], 1000, {"from": "here"})
    again = MemoryModel.load(folder)
    assert again.digest == model.digest
    assert again.manifest["from"] == "here"
    queries = model.instances.values
    for weighting in ("gr", "sv"):
        before, after = (one.base(weighting).nearest(queries, 2).counts for one in (model, again))
        assert np.array_equal(elected(before, 1, model.rank), elected(after, 1, again.rank))


def test_a_model_keeps_a_page_of_each_site_first_and_no_more_than_the_limit() -> None:
    examples = [example(seed) for seed in range(6)]
    most = 3 * len(learn(examples[:1], 1000, {}).instances)
    model = learn(examples, most, {})
    assert model.manifest["pages_stored"] == 3
    assert len(model.instances) <= most
    assert model.manifest["learned"] > len(model.instances)


def test_elements_without_text_are_not_stored() -> None:
    taught = example(1)
    assert learn([taught], 1000, {}).manifest["learned"] < len(taught.classes)


def test_pages_without_a_labelled_text_teach_nothing() -> None:
    bare = example(1)
    nothing = MemoryExample(bare.values, np.zeros_like(bare.classes), "x", "x")
    with pytest.raises(ModelError, match="no page with a labelled text"):
        learn([nothing], 1000, {})


def test_a_folder_without_a_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="winnow train memory"):
        Memory(model=str(tmp_path))


@pytest.mark.parametrize("wrong", [{"algorithm": "ib9"}, {"w": "zz"}, {"k": 0}])
def test_wrong_parameters_are_reported(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"is one of|from 1 to 1000"):
        Memory(**wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_the_labels_of_a_page_stand_in_its_order_once_for_each_block() -> None:
    document = Document.from_html("<p>a <b>b</b> c</p><p>d</p><h2>e</h2><p>f</p>")
    labels = np.array([BODY, BODY, TITLE, BODY, HEADING, GARBAGE], dtype=np.int32)
    assert in_order(document, labels) == [BODY, TITLE, BODY, HEADING]
