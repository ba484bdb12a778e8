"""What the speaking process does with a job, here in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs import require_program
from tests.speech.programs import stand_in
from winnow.jobs.results import SpokenSentence
from winnow.speech.encoding import command_for, encoded, tagged
from winnow.speech.values import AudioFormat, SpeechError, SpeechJob
from winnow.speech.worker import chapters_of, speak, spoken

OTHER_RATE = r"""case "$2" in de) printf 'RIFF\377\377\377\177WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\200\076\0\0\002\0\020\0data\0\360\377\177\0\0'; exit 0;; esac"""  # noqa: E501 - a WAV file's head
HEADING = SpokenSentence((("", "The end"),), "The end")
MIXED = SpokenSentence((("", "They said "), ("de", "guten Morgen"), ("", " … ")))


def job(
    engine: object, *sentences: SpokenSentence, form: AudioFormat = AudioFormat.MP3
) -> SpeechJob:
    return SpeechJob(sentences, "The mill", "en", form, str(engine))


def test_samples_follow_each_other_and_marks_without_letters_are_silent(tmp_path: Path) -> None:
    with stand_in() as engine:
        rate, ends = spoken(job(engine, MIXED, HEADING), tmp_path / "samples")
        assert len((engine.parent / "spoken").read_text().splitlines()) == 3
    assert rate == 22050
    assert ends == pytest.approx((0.08, 0.12))
    assert (tmp_path / "samples").stat().st_size == 2 * 22050 * 0.12


def test_voices_of_different_rates_and_no_text_are_errors(tmp_path: Path) -> None:
    with stand_in(OTHER_RATE) as engine:
        with pytest.raises(SpeechError, match="differ in their rate"):
            spoken(job(engine, MIXED), tmp_path / "samples")
        with pytest.raises(SpeechError, match="no text"):
            spoken(job(engine, SpokenSentence((("", "…"),))), tmp_path / "samples")


def test_the_first_chapter_begins_with_the_file() -> None:
    first = SpokenSentence((("", "Rain"),))
    both = job("", first, HEADING)
    assert chapters_of(both, (1.0, 2.0)) == [(0.0, "The mill"), (1.0, "The end")]
    assert chapters_of(job("", HEADING, first), (1.0, 2.0)) == [(0.0, "The end")]


@pytest.mark.parametrize(
    ("form", "program", "head"),
    [(AudioFormat.MP3, "lame", b"ID3\x04"), (AudioFormat.OPUS, "opusenc", b"OggS")],
)
def test_a_file_has_the_form_that_is_asked_for(
    tmp_path: Path, form: AudioFormat, program: str, head: bytes
) -> None:
    require_program(program)
    with stand_in() as engine:
        result = speak(job(engine, MIXED, HEADING, form=form), tmp_path)
    assert result.ends == pytest.approx((0.08, 0.12))
    assert (tmp_path / "sound").read_bytes().startswith(head)


def test_an_encoder_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "samples").write_bytes(b"")
    with stand_in("exit 1") as engine:
        monkeypatch.setenv("PATH", str(engine.parent))
        with pytest.raises(SpeechError, match="cannot be started"):
            encoded(tmp_path / "samples", 22050, AudioFormat.MP3, tmp_path / "sound")
        engine.rename(engine.with_name("lame"))
        with pytest.raises(SpeechError, match="could not encode"):
            encoded(tmp_path / "samples", 22050, AudioFormat.MP3, tmp_path / "sound")


def test_the_rate_is_told_to_each_encoder() -> None:
    assert "22050" in command_for(AudioFormat.OPUS, 22050)
    assert "22.05" in command_for(AudioFormat.MP3, 22050)


def test_chapters_of_an_mp3_file_end_where_the_next_begins() -> None:
    file = tagged(b"frames", AudioFormat.MP3, "Rain", [(0.0, "One"), (1.5, "Two")], 2.0)
    assert file.endswith(b"frames")
    assert b"c0\0" + (0).to_bytes(4) + (1500).to_bytes(4) in file
    assert b"c1\0" + (1500).to_bytes(4) + (2000).to_bytes(4) in file
