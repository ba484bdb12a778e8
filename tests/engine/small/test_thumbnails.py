"""Images are turned upright, fit width and bytes, and never grow."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from winnow.engine.small import thumbnails
from winnow.engine.small.thumbnails import shrink
from winnow.jobs.job_types import PipelineError


def picture(size: tuple[int, int], kind: str, mode: str = "RGB", **how: object) -> bytes:
    out = io.BytesIO()
    noise = Image.effect_noise(size, 60).convert(mode)
    noise.save(out, kind, **how)
    return out.getvalue()


def opened(body: bytes) -> Image.Image:
    return Image.open(io.BytesIO(body))


@pytest.mark.parametrize("webp", [True, False])
@pytest.mark.parametrize(
    ("kind", "mode"), [("JPEG", "RGB"), ("PNG", "RGBA"), ("GIF", "P"), ("PNG", "L")]
)
def test_every_kind_becomes_small(kind: str, mode: str, webp: bool) -> None:
    body, media_type = shrink(
        picture((900, 600), kind, mode), 240, 9000, "WEBP" if webp else "JPEG"
    )
    assert media_type == ("image/webp" if webp else "image/jpeg")
    assert len(body) <= 9000
    with opened(body) as small:
        assert small.width <= 240
        assert abs(small.width / small.height - 1.5) < 0.05


def test_few_bytes_cost_width() -> None:
    body, _ = shrink(picture((900, 600), "JPEG"), 800, 3000)
    assert len(body) <= 3000
    assert opened(body).width < 800


def test_what_is_small_already_stays() -> None:
    small = picture((20, 10), "PNG", "1")
    assert shrink(small, 240, 9000) == (small, "image/png")


def test_pictures_are_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    body, _ = shrink(picture((300, 100), "JPEG", exif=exif), 240, 90_000)
    assert opened(body).height > opened(body).width


def test_transparency_stands_on_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (600, 600), (0, 0, 0, 0)).save(out, "PNG")
    body, _ = shrink(out.getvalue(), 60, 9000)
    assert opened(body).convert("RGB").getpixel((30, 30)) == (255, 255, 255)


def test_too_many_pixels_are_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnails, "MOST_PIXELS", 10_000)
    with pytest.raises(PipelineError, match="too many pixels"):
        shrink(picture((200, 100), "PNG"), 240, 9000)


@pytest.mark.parametrize("body", [b"", b"<svg/>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0cut off"])
def test_what_is_no_image_is_refused(body: bytes) -> None:
    with pytest.raises(PipelineError, match="cannot be read"):
        shrink(body, 240, 9000)
