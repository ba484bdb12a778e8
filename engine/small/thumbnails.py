"""Images made small: turned upright, shrunk, encoded again within so many bytes."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from winnow.jobs.job_types import PipelineError

MOST_PIXELS: Final = 40_000_000
"""Images with more pixels are refused before they are decoded."""
_QUALITIES: Final = (70, 55, 40, 25, 12)
_SMALLEST: Final = 40
"""Pixels of width below which no image is shrunk to fit the bytes."""
_COLOURS: Final = (128, 64, 32, 16, 8, 4)
_MEDIA_TYPES: Final = {"WEBP": "image/webp", "JPEG": "image/jpeg", "GIF": "image/gif"}


def shrink(body: bytes, width: int, largest: int, kind: str = "JPEG") -> tuple[bytes, str]:
    """The image no wider than ``width`` pixels and no larger than ``largest`` bytes, if it can be.

    Returns bytes and media type. What would grow by it stays as it is. Raises PipelineError for
    what is no image or has too many pixels. ``kind``: JPEG, WEBP, or GIF, whose few colours are
    dithered (Floyd and Steinberg), for browsers that know nothing else.
    """
    try:
        with Image.open(io.BytesIO(body)) as image:
            if image.width * image.height > MOST_PIXELS:
                raise PipelineError("too-large", "The image has too many pixels.")
            small = encoded(image, width, largest, kind), _MEDIA_TYPES[kind]
            plain = _unchanged(image, width, kind)
            return min(small, (body, plain), key=_size) if plain else small
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise PipelineError("not-an-image", f"The image cannot be read: {error}.") from error


def _unchanged(image: Image.Image, width: int, kind: str) -> str:
    """The media type of an image that can stay as it is; "" of one that is too wide or moves."""
    moves = getattr(image, "n_frames", 1) > 1
    known = ("GIF",) if kind == "GIF" else ("JPEG", "PNG", "GIF")
    format_name = image.format if image.format in known else ""
    return Image.MIME[format_name] if format_name and image.width <= width and not moves else ""


def _size(made: tuple[bytes, str]) -> int:
    return len(made[0])


def encoded(image: Image.Image, width: int, largest: int, kind: str) -> bytes:
    """The image at the best quality and then the best width that fits ``largest`` bytes."""
    image.draft("RGB", (width, width * 4))
    upright = ImageOps.exif_transpose(image)
    flat = _flat(upright)
    best = b""
    while True:
        flat.thumbnail((width, width * 8))
        for quality in _COLOURS if kind == "GIF" else _QUALITIES:
            best = _written(flat, kind, quality)
            if len(best) <= largest:
                return best
        if width <= _SMALLEST:
            return best
        width = max(width * 2 // 3, _SMALLEST)


def _flat(image: Image.Image) -> Image.Image:
    """Three colours; what is transparent stands on white."""
    if image.mode in ("RGB", "L"):
        return image.copy()
    ground = Image.new("RGB", image.size, "white")
    layered = image.convert("RGBA")
    ground.paste(layered, mask=layered.getchannel("A"))
    return ground


def _written(image: Image.Image, kind: str, quality: int) -> bytes:
    out = io.BytesIO()
    if kind == "GIF":
        palette = image.convert("RGB").quantize(quality)
        image.convert("RGB").quantize(palette=palette).save(
            out, kind
        )  # dithered to a palette alone
    elif kind == "WEBP":
        image.save(out, kind, quality=quality, method=4)
    else:
        image.save(out, kind, quality=quality, optimize=True)
    return out.getvalue()
